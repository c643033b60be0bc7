import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { foldersOf } from '../../shared/store/folders.ts';
import type { Key } from '../../shared/store/keys.ts';
import { groups } from './in-parallel.ts';
import { allPartitionsOf, filesNamedBy, holderOf, type Kind, kindOf } from './kinds.ts';
import type { Place } from './place.ts';
import { keyOf, type Row } from './row.ts';
import { apiKeyRows, pagesOf, rowsAt, scanRows } from './table.ts';

/** What of a row ties it to other rows, to files and to time. The rest is not kept, so that many fit into memory. */
const ties = [
  ...['id', 'attachments', 'assistants', 'deleting', 'status', 'deadline', 'sha256', 'file', 'telling', 'session_id'],
  ...['sessions', 'living', 'hash', 'valid_until', 'expires_at'],
];

/** A row by its ties, and the files that it names. */
export interface Tied extends Key {
  [attribute: string]: unknown;
  names: string[];
}

/** What lies in the table and the bucket of one user. */
export interface Held {
  owner: string;
  rows: Map<Kind, Tied[]>;
  /** When each file was written last, in milliseconds since 1970, by its path. */
  files: Map<string, number>;
}

/** Hears of each row while it is whole. */
export type Look = (owner: string, kind: Kind, row: Row) => void | Promise<void>;

const nothingOf = (owner: string): Held => ({ owner, rows: new Map(), files: new Map() });

function tied(owner: string, row: Row): Tied {
  const kept = Object.fromEntries(ties.flatMap((name) => (row[name] ? [[name, row[name]]] : [])));
  return { ...unmarshall(kept), ...keyOf(row), names: filesNamedBy(owner, row) };
}

async function keep(held: Held, row: Row, look: Look): Promise<void> {
  const kind = kindOf(held.owner, row) ?? 'other';
  await look(held.owner, kind, row);
  const rows = held.rows.get(kind) ?? [];
  held.rows.set(kind, rows);
  rows.push(tied(held.owner, row));
}

interface Found {
  path: string;
  modifiedAt: number;
}

async function* filesIn({ s3, bucket }: Place, Prefix?: string): AsyncGenerator<Found[]> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket: bucket, Prefix }))
    yield Contents.map(({ Key = '', LastModified }) => ({ path: Key, modifiedAt: LastModified?.getTime() ?? 0 }));
}

/** What one user holds: their partitions and folders, and the API keys that their list leads to or that are `known`. */
export async function heldBy(place: Place, owner: string, look: Look, known: Key[] = []): Promise<Held> {
  const held = nothingOf(owner);
  for (const pk of allPartitionsOf(owner))
    for await (const { rows } of pagesOf(place, { pk })) for (const row of rows) await keep(held, row, look);
  for await (const rows of apiKeyRows(place, owner)) for (const row of rows) await keep(held, row, look);
  const listed = new Set(held.rows.get('API key')?.map(({ pk }) => pk));
  for await (const keys of groups(known, 100))
    for (const row of await rowsAt(place, keys)) if (!listed.has(keyOf(row).pk)) await keep(held, row, look);
  for (const folder of foldersOf(owner))
    for await (const found of filesIn(place, folder))
      for (const { path, modifiedAt } of found) held.files.set(path, modifiedAt);
  return held;
}

export interface Everything {
  users: Map<string, Held>;
  rows: number;
  files: number;
  /** Rows and files that are no user's, by key and by path. */
  nobodys: string[];
}

/** What everybody holds. Scans the table, and lists the whole bucket. */
export async function heldByAll(place: Place, look: Look, tell: (count: number) => void): Promise<Everything> {
  const all: Everything = { users: new Map(), rows: 0, files: 0, nobodys: [] };
  const heldOf = (owner: string): Held => {
    const held = all.users.get(owner) ?? nothingOf(owner);
    all.users.set(owner, held);
    return held;
  };
  for await (const rows of scanRows(place)) {
    for (const row of rows) {
      const owner = holderOf(row);
      if (owner === undefined) all.nobodys.push(Object.values(keyOf(row)).join(' '));
      else await keep(heldOf(owner), row, look);
    }
    all.rows += rows.length;
    tell(all.rows);
  }
  for await (const found of filesIn(place)) {
    for (const { path, modifiedAt } of found) {
      const [, owner = ''] = path.split('/');
      if (foldersOf(owner).some((folder) => path.startsWith(folder))) heldOf(owner).files.set(path, modifiedAt);
      else all.nobodys.push(path);
    }
    all.files += found.length;
  }
  return all;
}
