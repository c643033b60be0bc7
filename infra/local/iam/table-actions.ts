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
  /** Older forms of an update and its condition. */
  AttributeUpdates?: Item;
  Expected?: Item;
  ExpressionAttributeValues?: Item;
}

interface Batch {
  RequestItems: Record<string, { Keys: Item[] }>;
}

interface Transaction {
  TransactItems: Record<string, TableOperation>[];
}

/** Matches top-level attribute names in an expression. Skips nested attributes, functions and keywords. */
const attributeName =
  /(?<![.:\w#[])(?!(?:SET|REMOVE|ADD|DELETE|AND|OR|NOT|IN|BETWEEN)\b)(?:#\w+|[A-Za-z_]\w*)(?!\w*\s*\()/gi;

/** Lists the attributes that an update uses, including those of its key. */
function listAttributes({
  Key = {},
  UpdateExpression,
  ConditionExpression,
  ExpressionAttributeNames,
  AttributeUpdates = {},
  Expected = {},
}: TableOperation): string[] {
  const text = `${UpdateExpression ?? ''} ${ConditionExpression ?? ''}`;
  const named = (text.match(attributeName) ?? []).map((name) => ExpressionAttributeNames?.[name] ?? name);
  return [...new Set([Key, AttributeUpdates, Expected].flatMap(Object.keys).concat(named))];
}

const toStrings = (value: Record<string, unknown> | undefined): string[] => Object.values(value ?? {}).map(String);

/** Lists the partition key values in a key, an item and a query's key condition, whichever of them the operation reads. */
function listLeadingKeys(name: string, { Key, Item, ...query }: TableOperation): string[] {
  const equations = [...(query.KeyConditionExpression ?? '').matchAll(/(#?\w+)\s*=\s*(:\w+)/g)];
  const [, , value = ''] =
    equations.find(([, left = '']) => (query.ExpressionAttributeNames?.[left] ?? left) === name) ?? [];
  return [Key?.[name], Item?.[name], query.ExpressionAttributeValues?.[value]].flatMap(toStrings);
}

/**
 * Lists every access that a request to DynamoDB needs. Each operation of a transaction needs its own permission, and that permission
 * must cover the keys of all operations, because AWS does not document that the operation's own keys are enough.
 */
export function listTableAccessRequests(
  operation: string,
  input: unknown,
  partitionKeys: PartitionKeys,
): AccessRequest[] {
  const toAccessRequest = (name: string, ...accesses: [TableOperation, ...TableOperation[]]): AccessRequest => {
    const [{ TableName, IndexName }] = accesses;
    const table = toArn('dynamodb', `table/${TableName}`);
    const resource = IndexName ? `${table}/index/${IndexName}` : table;
    const keys = accesses.flatMap((access) => listLeadingKeys(partitionKeys.get(resource) ?? '', access));
    const context = {
      ...(keys.length > 0 && { 'dynamodb:LeadingKeys': [...new Set(keys)] }),
      ...(name === 'UpdateItem' && { 'dynamodb:Attributes': listAttributes(accesses[0]) }),
    };
    return { action: `dynamodb:${name}`, resource, context };
  };
  if (operation === 'TransactWriteItems') {
    const operations = (input as Transaction).TransactItems.flatMap((item) => Object.entries(item));
    const all = operations.map(([, access]) => access);
    return operations.map(([kind, access]) =>
      toAccessRequest(kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`, access, ...all),
    );
  }
  if (operation === 'BatchGetItem')
    return Object.entries((input as Batch).RequestItems).map(([TableName, { Keys }]) =>
      toAccessRequest(operation, { TableName }, ...Keys.map((Key) => ({ TableName, Key }))),
    );
  return [toAccessRequest(operation, input as TableOperation)];
}
