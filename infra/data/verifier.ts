import { setTimeout as sleep } from 'node:timers/promises';
import type { Key } from '../../shared/store/keys.ts';
import type { Say } from '../progress.ts';
import { isDecryptable, isReadable, isReadableFile } from './contents.ts';
import { type Held, heldBy, heldByAll, type Look } from './held.ts';
import { filesTogether, inParallel } from './in-parallel.ts';
import type { Place } from './place.ts';
import { keyOf } from './row.ts';
import { type Clock, type Finding, faultsOf, leftoversOf } from './rules.ts';

export interface Wish {
  /** Rows and files that are younger may be under way, in milliseconds. */
  graceMs: number;
  /** Whether keys of third-party services are decrypted. It needs the right to, and KMS writes each down. */
  secrets: boolean;
}

export interface Verdict {
  rows: number;
  files: number;
  users: number;
  faults: Finding[];
  /** What may lie there by design. */
  leftovers: Finding[];
}

const unreadable = 'what is packed in a row or a file cannot be read';
const undecryptable = 'a secret does not decrypt';

/** Looks into rows while they are whole. `findings` has what it found, by user. */
function inspector(place: Place, { secrets }: Wish) {
  const findings = new Map<string, Finding[]>();
  const look: Look = async (owner, kind, row) => {
    const where = Object.values(keyOf(row)).join(' ');
    const report = (rule: string) => findings.set(owner, [...(findings.get(owner) ?? []), { rule, where }]);
    if (!isReadable(kind, row)) report(unreadable);
    if (secrets && kind === 'credential' && !(await isDecryptable(place, owner, row))) report(undecryptable);
  };
  return { look, of: (owner: string) => findings.get(owner) ?? [] };
}

/** The files that rows name and that cannot be read. */
async function unreadableFiles(place: Place, { owner, rows, files }: Held): Promise<Finding[]> {
  const named = [...rows.values()].flat().flatMap(({ names }) => names);
  const found: Finding[] = [];
  await inParallel(
    named.filter((path) => files.has(path)),
    filesTogether,
    async (where) => {
      if (!(await isReadableFile(place, owner, where))) found.push({ rule: unreadable, where });
    },
  );
  return found;
}

const clockOf = ({ graceMs }: Wish): Clock => ({ now: Date.now(), graceMs });

/** What of one user breaks a rule now, with what they hold. An API key that no list leads to is seen where it is `known`. */
export async function lookAt(
  place: Place,
  owner: string,
  wish: Wish,
  known: Key[] = [],
): Promise<{ held: Held; faults: Finding[] }> {
  const inspected = inspector(place, wish);
  const held = await heldBy(place, owner, inspected.look, known);
  const faults = [...faultsOf(held, clockOf(wish)), ...inspected.of(owner), ...(await unreadableFiles(place, held))];
  return { held, faults };
}

/** Between two looks at what is under way, in milliseconds, and how many there are. */
const [pauseMs, looks] = [1_000, 3];

/** Those that are still there after some more looks: reading takes a while, in which users go on. */
async function lasting(place: Place, { owner, rows }: Held, wish: Wish, found: Finding[]): Promise<Finding[]> {
  let left = found;
  for (let more = 0; more < looks && left.length > 0; more++) {
    await sleep(pauseMs);
    const { faults } = await lookAt(
      place,
      owner,
      wish,
      rows.get('API key')?.map(({ pk, sk }) => ({ pk, sk })),
    );
    left = left.filter(({ rule, where }) => faults.some((one) => one.rule === rule && one.where === where));
  }
  return left;
}

/**
 * Reads the whole table and bucket, and tells what breaks a rule. Changes nothing. Of each row it keeps some 300 bytes in
 * memory, and reads each file that is named.
 */
export async function verify(place: Place, wish: Wish, say: Say): Promise<Verdict> {
  const inspected = inspector(place, wish);
  const all = await heldByAll(place, inspected.look, (count) => say(`Rows   ${count.toLocaleString('en')}`));
  const faults: Finding[] = all.nobodys.map((where) => ({ rule: 'a row or a file is no user’s', where }));
  const leftovers: Finding[] = [];
  let seen = 0;
  for (const [owner, held] of all.users) {
    say(`Users  ${(++seen).toLocaleString('en')} of ${all.users.size.toLocaleString('en')}`);
    const found = [...faultsOf(held, clockOf(wish)), ...inspected.of(owner), ...(await unreadableFiles(place, held))];
    faults.push(...(await lasting(place, held, wish, found)));
    leftovers.push(...leftoversOf(held, clockOf(wish)));
  }
  return { rows: all.rows, files: all.files, users: all.users.size, faults, leftovers };
}
