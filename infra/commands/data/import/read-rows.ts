import { toPrintableLine } from '../../../../shared/domain/printable.ts';
import { parseUsageKey } from '../../../../shared/store/table/keys.ts';
import { UserError } from '../../../terminal/user-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findKind, hasValidIds, type Kind, listNamedFiles, toCurrentRow } from '../deployment/kinds.ts';
import { type Row, toKey } from '../deployment/row.ts';
import { compareRows } from '../deployment/write-rows.ts';
import { type Manifest, readItems } from '../export/export-folder.ts';
import { toBatches } from '../in-parallel.ts';
import { isOwnFile } from './compare-files.ts';

/** Owner who gets the data: the key, and a user's `sub` if it is known. */
export interface Target {
  owner: string;
  user: string | null;
}

/**
 * Reads the rows to import. Calls `onSkip` for those that the target cannot use. Throws UserError if a row belongs to
 * somebody else, names a file of somebody else, or has an id that the service would not give.
 */
export async function* readRows(
  { key }: Deployment,
  dir: string,
  manifest: Manifest,
  { owner, user }: Target,
  keptDays: ReadonlySet<string> = new Set(),
  onSkip: (kind: Kind, row: Row) => void = () => {},
): AsyncGenerator<Row> {
  const encrypted: Kind[] = ['credential', 'webhook', 'webhook set', 'delivery', 'replay'];
  const keys: Kind[] = ['API key', 'listed API key'];
  const personal: Kind[] = [...encrypted, ...keys, 'idempotency record', 'event', 'job', 'turn of a job'];
  const skippedKinds: Kind[] = owner !== manifest.owner ? personal : key !== manifest.key ? encrypted : [];
  // The owner is a hash of 256 bits, so it occurs nowhere by accident: replace it in keys, indexes and file names.
  for await (const stored of readItems(dir, (line) => line.replaceAll(manifest.owner, owner))) {
    const row = toCurrentRow(stored);
    const kind = findKind(owner, row);
    if (!kind)
      throw new UserError(
        `items.jsonl has a row of another user (${toPrintableLine(toKey(row).pk)}): nothing was written`,
      );
    const foreign = listNamedFiles(owner, row).find((path) => !isOwnFile(owner, path));
    if (foreign !== undefined)
      throw new UserError(
        `items.jsonl has a row with a file of another user (${toPrintableLine(foreign)}): nothing was written`,
      );
    if (!hasValidIds(kind, row))
      throw new UserError(
        `items.jsonl has a row whose id is not one of this service (${toPrintableLine(toKey(row).sk)}): nothing was written`,
      );
    if (kind === 'usage' && keptDays.has(toUsageDay(row))) continue;
    if (skippedKinds.includes(kind)) onSkip(kind, row);
    else if (kind !== 'count' && kind !== 'API key count') yield owner === manifest.owner ? row : changeUser(row, user); // counts are rebuilt
  }
}

const toUsageDay = (row: Row) => parseUsageKey(toKey(row).sk).day;

/**
 * Lists the days whose usage exists and differs from the export: calls were counted since. They stay as they are, since sums of one
 * day cannot be told apart.
 */
export async function listKeptDays(deployment: Deployment, dir: string, manifest: Manifest, target: Target) {
  const days = new Set<string>();
  for await (const batch of toBatches(readRows(deployment, dir, manifest, target), 100)) {
    const usage = batch.filter((row) => findKind(target.owner, row) === 'usage');
    if (usage.length === 0) continue;
    for (const row of (await compareRows(deployment, usage)).different) days.add(toUsageDay(row));
  }
  return days;
}

/** Returns a row without the id of its former user. Versions name the new one; in a workspace, they go on naming who published them. */
function changeUser({ user_id: _, ...row }: Row, user: string | null): Row {
  if (user === null) return row;
  const live = row.versions?.M?.live?.M;
  const named = { S: user };
  return {
    ...row,
    ...(row.published_by && { published_by: named }),
    ...(live && { versions: { M: { ...row.versions?.M, live: { M: { ...live, changed_by: named } } } } }),
  };
}
