import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  getRows,
  type Route,
  type SecretAction,
  type SecretKind,
  secretContexts,
  type TableAction,
} from '../../../shared/route.ts';
import { type RowKind, toKeyPattern } from '../../../shared/store/table/keys.ts';
import type { Settings } from '../../settings.ts';
import type { Storage } from '../storage.ts';

/**
 * Builds a permission for rows of some kinds. Needs the `Null` condition: without it, `ForAllValues` also allows
 * requests that name no key.
 */
const buildRowStatement = (
  table: Storage['table'],
  actions: readonly string[],
  kinds: readonly RowKind[],
  conditions: object = {},
) =>
  new PolicyStatement({
    actions: actions.map((action) => `dynamodb:${action}`),
    resources: [table.tableArn],
    conditions: {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': kinds.map(toKeyPattern) },
      Null: { 'dynamodb:LeadingKeys': 'false' },
      ...conditions,
    },
  });

type Rows = NonNullable<Route['needs']['rows']>;

/** Actions that only read. */
const readActions = ['GetItem', 'BatchGetItem', 'Query'] as const satisfies TableAction[];

const isWrite = (action: TableAction) => !readActions.some((read) => read === action);

const listKinds = (rows: Rows, isWanted: (action: TableAction) => boolean): RowKind[] =>
  (Object.keys(rows) as RowKind[]).filter((kind) => rows[kind]?.some(isWanted));

/**
 * Returns the write actions of a function, and all kinds of rows that it writes. One statement covers them all: a
 * transaction names rows of several kinds, and AWS does not document whether each action needs permission for all of
 * them.
 */
function collectWrites(rows: Rows): { actions: TableAction[]; kinds: RowKind[] } {
  const actions = new Set(Object.values(rows).flat().filter(isWrite));
  return { actions: [...actions], kinds: listKinds(rows, isWrite) };
}

/** Builds a function's permissions for rows: one statement per read action, and one for all write actions. */
export function buildRowStatements(rows: Rows, table: Storage['table']): PolicyStatement[] {
  const { actions, kinds } = collectWrites(rows);
  const groups: [readonly TableAction[], RowKind[]][] = [
    ...readActions.map((read): [[TableAction], RowKind[]] => [[read], listKinds(rows, (action) => action === read)]),
    [actions, kinds],
  ];
  return groups.flatMap(([actions, kinds]) => (kinds.length > 0 ? [buildRowStatement(table, actions, kinds)] : []));
}

/** Builds the permissions that let every function look up the caller's API key and update its `last_used_at`. */
export function buildApiKeyStatements(route: Route, { table }: Storage): PolicyStatement[] {
  const { actions, kinds } = collectWrites(getRows(route));
  const changesKeys = actions.includes('UpdateItem') && kinds.includes('keys');
  const lastUse = { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'last_used_at'] } };
  return [
    buildRowStatement(table, ['GetItem'], ['keys']),
    // Restrict the update to that attribute, unless the function may change keys anyway.
    ...(changesKeys ? [] : [buildRowStatement(table, ['UpdateItem'], ['keys'], lastUse)]),
  ];
}

/**
 * Builds the permission that makes S3 answer 404 instead of 403 for a missing object of a folder. S3 checks the
 * object's key as the prefix of a listing.
 */
export const buildMissingFileStatement = (bucket: Storage['bucket'], folder: string): PolicyStatement =>
  new PolicyStatement({
    actions: ['s3:ListBucket'],
    resources: [bucket.bucketArn],
    conditions: { StringLike: { 's3:prefix': `${folder}/*` } },
  });

/** Builds the permission to use models of Amazon Bedrock. */
const buildModelStatement = ({ models }: NonNullable<Settings['bedrock']>): PolicyStatement =>
  new PolicyStatement({
    actions: ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'],
    resources: models.map((model) => `arn:${Aws.PARTITION}:bedrock:${Aws.REGION}::foundation-model/${model}`),
  });

/** Builds the permissions that a route declares in `needs`. */
export function buildRouteStatements(
  route: Pick<Route, 'needs' | 'tells' | 'quota'>,
  { table, key, bucket }: Storage,
  { bedrock }: Settings,
): PolicyStatement[] {
  const { needs } = route;
  const statement = (service: string, actions: readonly string[], ...resources: string[]) =>
    new PolicyStatement({ actions: actions.map((action) => `${service}:${action}`), resources });
  const files = Object.entries(needs.files ?? {});
  return [
    ...buildRowStatements(getRows(route), table),
    ...(needs.indexes
      ? [statement('dynamodb', ['Query'], ...needs.indexes.map((name) => `${table.tableArn}/index/${name}`))]
      : []),
    ...Object.entries(needs.secrets ?? {}).map(([kind, actions]) =>
      buildSecretStatement(kind as SecretKind, actions, key.keyArn),
    ),
    ...(needs.models && bedrock ? [buildModelStatement(bedrock)] : []),
    ...files.map(([folder, actions]) => statement('s3', actions, bucket.arnForObjects(`${folder}/*`))),
    ...files.flatMap(([folder, actions]) =>
      actions.includes('GetObject') ? [buildMissingFileStatement(bucket, folder)] : [],
    ),
  ];
}

/**
 * Builds the permission to use the KMS key for one kind of secrets. It requires the full encryption context, which binds
 * a secret to its row.
 */
export function buildSecretStatement(
  kind: SecretKind,
  actions: readonly SecretAction[],
  keyArn: string,
): PolicyStatement {
  const context = secretContexts[kind];
  return new PolicyStatement({
    actions: actions.map((action) => `kms:${action}`),
    resources: [keyArn],
    conditions: {
      Null: Object.fromEntries(context.map((name) => [`kms:EncryptionContext:${name}`, 'false'])),
      'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': context },
    },
  });
}
