import { toBatches } from '../batches.ts';
import { toDue, type WaitingRow } from '../due.ts';
import { type Key, toVersionsDeletionKey, toVersionsPrefix } from '../table/keys.ts';
import { query } from '../table/table.ts';
import { type Write, write } from '../table/writes.ts';

/** Builds the write that has the versions of a deleted assistant deleted by `sweep`: one transaction may hold only 100. */
export const buildDeletionMarker = (owner: string, assistantId: string): Write => ({
  Put: {
    Item: { ...toVersionsDeletionKey(owner, assistantId), ...toDue(owner, new Date().toISOString()) },
  },
});

/** Deletes the versions of a deleted assistant, ten at a time, then their marker. One round trip per version, and two more. */
export async function deleteVersions({ owner, id, key }: WaitingRow): Promise<string> {
  const keys: Key[] = [];
  for await (const { pk, sk } of query({ ...toVersionsPrefix(owner, id), fields: ['pk', 'sk'] }))
    keys.push({ pk: String(pk), sk: String(sk) });
  for (const batch of toBatches(keys, 10)) await Promise.all(batch.map((Key) => write({ Delete: { Key } })));
  await write({ Delete: { Key: key } });
  return 'versions deleted';
}
