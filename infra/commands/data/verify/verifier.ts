import { setTimeout as sleep } from 'node:timers/promises';
import type { Key } from '../../../../shared/store/table/keys.ts';
import type { ShowProgress } from '../../../terminal/progress.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { toKey } from '../deployment/row.ts';
import { isDecryptable, isReadable, isReadableFile } from '../import/contents.ts';
import { maxConcurrentFiles, runInParallel } from '../in-parallel.ts';
import { type Clock, type Finding, findFaults, findLeftovers } from './integrity-rules.ts';
import { type InspectRow, loadFullInventory, loadInventory, type UserInventory } from './inventory.ts';

export interface VerifyOptions {
  /** Age up to which rows and files may be in use, in milliseconds. */
  graceMs: number;
  /** True to decrypt the secrets of credentials and webhooks. It needs the permission, and KMS logs each decryption. */
  secrets: boolean;
}

export interface VerifyResult {
  rows: number;
  files: number;
  users: number;
  faults: Finding[];
  /** Leftovers that are allowed by design. */
  leftovers: Finding[];
}

const unreadable = 'the content of a row or file cannot be read';
const undecryptable = 'a secret does not decrypt';

/** Creates an inspector of complete rows, which collects its findings by user. */
function createInspector(deployment: Deployment, { secrets }: VerifyOptions) {
  const findings = new Map<string, Finding[]>();
  const inspect: InspectRow = async (owner, kind, row) => {
    const where = Object.values(toKey(row)).join(' ');
    const report = (rule: string) => findings.set(owner, [...(findings.get(owner) ?? []), { rule, where }]);
    if (!isReadable(kind, row)) report(unreadable);
    if (secrets && !(await isDecryptable(deployment, owner, kind, row))) report(undecryptable);
  };
  return { inspect, listFindings: (owner: string) => findings.get(owner) ?? [] };
}

/** Returns the named files that exist but cannot be read. */
async function findUnreadableFiles(deployment: Deployment, { owner, rows, files }: UserInventory): Promise<Finding[]> {
  const named = [...rows.values()].flat().flatMap(({ namedFiles }) => namedFiles);
  const findings: Finding[] = [];
  await runInParallel(
    named.filter((path) => files.has(path)),
    maxConcurrentFiles,
    async (where) => {
      if (!(await isReadableFile(deployment, owner, where))) findings.push({ rule: unreadable, where });
    },
  );
  return findings;
}

const createClock = ({ graceMs }: VerifyOptions): Clock => ({ now: Date.now(), graceMs });

/**
 * Returns a user's rows and files, and the rules they break. `known` adds API keys that are missing from the user's
 * list.
 */
export async function verifyUser(
  deployment: Deployment,
  owner: string,
  options: VerifyOptions,
  known: Key[] = [],
): Promise<{ inventory: UserInventory; faults: Finding[] }> {
  const inspector = createInspector(deployment, options);
  const inventory = await loadInventory(deployment, owner, inspector.inspect, known);
  const faults = [
    ...findFaults(inventory, createClock(options)),
    ...inspector.listFindings(owner),
    ...(await findUnreadableFiles(deployment, inventory)),
  ];
  return { inventory: inventory, faults };
}

/** Delay between rechecks in milliseconds, and their number. */
const [recheckDelayMs, maxRechecks] = [1_000, 3];

/** Returns the findings that persist when checked again: users make changes during a check. */
async function recheck(
  deployment: Deployment,
  { owner, rows }: UserInventory,
  options: VerifyOptions,
  findings: Finding[],
): Promise<Finding[]> {
  let left = findings;
  for (let round = 0; round < maxRechecks && left.length > 0; round++) {
    await sleep(recheckDelayMs);
    const { faults } = await verifyUser(
      deployment,
      owner,
      options,
      rows.get('API key')?.map(({ pk, sk }) => ({ pk, sk })),
    );
    left = left.filter(({ rule, where }) => faults.some((one) => one.rule === rule && one.where === where));
  }
  return left;
}

/**
 * Reads the whole table and bucket, and returns the rules they break. Changes nothing. Keeps some 300 bytes per row in
 * memory, and reads each named file.
 */
export async function verify(
  deployment: Deployment,
  options: VerifyOptions,
  showProgress: ShowProgress,
): Promise<VerifyResult> {
  const inspector = createInspector(deployment, options);
  const all = await loadFullInventory(deployment, inspector.inspect, (count) =>
    showProgress(`Rows   ${count.toLocaleString('en')}`),
  );
  const faults: Finding[] = all.unowned.map((where) => ({ rule: 'a row or file belongs to no user', where }));
  const leftovers: Finding[] = [];
  let seen = 0;
  for (const [owner, inventory] of all.users) {
    showProgress(`Users  ${(++seen).toLocaleString('en')} of ${all.users.size.toLocaleString('en')}`);
    const findings = [
      ...findFaults(inventory, createClock(options)),
      ...inspector.listFindings(owner),
      ...(await findUnreadableFiles(deployment, inventory)),
    ];
    for (const fault of await recheck(deployment, inventory, options, findings)) faults.push(fault);
    for (const leftover of findLeftovers(inventory, createClock(options))) leftovers.push(leftover); // one user may have 100,000
  }
  return { rows: all.rows, files: all.files, users: all.users.size, faults, leftovers };
}
