import { ConditionalCheckFailedException, DeleteItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { noVersions, type Versions } from '../../../../shared/domain/versions/versions.ts';
import { convertRow } from '../../../../shared/store/table/document-client.ts';
import {
  toAssistantKey,
  toAssistantsPrefix,
  toVersionsDeletionKey,
  toVersionsPrefix,
} from '../../../../shared/store/table/keys.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Row, toAttributes, toKey } from '../deployment/row.ts';
import { queryPages } from '../deployment/table.ts';

const toAssistantId = (row: Row) => toKey(row).sk.split('#')[1] ?? '';

async function listRows(deployment: Deployment, range: { pk: string; prefix: string }): Promise<Row[]> {
  const found: Row[] = [];
  for await (const { rows } of queryPages(deployment, range)) found.push(...rows);
  return found;
}

/** Lists the numbers of a user's versions by assistant. */
async function listNumbers(deployment: Deployment, owner: string): Promise<Map<string, number[]>> {
  const numbers = new Map<string, number[]>();
  for await (const { rows } of queryPages(deployment, toVersionsPrefix(owner)))
    for (const row of rows) {
      const id = toAssistantId(row);
      numbers.set(id, [...(numbers.get(id) ?? []), Number(row.version?.N)]);
    }
  return numbers;
}

/**
 * Counts the versions of a user's assistants again after an import, which may have brought back some that were deleted, or an
 * assistant from before some were published. Keeps `sweep` from deleting those of an assistant that is back. Counts again what somebody
 * changes meanwhile.
 */
export async function recountVersions(deployment: Deployment, owner: string): Promise<void> {
  const { dynamoDb, table: TableName } = deployment;
  const assistants = await listRows(deployment, toAssistantsPrefix(owner));
  const numbers = await listNumbers(deployment, owner); // after the assistants, whose condition notices versions that are new
  let hasChanged = false;
  for (const row of assistants) {
    const id = toAssistantId(row);
    const found = numbers.get(id) ?? [];
    const versions: Versions = row.versions
      ? (convertRow({ versions: row.versions }).versions as Versions)
      : noVersions;
    const [count, last] = [found.length, Math.max(versions.last, ...found)];
    if (found.length > 0)
      await dynamoDb.send(new DeleteItemCommand({ TableName, Key: toAttributes(toVersionsDeletionKey(owner, id)) }));
    if (versions.count === count && versions.last === last) continue;
    const update = new UpdateItemCommand({
      TableName,
      Key: toAttributes(toAssistantKey(owner, id)),
      UpdateExpression: 'SET versions = :versions',
      ConditionExpression: `attribute_exists(pk) AND ${row.versions ? 'versions = :read' : 'attribute_not_exists(versions)'}`,
      ExpressionAttributeValues: {
        ...marshall({ ':versions': { ...versions, count, last } }),
        ...(row.versions && { ':read': row.versions }),
      },
    });
    await dynamoDb.send(update).catch((error) => {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      hasChanged = true;
    });
  }
  if (hasChanged) await recountVersions(deployment, owner);
}
