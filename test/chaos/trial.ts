import { vi } from 'vitest';
import type { Held } from '../../infra/data/held.ts';
import { lookAt } from '../../infra/data/verifier.ts';
import type { Route } from '../../shared/route.ts';
import { patient } from '../support/patience.ts';
import { calm, type Disturbance, disturb, disturbancesOf } from './faults.ts';
import type { ChaosHost, Lane } from './host.ts';
import { isSuccess, wrongIn } from './judge.ts';
import { changesNothing, type Subject, subjectOf, type Variant } from './subjects.ts';

/** How many rows of each kind somebody has. */
type Inventory = Record<string, number>;

const inventoryOf = ({ rows }: Held): Inventory =>
  Object.fromEntries([...rows].map(([kind, { length }]) => [kind, length]).sort());

/** What a route asks AWS for when nothing disturbs it, and what its caller has afterwards. */
export interface Course {
  route: Route;
  variant: Variant;
  calls: string[];
  inventory: Inventory;
  /** Who may ask in all trials; otherwise each has somebody new. */
  subject?: Subject;
}

/** A disturbance of a course. */
export interface Trial extends Disturbance {
  course: Course;
}

export const nameOf = ({ course, call, fault, forEver }: Trial): string =>
  `${course.route.id} (${course.variant}), ${fault}${forEver ? ' for ever' : ''} at ${call} (${course.calls[call]})`;

/** Since nobody is at work any more, all has to hang together at once. */
const quiet = { graceMs: 0, secrets: true };

/** How long what was broken off may take until it is ended, in milliseconds: queues come again after seconds here. */
const patienceMs = 120_000;

/** How long it may take where nothing is broken off, in milliseconds: a document is read. */
const learnMs = 20_000;

/** Sends a request that nothing disturbs. Throws where it fails. */
export async function learn(host: ChaosHost, route: Route, variant: Variant): Promise<Course> {
  const [lane] = host.lanes;
  if (!lane) throw new Error('The host has no lane');
  const subject = await subjectOf(host, route, variant);
  const { owner, send } = subject;
  const { proxy } = lane.functionOf(route.id);
  proxy.seen.length = 0;
  const reply = await send(lane);
  if (!isSuccess(reply)) throw new Error(`${route.id} cannot be learned: ${reply.status} ${reply.text}`);
  const calls = [...proxy.seen];
  await vi.waitFor(async () => {
    const { faults } = await lookAt(host.place, owner, quiet);
    if (faults.length > 0) throw new Error(`${route.id} leaves ${JSON.stringify(faults)}`);
  }, patient(learnMs));
  const { held } = await lookAt(host.place, owner, quiet);
  // Lambda stops a function with its answer.
  if (proxy.seen.length > calls.length) throw new Error(`${route.id} goes on after its answer: ${proxy.seen}`);
  return { route, variant, calls, inventory: inventoryOf(held), ...(changesNothing(route) && { subject }) };
}

export const trialsOf = (course: Course): Trial[] =>
  disturbancesOf(course.calls).map((disturbance) => ({ ...disturbance, course }));

/** Whether the repeat of a request says that it has been carried out: of a deletion or a conditional change, by refusing it. */
function saysDone({ method, conditional }: Route, status: number): boolean {
  if (status === 200 || status === 304) return true;
  return (method === 'DELETE' && status === 404) || (conditional === 'if-match' && status === 412);
}

/** A trial that has been made; what it left is looked at once all is quiet. */
export interface Made {
  trial: Trial;
  subject: Subject;
  /** What was wrong so far. */
  wrong: string[];
  /** How many calls met the fault. */
  met: number;
}

/** Sends a disturbed request, and then, as a client would, the same again until it is known to be done. */
export async function make(host: ChaosHost, lane: Lane, trial: Trial): Promise<Made> {
  const { route, variant, subject: known } = trial.course;
  const subject = known ?? (await subjectOf(host, route, variant));
  const runner = lane.functionOf(route.id);
  const told = disturb(runner, trial);
  const reply = await subject.send(lane);
  calm(runner);
  const wrong = [wrongIn(reply, trial)];
  if (told.met === 0) wrong.push('the call was not made');
  if (!isSuccess(reply)) {
    const again = await subject.send(lane);
    if (!saysDone(route, again.status)) wrong.push(`again it answered ${again.status} ${again.text}`);
  }
  return { trial, subject, wrong: wrong.filter((one) => one !== undefined), met: told.met };
}

/** What was wrong with a trial in the end, a sentence each: of its answers, and of what it left. */
export async function judge(host: ChaosHost, { trial, subject, wrong }: Made): Promise<string[]> {
  const wanted = JSON.stringify(trial.course.inventory);
  const left = async () => {
    const { held, faults } = await lookAt(host.place, subject.owner, quiet);
    const has = JSON.stringify(inventoryOf(held));
    const told = faults.map(({ rule, where }) => `it left: ${rule} (${where})`);
    if (has !== wanted) told.push(`it left ${has} in the place of ${wanted}`);
    if (told.length > 0) throw new Error(told.join('; '));
  };
  const end = await vi.waitFor(left, { timeout: patient(patienceMs), interval: 500 }).then(
    () => [],
    ({ message }) => [message],
  );
  return [...wrong, ...end].map((what) => `${nameOf(trial)}: ${what}`);
}
