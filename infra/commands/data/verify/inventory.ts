import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { usageSums } from '../../../../shared/domain/usage.ts';
import { listFolderPrefixes } from '../../../../shared/store/files/folders.ts';
import type { Key } from '../../../../shared/store/table/keys.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findKind, findRowOwner, type Kind, listAllPartitions, listNamedFiles } from '../deployment/kinds.ts';
import { type Row, toKey } from '../deployment/row.ts';
import { getRows, queryPages, readApiKeyRows, scanRows } from '../deployment/table.ts';
import { toBatches } from '../in-parallel.ts';

/**
 * Attributes that refer to other rows, to files or to time. Only these are kept, so that a large table fits into
 * memory.
 */
const summaryAttributes = [
  ...['id', 'attachments', 'assistants', 'deleting', 'status', 'deadline', 'sha256', 'file', 'telling', 'session_id'],
  ...['sessions', 'living', 'hash', 'valid_until', 'expires_at', 'type', 'status_reason', 'due', 'created_at'],
  ...['by-due', 'webhook_id', 'ids', 'version', 'versions'],
  ...usageSums,
];

/** Row reduced to these attributes, and the files it names. */
export interface RowSummary extends Key {
  [attribute: string]: unknown;
  namedFiles: string[];
}

/** Rows and files of one user. */
export interface UserInventory {
  owner: string;
  rows: Map<Kind, RowSummary[]>;
  /** Time of the last write in milliseconds since 1970, by path. */
  files: Map<string, number>;
}

/** Inspects a row with all its attributes. */
export type InspectRow = (owner: string, kind: Kind, row: Row) => void | Promise<void>;

const createInventory = (owner: string): UserInventory => ({ owner, rows: new Map(), files: new Map() });

/** Reads a number: exactly if it is whole, as sums may be beyond 2^53. */
function readNumber(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : BigInt(text);
}

function summarizeRow(owner: string, row: Row): RowSummary {
  const kept = Object.fromEntries(summaryAttributes.flatMap((name) => (row[name] ? [[name, row[name]]] : [])));
  return { ...unmarshall(kept, { wrapNumbers: readNumber }), ...toKey(row), namedFiles: listNamedFiles(owner, row) };
}

async function addRow(inventory: UserInventory, row: Row, inspect: InspectRow): Promise<void> {
  const kind = findKind(inventory.owner, row) ?? 'other';
  await inspect(inventory.owner, kind, row);
  const rows = inventory.rows.get(kind) ?? [];
  inventory.rows.set(kind, rows);
  rows.push(summarizeRow(inventory.owner, row));
}

interface ListedFile {
  path: string;
  modifiedAt: number;
}

async function* listFiles({ s3, bucket }: Deployment, Prefix?: string): AsyncGenerator<ListedFile[]> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket: bucket, Prefix }))
    yield Contents.map(({ Key = '', LastModified }) => ({ path: Key, modifiedAt: LastModified?.getTime() ?? 0 }));
}

/** Loads a user's rows and files: their partitions and folders, the API keys on their list, and those in `known`. */
export async function loadInventory(
  deployment: Deployment,
  owner: string,
  inspect: InspectRow,
  known: Key[] = [],
): Promise<UserInventory> {
  const inventory = createInventory(owner);
  for (const pk of listAllPartitions(owner))
    for await (const { rows } of queryPages(deployment, { pk }))
      for (const row of rows) await addRow(inventory, row, inspect);
  for await (const rows of readApiKeyRows(deployment, owner))
    for (const row of rows) await addRow(inventory, row, inspect);
  const listed = new Set(inventory.rows.get('API key')?.map(({ pk }) => pk));
  for await (const keys of toBatches(known, 100))
    for (const row of await getRows(deployment, keys))
      if (!listed.has(toKey(row).pk)) await addRow(inventory, row, inspect);
  for (const folder of listFolderPrefixes(owner))
    for await (const found of listFiles(deployment, folder))
      for (const { path, modifiedAt } of found) inventory.files.set(path, modifiedAt);
  return inventory;
}

export interface FullInventory {
  users: Map<string, UserInventory>;
  rows: number;
  files: number;
  /** Rows and files without an owner, by key and by path. */
  unowned: string[];
}

/** Loads the rows and files of all users. Scans the table, and lists the whole bucket. */
export async function loadFullInventory(
  deployment: Deployment,
  inspect: InspectRow,
  onProgress: (count: number) => void,
): Promise<FullInventory> {
  const all: FullInventory = { users: new Map(), rows: 0, files: 0, unowned: [] };
  const getInventory = (owner: string): UserInventory => {
    const inventory = all.users.get(owner) ?? createInventory(owner);
    all.users.set(owner, inventory);
    return inventory;
  };
  for await (const rows of scanRows(deployment)) {
    for (const row of rows) {
      const owner = findRowOwner(row);
      if (owner === undefined) all.unowned.push(Object.values(toKey(row)).join(' '));
      else await addRow(getInventory(owner), row, inspect);
    }
    all.rows += rows.length;
    onProgress(all.rows);
  }
  for await (const found of listFiles(deployment)) {
    for (const { path, modifiedAt } of found) {
      const [, owner = ''] = path.split('/');
      if (listFolderPrefixes(owner).some((folder) => path.startsWith(folder)))
        getInventory(owner).files.set(path, modifiedAt);
      else all.unowned.push(path);
    }
    all.files += found.length;
  }
  return all;
}
