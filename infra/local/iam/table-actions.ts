import { type Assembly, toArn } from '../template.ts';
import type { AccessRequest } from './policy.ts';

/** Name of the partition key, by the ARN of its table or index. */
export type PartitionKeys = Map<string, string>;

interface Schema {
  KeySchema: { AttributeName: string; KeyType: string }[];
}

/** Returns the partition keys of all tables and indexes of the templates. */
export function getPartitionKeys(assembly: Assembly): PartitionKeys {
  const hash = ({ KeySchema }: Schema) => KeySchema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
  return new Map(
    assembly.listResources('AWS::DynamoDB::GlobalTable').flatMap(({ id, stack, Properties }) => {
      const table = Properties as unknown as Schema & { GlobalSecondaryIndexes?: (Schema & { IndexName: string })[] };
      const arn = String(assembly.resolve({ 'Fn::GetAtt': [id, 'Arn'] }, stack));
      const indexes = (table.GlobalSecondaryIndexes ?? []).map(
        (index) => [`${arn}/index/${index.IndexName}`, hash(index)] as const,
      );
      return [[arn, hash(table)] as const, ...indexes];
    }),
  );
}

type Item = Record<string, Record<string, unknown>>;

/** A request to DynamoDB, or one operation of a transaction. */
interface TableOperation {
  TableName: string;
  IndexName?: string;
  Key?: Item;
  Item?: Item;
  UpdateExpression?: string;
  ConditionExpression?: string;
  KeyConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Item;
}

interface Batch {
  RequestItems: Record<string, { Keys: Item[] }>;
}

interface Transaction {
  TransactItems: Record<string, TableOperation>[];
}

const keywords = ['SET', 'REMOVE', 'ADD', 'DELETE', 'AND', 'OR', 'NOT', 'IN', 'BETWEEN'];

/** Lists the top-level attribute names in an expression, or their placeholders: no nested names, functions, keywords, values and indexes. */
const listNames = (expression: string): string[] =>
  [...expression.matchAll(/(\.\s*)?([#:]?\w+)(\s*\()?/g)]
    .filter(([, nested, , call]) => !nested && !call)
    .map(([, , name = '']) => name)
    .filter((name) => !/^(?::|\d+$)/.test(name) && !keywords.includes(name.toUpperCase()));

/** Lists the attributes that an update uses, including those of its key. */
function listAttributes({
  Key = {},
  UpdateExpression,
  ConditionExpression,
  ExpressionAttributeNames,
}: TableOperation): string[] {
  const named = listNames(`${UpdateExpression ?? ''} ${ConditionExpression ?? ''}`);
  return [...new Set([...Object.keys(Key), ...named.map((name) => ExpressionAttributeNames?.[name] ?? name)])];
}

const toStrings = (value: Record<string, unknown> | undefined): string[] => Object.values(value ?? {}).map(String);

/** Parameters that expressions have replaced. DynamoDB still takes them, and no code here sends them. */
const legacyParameters = [
  'AttributesToGet',
  'AttributeUpdates',
  'ConditionalOperator',
  'Expected',
  'KeyConditions',
  'QueryFilter',
  'ScanFilter',
];

/** Maximum length of an expression in DynamoDB, in bytes. */
const maxExpressionLength = 4_096;

/** True if a request has parameters that no code here sends, and that DynamoDB may reject or the emulator may parse differently. */
function isUnusual(access: TableOperation): boolean {
  const expressions = [access.UpdateExpression, access.ConditionExpression, access.KeyConditionExpression];
  return (
    legacyParameters.some((parameter) => parameter in access) ||
    Object.keys(access.ExpressionAttributeNames ?? {}).some((name) => !/^#\w+$/.test(name)) ||
    expressions.some((text = '') => text.length > maxExpressionLength || !/^[\t\n\r -~]*$/.test(text)) ||
    /[.[]/.test(access.KeyConditionExpression ?? '')
  );
}

/** An operation with its name: `Query`, or a part of a transaction or batch, such as `PutItem`. */
type NamedOperation = [name: string, operation: TableOperation];

/** Lists the partition key values in what an operation reads: an item, the condition of a query, or a key. */
function listLeadingKeys(partitionKey: string, [name, { Key, Item, ...query }]: NamedOperation): string[] {
  if (name !== 'Query') return toStrings((name === 'PutItem' ? Item : Key)?.[partitionKey]);
  const equations = (query.KeyConditionExpression ?? '').matchAll(/(?<![\w#.])(#?\w+)\s*=\s*(:\w+)/g);
  return [...equations]
    .filter(([, left = '']) => (query.ExpressionAttributeNames?.[left] ?? left) === partitionKey)
    .flatMap(([, , value = '']) => toStrings(query.ExpressionAttributeValues?.[value]));
}

/**
 * Lists every access that a request to DynamoDB needs. Each operation of a transaction needs its own permission, and that permission
 * must cover the keys of all operations, because AWS does not document that the operation's own keys are enough. An unusual request needs
 * an action that no policy can grant.
 */
export function listTableAccessRequests(
  operation: string,
  input: unknown,
  partitionKeys: PartitionKeys,
): AccessRequest[] {
  const toAccessRequest = ([name, access]: NamedOperation, all: NamedOperation[]): AccessRequest => {
    const { TableName, IndexName } = access;
    const table = toArn('dynamodb', `table/${TableName}`);
    const resource = IndexName ? `${table}/index/${IndexName}` : table;
    const keys = all.flatMap((one) => listLeadingKeys(partitionKeys.get(resource) ?? '', one));
    const context = {
      ...(keys.length > 0 && { 'dynamodb:LeadingKeys': [...new Set(keys)] }),
      ...(name === 'UpdateItem' && { 'dynamodb:Attributes': listAttributes(access) }),
    };
    return { action: `dynamodb:${name}${isUnusual(access) ? ' with unusual parameters' : ''}`, resource, context };
  };
  if (operation === 'TransactWriteItems') {
    const all = (input as Transaction).TransactItems.flatMap((item) =>
      Object.entries(item).map(
        ([kind, access]): NamedOperation => [kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`, access],
      ),
    );
    return all.map((one) => toAccessRequest(one, [one, ...all]));
  }
  if (operation === 'BatchGetItem')
    return Object.entries((input as Batch).RequestItems).map(([TableName, { Keys, ...others }]) =>
      toAccessRequest(
        [operation, { ...others, TableName }],
        Keys.map((Key) => [operation, { TableName, Key }]),
      ),
    );
  const one: NamedOperation = [operation, input as TableOperation];
  return [toAccessRequest(one, [one])];
}
