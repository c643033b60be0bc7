import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { violations } from './contract.ts';
import { type Operation, operations } from './document.ts';
import { requests } from './request.ts';
import { type Answer, curlOf, type Sent } from './wire.ts';
import { type Identity, type Ways, World } from './world.ts';

/** An API to be fuzzed. */
export interface Subject extends Ways {
  /** Somebody whom nobody knows. */
  newUser(): Promise<Identity>;
  /** What went wrong since the last look beside the answers, and what was logged as an error. None are known of one elsewhere. */
  stray?: () => string[];
  log?: () => string[];
}

export interface Plan {
  /** How many requests an operation. */
  runs: number;
  seed: number;
  /** Of a failure that was printed: it is all that runs. */
  path?: string | undefined;
  /** Hears how many requests have been sent. */
  tell?: (cases: number) => void;
}

export interface Outcome {
  id: string;
  cases: number;
  /** How often each status was answered, to requests of the plan. */
  statuses: Map<number, number>;
  /** What broke the contract, the smallest request that does, and how to see it again. */
  failure?: string;
}

/** A user has grown enough after so many requests: listings become long, and some things are limited in number. */
const lifetime = 100;

/** A request may leave so much more memory in use than there was before: more than any function has. */
const maxGrowth = 512 * 2 ** 20;

class Violation extends Error {
  constructor(sent: Sent, answer: Answer, found: string[], log: string[]) {
    super(
      [...found.map((one) => `✗ ${one}`), curlOf(sent), `${answer.status} ${answer.body.slice(0, 600)}`, ...log].join(
        '\n',
      ),
    );
  }
}

/** Sends an operation requests of every kind, and holds each answer against the document. */
export async function fuzz(operation: Operation, subject: Subject, { runs, seed, path, tell }: Plan): Promise<Outcome> {
  const joins =
    operation.method === 'DELETE' &&
    operations.find(({ path: of, method, body }) => of === operation.path && method === 'PUT' && !body);
  const statuses = new Map<number, number>();
  let cases = 0;
  let world: World | undefined;
  const watched = async (request: Sent) => {
    if (cases % lifetime === 0) world = undefined;
    world ??= await World.of(subject, await subject.newUser(), seed + cases);
    const sent = world.resolved(request);
    subject.stray?.();
    subject.log?.();
    // Else hardly any two things would be joined when they are to be parted.
    if (joins) await subject.send({ ...sent, method: joins.method });
    const before = process.memoryUsage.rss();
    let answer = await world.send(sent);
    for (let again = 0; answer.status === 503 && again < 3; again += 1) {
      await sleep(1_000); // a machine that stalls is no fault of the service, and a fault of it stays
      answer = await world.send(sent);
    }
    cases += 1;
    tell?.(cases);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const found = [...violations(operation, sent, answer), ...(subject.stray?.() ?? [])];
    if (process.memoryUsage.rss() - before > maxGrowth) found.push('it takes more memory than a function has');
    if (found.length > 0) throw new Violation(sent, answer, found, subject.log?.() ?? []);
  };
  const details = await fc.check(fc.asyncProperty(requests(operation), watched), {
    numRuns: runs,
    seed,
    ...(path !== undefined && { path }),
  });
  if (!details.failed) return { id: operation.id, cases, statuses };
  const { message } = details.errorInstance as Error;
  const again = `npm run fuzz -- --only ${operation.id} --seed ${seed} --path ${details.counterexamplePath}`;
  return { id: operation.id, cases, statuses, failure: `${operation.id}\n${message}\nagain: ${again}` };
}

/** How many of an outcome's requests were answered with a status of this hundred. */
export const answered = ({ statuses }: Outcome, hundred: number): number =>
  [...statuses].reduce((sum, [status, count]) => sum + (Math.floor(status / 100) === hundred ? count : 0), 0);
