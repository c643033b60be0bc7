import { vi } from 'vitest';
import type { Kind } from '../../infra/commands/data/deployment/kinds.ts';
import type { UserInventory } from '../../infra/commands/data/verify/inventory.ts';
import { verifyUser } from '../../infra/commands/data/verify/verifier.ts';
import type { Route } from '../../shared/route.ts';
import { scaleTimeout } from '../support/timeouts.ts';
import { findProblem, isSuccess } from './check-reply.ts';
import { type Disturbance, disturb, listDisturbances, stopDisturbing } from './faults.ts';
import type { ChaosHost, Lane } from './host.ts';
import { createSubject, isReadOnly, type Subject, type Variant } from './subjects.ts';

/** Number of rows of each kind. */
type RowCounts = Record<string, number>;

/**
 * Events that a retry may write again, because a worker read keys twice, that the parser writes at any time, or that no answer fails for:
 * that of an answer of a language model that is not stored.
 */
const uncounted = ['credential.leased', 'knowledge_base.ready', 'knowledge_base.failed', 'completion.done'];

/** Attributes of kinds that have a random number of rows: a call counts in one of four rows of a day. */
const summed: Partial<Record<Kind, string>> = { count: 'sessions', usage: 'calls' };

/**
 * Counts the rows of each kind, or sums up what they count. A missing or second event of a change shows in the number of events; a
 * call that counts twice in the usage.
 */
const countRows = ({ rows }: UserInventory): RowCounts =>
  Object.fromEntries(
    [...rows]
      .map(([kind, all]): [string, number] => {
        const attribute = summed[kind];
        if (attribute) return [kind, all.reduce((sum, row) => sum + Number(row[attribute]), 0)];
        return [kind, all.filter(({ type }) => !uncounted.includes(String(type))).length];
      })
      .sort(),
  );

/** The AWS calls of an undisturbed request, and the rows of its user afterwards. */
export interface Baseline {
  route: Route;
  variant: Variant;
  calls: string[];
  /** Numbers of rows after the request and, if a repeat is another answer, after that. */
  rowCounts: RowCounts[];
  /** Subject that all trials share. Undefined if each trial needs a new one. */
  subject?: Subject;
}

/** A disturbance to apply to a baseline's request. */
export interface Trial extends Disturbance {
  baseline: Baseline;
}

export const toTitle = ({ baseline, call, fault, isPermanent }: Trial): string =>
  `${baseline.route.id} (${baseline.variant}), ${fault}${isPermanent ? ' permanently' : ''} at ${call} (${baseline.calls[call]})`;

/** Options for verification without a grace period, because no request is in progress. */
const verifyOptions = { graceMs: 0, secrets: true };

/** Timeout for background work to complete an interrupted request, in milliseconds. Local queues retry after seconds. */
const recoveryTimeoutMs = 120_000;

/** Timeout for background work after an undisturbed request, such as ingestion, in milliseconds. */
const baselineTimeoutMs = 20_000;

/** Sends an undisturbed request and records its calls and effects. Throws if it fails or leaves inconsistent data. */
export async function recordBaseline(host: ChaosHost, route: Route, variant: Variant): Promise<Baseline> {
  const [lane] = host.lanes;
  if (!lane) throw new Error('The host has no lane');
  const subject = await createSubject(host, route, variant);
  const { calls, rowCounts } = await sendUndisturbed(host, lane, route, subject);
  const repeated = route.streamSeconds ? [(await sendUndisturbed(host, lane, route, subject)).rowCounts] : [];
  return { route, variant, calls, rowCounts: [rowCounts, ...repeated], ...(isReadOnly(route) && { subject }) };
}

async function sendUndisturbed(host: ChaosHost, lane: Lane, { id }: Route, { owner, send }: Subject) {
  const { proxy } = lane.getFunction(id);
  proxy.seen.length = 0;
  const reply = await send(lane);
  if (!isSuccess(reply)) throw new Error(`${id} fails undisturbed: ${reply.status} ${reply.text}`);
  const calls = [...proxy.seen];
  await vi.waitFor(async () => {
    const { faults } = await verifyUser(host.place, owner, verifyOptions);
    if (faults.length > 0) throw new Error(`${id} leaves ${JSON.stringify(faults)}`);
  }, scaleTimeout(baselineTimeoutMs));
  const { inventory } = await verifyUser(host.place, owner, verifyOptions);
  // Lambda freezes a function after its response, so calls must not continue.
  if (proxy.seen.length > calls.length) throw new Error(`${id} continues after its response: ${proxy.seen}`);
  return { calls, rowCounts: countRows(inventory) };
}

export const listTrials = (baseline: Baseline): Trial[] =>
  listDisturbances(baseline.calls).map((disturbance) => ({ ...disturbance, baseline }));

/** True if a retry's status confirms that the request was carried out. A repeated deletion is a 404, a conditional update a 412. */
function confirmsCompletion({ method, conditional }: Route, status: number): boolean {
  if (status === 200 || status === 304) return true;
  return (method === 'DELETE' && status === 404) || (conditional === 'if-match' && status === 412);
}

/** A completed trial. `evaluateTrial` checks its data once all background work is done. */
export interface TrialResult {
  trial: Trial;
  subject: Subject;
  /** Problems with its replies. */
  problems: string[];
  /** Number of calls that met the fault. */
  met: number;
}

/** Sends a disturbed request, and retries it once if it fails. */
export async function runTrial(host: ChaosHost, lane: Lane, trial: Trial): Promise<TrialResult> {
  const { route, variant, subject: known } = trial.baseline;
  const subject = known ?? (await createSubject(host, route, variant));
  const runner = lane.getFunction(route.id);
  const disturbance = disturb(runner, trial);
  const reply = await subject.send(lane);
  stopDisturbing(runner);
  const problems = [findProblem(reply, trial)];
  if (disturbance.met === 0) problems.push('the call was not made');
  if (!isSuccess(reply)) {
    const repeated = await subject.send(lane);
    if (!confirmsCompletion(route, repeated.status))
      problems.push(`the retry answered ${repeated.status} ${repeated.text}`);
  }
  return { trial, subject, problems: problems.filter((problem) => problem !== undefined), met: disturbance.met };
}

/** Waits until the data of a trial is consistent. Returns the problems with its replies and data, one sentence each. */
export async function evaluateTrial(host: ChaosHost, { trial, subject, problems }: TrialResult): Promise<string[]> {
  const expected = trial.baseline.rowCounts.map((counts) => JSON.stringify(counts));
  const checkData = async () => {
    const { inventory, faults } = await verifyUser(host.place, subject.owner, verifyOptions);
    const actual = JSON.stringify(countRows(inventory));
    const leftovers = faults.map(({ rule, where }) => `it left: ${rule} (${where})`);
    if (!expected.includes(actual)) leftovers.push(`it left ${actual} instead of ${expected.join(' or ')}`);
    if (leftovers.length > 0) throw new Error(leftovers.join('; '));
  };
  const end = await vi.waitFor(checkData, { timeout: scaleTimeout(recoveryTimeoutMs), interval: 500 }).then(
    () => [],
    ({ message }) => [message],
  );
  return [...problems, ...end].map((problem) => `${toTitle(trial)}: ${problem}`);
}
