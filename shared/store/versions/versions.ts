import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { takeFirst } from '../../domain/page.ts';
import { completeContent } from '../../domain/versions/content.ts';
import {
  type StoredShare,
  type StoredVersion,
  type VersionFacts,
  versionNotFound,
} from '../../domain/versions/versions.ts';
import { Unavailable } from '../../errors.ts';
import type { AssistantContent } from '../../schemas/assistant.ts';
import { toVersionKey, toVersionsPrefix } from '../table/keys.ts';
import { logUnreadable } from '../table/log-unreadable.ts';
import { Outdated } from '../table/retry-on-conflict.ts';
import { getAll, get as getItem, query, type Row } from '../table/table.ts';
import type { Write } from '../table/writes.ts';

const toFacts = ({ pk: _, sk: __, content: ___, ...facts }: Row) => facts as unknown as VersionFacts;

/** Reads the content of a version. Throws Unavailable if it is damaged: an older version or the draft must not take its place. */
function toContent(row: Row): AssistantContent {
  try {
    return completeContent(JSON.parse(zstdDecompressSync(row.content as Uint8Array).toString()));
  } catch (error) {
    logUnreadable(row, error);
    throw new Unavailable({ cause: error });
  }
}

const fromRow = (row: Row): StoredVersion => ({ ...toFacts(row), content: toContent(row) });

/** Builds the write that stores a version. */
export function buildVersionWrite(owner: string, assistantId: string, { content, ...facts }: StoredVersion): Write {
  const packed = zstdCompressSync(Buffer.from(JSON.stringify(content)));
  return {
    Put: {
      Item: { ...toVersionKey(owner, assistantId, facts.version), ...facts, content: packed },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    toError: () => new Outdated(),
  };
}

/** Builds the write that deletes a version. It fails with NotFound if the version does not exist. */
export const buildVersionDeletion = (owner: string, assistantId: string, version: number): Write => ({
  Delete: {
    Key: toVersionKey(owner, assistantId, version),
    ConditionExpression: 'attribute_exists(pk)',
  },
  toError: () => versionNotFound('path', 'version'),
});

/** Lists the versions of an assistant, newest first, starting after the number `before`. One round trip per megabyte read. */
export async function* list(
  owner: string,
  assistantId: string,
  before?: string,
  pageSize?: number,
): AsyncGenerator<VersionFacts> {
  const after = before === undefined ? undefined : toVersionKey(owner, assistantId, Number(before)).sk;
  for await (const row of query({ ...toVersionsPrefix(owner, assistantId), after, pageSize })) yield toFacts(row);
}

/** Returns the newest version before another, or of all, if there is one. One round trip. */
export const findNewest = async (
  owner: string,
  assistantId: string,
  before?: string,
): Promise<VersionFacts | undefined> => (await takeFirst(list(owner, assistantId, before, 1), 1))[0];

/** Returns those of the versions that exist. One round trip. */
export const getMany = async (
  owner: string,
  assistantId: string,
  versions: readonly number[],
): Promise<VersionFacts[]> =>
  (await getAll(versions.map((version) => toVersionKey(owner, assistantId, version)))).map(toFacts);

/** Returns a version, undefined if it does not exist. One round trip. Throws Unavailable if it is damaged. */
export async function find(owner: string, assistantId: string, version: number): Promise<StoredVersion | undefined> {
  const row = await getItem(toVersionKey(owner, assistantId, version));
  return row && fromRow(row);
}

/** Number of versions that a function keeps in memory. */
const maxCached = 50;

/** Rows of versions by key and digest, the least recently used at the front. Parsed, one could take 20 times the memory. */
const cached = new Map<string, Row>();

/** Returns a live version, undefined if it does not exist. No round trip if this function has read it before. */
export async function findLive(
  owner: string,
  assistantId: string,
  { version, digest }: StoredShare,
): Promise<StoredVersion | undefined> {
  const name = `${owner} ${assistantId} ${version} ${digest}`;
  const row = cached.get(name) ?? (await getItem(toVersionKey(owner, assistantId, version)));
  if (row?.digest !== digest) return undefined;
  const found = fromRow(row);
  cached.delete(name);
  cached.set(name, row);
  const [oldest] = cached.keys();
  if (cached.size > maxCached && oldest !== undefined) cached.delete(oldest);
  return found;
}
