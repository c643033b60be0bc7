import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { KeyAction, Route, TableAction } from '../shared/route.ts';
import type { Storage } from './storage.ts';

/** A right to rows whose partition key is like one of these. Null: a condition on all values holds where there are none. */
export const rowsStatement = (
  table: Storage['table'],
  actions: readonly string[],
  keys: string[],
  conditions: object = {},
) =>
  new PolicyStatement({
    actions: actions.map((action) => `dynamodb:${action}`),
    resources: [table.tableArn],
    conditions: {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
      Null: { 'dynamodb:LeadingKeys': 'false' },
      ...conditions,
    },
  });

/** Every function may look up the API key that it is called with, and note the hour of its use. */
export const apiKeyUse = ({ needs }: Route, { table }: Storage) => [
  rowsStatement(table, ['GetItem'], ['KEY#*']),
  // But nothing else of it, unless it changes keys anyway.
  ...(needs.apiKeys?.includes('UpdateItem')
    ? []
    : [
        rowsStatement(table, ['UpdateItem'], ['KEY#*'], {
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'last_used_at'] },
        }),
      ]),
];

/**
 * The rights to rows of users and of API keys. An action on both has one statement for both: a transaction names rows of either
 * kind, and AWS does not say whether a statement must cover all of them.
 */
function rowStatements({ table: ofUsers = [], apiKeys: ofKeys = [] }: Route['needs'], table: Storage['table']) {
  const onBoth = ofUsers.filter((action) => ofKeys.includes(action));
  const rights: [actions: readonly TableAction[], keys: string[]][] = [
    [ofUsers.filter((action) => !onBoth.includes(action)), ['USER#*']],
    [ofKeys.filter((action) => !onBoth.includes(action)), ['KEY#*']],
    [onBoth, ['USER#*', 'KEY#*']],
  ];
  return rights.flatMap(([actions, keys]) => (actions.length > 0 ? [rowsStatement(table, actions, keys)] : []));
}

/** The rights that a route's `needs` name. */
export function statementsOf({ needs }: Route, { table, key, bucket }: Storage): PolicyStatement[] {
  const statement = (service: string, actions: readonly string[], ...resources: string[]) =>
    new PolicyStatement({ actions: actions.map((action) => `${service}:${action}`), resources });
  const files = Object.entries(needs.files ?? {});
  return [
    ...rowStatements(needs, table),
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
