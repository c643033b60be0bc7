import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { KeyAction, Route, TableAction } from '../shared/route.ts';
import { type RowKind, toKeyPattern } from '../shared/store/keys.ts';
import type { Storage } from './storage.ts';

/** A right to rows of some kinds. Null: a condition on all values holds where there are none. */
const rowsStatement = (
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

/** Calls that only read. */
const reads = ['GetItem', 'BatchGetItem', 'Query'] as const satisfies TableAction[];

const isWrite = (action: TableAction) => !reads.some((read) => read === action);

const kindsWith = (rows: Rows, isMade: (action: TableAction) => boolean): RowKind[] =>
  (Object.keys(rows) as RowKind[]).filter((kind) => rows[kind]?.some(isMade));

/**
 * Returns the writing calls of a function with all kinds that it writes. They share one right: a transaction names rows of several
 * kinds, and AWS does not say whether the right to one part must cover the rows of the others.
 */
function writesOf(rows: Rows): { actions: TableAction[]; kinds: RowKind[] } {
  const actions = new Set(Object.values(rows).flat().filter(isWrite));
  return { actions: [...actions], kinds: kindsWith(rows, isWrite) };
}

/** Returns the rights of a function to rows: one for each reading call, and one for all writing calls. */
export function rowStatements(rows: Rows, table: Storage['table']): PolicyStatement[] {
  const { actions, kinds } = writesOf(rows);
  const rights: [readonly TableAction[], RowKind[]][] = [
    ...reads.map((read): [[TableAction], RowKind[]] => [[read], kindsWith(rows, (action) => action === read)]),
    [actions, kinds],
  ];
  return rights.flatMap(([actions, kinds]) => (kinds.length > 0 ? [rowsStatement(table, actions, kinds)] : []));
}

/** Every function may look up the API key that it is called with, and note the hour of its use. */
export function apiKeyUse({ needs: { rows = {} } }: Route, { table }: Storage): PolicyStatement[] {
  const { actions, kinds } = writesOf(rows);
  const changesKeys = actions.includes('UpdateItem') && kinds.includes('keys');
  const lastUse = { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'last_used_at'] } };
  return [
    rowsStatement(table, ['GetItem'], ['keys']),
    // But nothing else of it, unless it changes keys anyway.
    ...(changesKeys ? [] : [rowsStatement(table, ['UpdateItem'], ['keys'], lastUse)]),
  ];
}

/** The rights that a route's `needs` name. */
export function statementsOf({ needs }: Route, { table, key, bucket }: Storage): PolicyStatement[] {
  const statement = (service: string, actions: readonly string[], ...resources: string[]) =>
    new PolicyStatement({ actions: actions.map((action) => `${service}:${action}`), resources });
  const files = Object.entries(needs.files ?? {});
  return [
    ...rowStatements(needs.rows ?? {}, table),
    ...(needs.indexes
      ? [statement('dynamodb', ['Query'], ...needs.indexes.map((name) => `${table.tableArn}/index/${name}`))]
      : []),
    ...(needs.key ? [keyStatement(needs.key, key.keyArn)] : []),
    ...files.map(([folder, actions]) => statement('s3', actions, bucket.arnForObjects(`${folder}/*`))),
    // Without it S3 says 'forbidden' of an object that is not there.
    ...(files.some(([, actions]) => actions.includes('GetObject'))
      ? [statement('s3', ['ListBucket'], bucket.bucketArn)]
      : []),
  ];
}

/** The key of the credentials may be used only with all of the context that binds a credential to its row. */
function keyStatement(actions: readonly KeyAction[], keyArn: string): PolicyStatement {
  const context = ['user', 'service', 'name'];
  return new PolicyStatement({
    actions: actions.map((action) => `kms:${action}`),
    resources: [keyArn],
    conditions: {
      Null: Object.fromEntries(context.map((name) => [`kms:EncryptionContext:${name}`, 'false'])),
      'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': context },
    },
  });
}
