import type { Deed } from './gate.ts';
import { type Assembly, arnOf } from './template.ts';

/** The names of partition keys by the ARN of the table or index. */
export type PartitionKeys = Map<string, string>;

interface Schema {
  KeySchema: { AttributeName: string; KeyType: string }[];
}

/** The partition keys of all tables and indexes of the templates. */
export function partitionKeysOf(assembly: Assembly): PartitionKeys {
  const hash = ({ KeySchema }: Schema) => KeySchema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
  return new Map(
    assembly.resources('AWS::DynamoDB::GlobalTable').flatMap(({ id, stack, Properties }) => {
      const table = Properties as unknown as Schema & { GlobalSecondaryIndexes?: (Schema & { IndexName: string })[] };
      const arn = String(assembly.value({ 'Fn::GetAtt': [id, 'Arn'] }, stack));
      const indexes = (table.GlobalSecondaryIndexes ?? []).map(
        (index) => [`${arn}/index/${index.IndexName}`, hash(index)] as const,
      );
      return [[arn, hash(table)] as const, ...indexes];
    }),
  );
}

type Item = Record<string, Record<string, unknown>>;

/** What is read of a request to DynamoDB, or of a part of a transaction. */
interface Access {
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
  TransactItems: Record<string, Access>[];
}

/** The names of attributes in an expression, those inside of other attributes, functions and keywords left out. */
const nameIn = /(?<![.:\w#[])(?!(?:SET|REMOVE|ADD|DELETE|AND|OR|NOT|IN|BETWEEN)\b)#?[A-Za-z_]\w*(?!\w*\s*\()/gi;

/** The attributes that an update touches, its key's included. */
function attributesOf({ Key = {}, UpdateExpression, ConditionExpression, ExpressionAttributeNames }: Access): string[] {
  const text = `${UpdateExpression ?? ''} ${ConditionExpression ?? ''}`;
  const named = (text.match(nameIn) ?? []).map((name) => ExpressionAttributeNames?.[name] ?? name);
  return [...new Set([...Object.keys(Key), ...named])];
}

const textOf = (value: Record<string, unknown> | undefined): string[] => Object.values(value ?? {}).map(String);

/** The partition key that a request names: in a key, an item, or the condition of a query. */
function leadingKeys(name: string, { Key, Item, ...query }: Access): string[] {
  const item = Key ?? Item;
  if (item) return textOf(item[name]);
  const equations = [...(query.KeyConditionExpression ?? '').matchAll(/(#?\w+)\s*=\s*(:\w+)/g)];
  const [, , value = ''] =
    equations.find(([, left = '']) => (query.ExpressionAttributeNames?.[left] ?? left) === name) ?? [];
  return textOf(query.ExpressionAttributeValues?.[value]);
}

/**
 * What a request to DynamoDB does. Each part of a transaction needs a right of its own, which covers the keys of all parts: AWS does
 * not say that those of one part are enough.
 */
export function tableDeeds(operation: string, input: unknown, partitionKeys: PartitionKeys): Deed[] {
  const deedOf = (name: string, ...accesses: [Access, ...Access[]]): Deed => {
    const [{ TableName, IndexName }] = accesses;
    const table = arnOf('dynamodb', `table/${TableName}`);
    const resource = IndexName ? `${table}/index/${IndexName}` : table;
    const keys = accesses.flatMap((access) => leadingKeys(partitionKeys.get(resource) ?? '', access));
    const context = {
      ...(keys.length > 0 && { 'dynamodb:LeadingKeys': [...new Set(keys)] }),
      ...(name === 'UpdateItem' && { 'dynamodb:Attributes': attributesOf(accesses[0]) }),
    };
    return { action: `dynamodb:${name}`, resource, context };
  };
  if (operation === 'TransactWriteItems') {
    const parts = (input as Transaction).TransactItems.flatMap((part) => Object.entries(part));
    const all = parts.map(([, access]) => access);
    return parts.map(([kind, access]) =>
      deedOf(kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`, access, ...all),
    );
  }
  if (operation === 'BatchGetItem')
    return Object.entries((input as Batch).RequestItems).map(([TableName, { Keys }]) =>
      deedOf(operation, { TableName }, ...Keys.map((Key) => ({ TableName, Key }))),
    );
  return [deedOf(operation, input as Access)];
}
