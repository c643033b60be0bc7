import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { findViolations } from './contract.ts';
import { type Operation, operations } from './document.ts';
import { generateRequests } from './request.ts';
import { type Identity, ResourcePool, type Senders } from './resource-pool.ts';
import { type FuzzRequest, toCurl, type WireResponse } from './wire.ts';

/** API under test. */
export interface Subject extends Senders {
  /** Creates a user without data. A deployed stack has only one user. */
  createUser(): Promise<Identity>;
  /** Returns the uncaught errors since the previous call. Only known if the functions run in this process. */
  takeErrors?: () => string[];
  /** Returns the logged errors since the previous call, for a failure's report. */
  takeLog?: () => string[];
}

export interface Plan {
  /** Number of requests to each operation. */
  runs: number;
  seed: number;
  /** Path of a printed failure. Only this case runs. */
  path?: string | undefined;
  /** Data of the first user. By default, a new user gets two resources of every kind. */
  pool?: ResourcePool | undefined;
  /** Receives the number of cases that ran. */
  onProgress?: (cases: number) => void;
}

export interface Outcome {
  id: string;
  cases: number;
  /** Number of responses with each status. Setup requests are not counted. */
  statuses: Map<number, number>;
  /** Data of the last user. */
  pool: ResourcePool | undefined;
  /** Violations, the smallest request that causes them, and the command to reproduce them. */
  failure?: string;
}

/** Number of requests before a new user takes over. Limits the length of lists, and keeps users below the API's limits. */
const requestsPerUser = 100;

/** Maximum growth of the process in one request. No function has as much memory. */
const maxGrowthBytes = 512 * 2 ** 20;

class Violation extends Error {
  constructor(sent: FuzzRequest, answer: WireResponse, found: string[], log: string[]) {
    super(
      [...found.map((one) => `✗ ${one}`), toCurl(sent), `${answer.status} ${answer.body.slice(0, 600)}`, ...log].join(
        '\n',
      ),
    );
  }
}

/** Sends valid and invalid requests to an operation and checks each response against the OpenAPI document. */
export async function fuzz(
  operation: Operation,
  subject: Subject,
  { runs, seed, path, pool: first, onProgress }: Plan,
): Promise<Outcome> {
  const attachOperation =
    operation.method === 'DELETE' &&
    operations.find((one) => one.path === operation.path && one.method === 'PUT' && !one.body);
  const statuses = new Map<number, number>();
  let cases = 0;
  let pool = first?.connect(subject);
  const sendAndCheck = async (request: FuzzRequest) => {
    if (cases > 0 && cases % requestsPerUser === 0) pool = undefined;
    pool ??= await ResourcePool.create(subject, await subject.createUser(), seed + cases);
    const sent = pool.resolve(request);
    subject.takeErrors?.();
    subject.takeLog?.();
    // Attach first: random pairs are hardly ever attached, so detaching would always return 404.
    if (attachOperation) await subject.send({ ...sent, method: attachOperation.method });
    const before = process.memoryUsage.rss();
    let answer = await pool.send(sent);
    for (let retries = 0; answer.status === 503 && retries < 3; retries += 1) {
      await sleep(1_000); // a stalled machine recovers, a fault of the service does not
      answer = await pool.send(sent);
    }
    cases += 1;
    onProgress?.(cases);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const found = [...findViolations(operation, sent, answer), ...(subject.takeErrors?.() ?? [])];
    if (process.memoryUsage.rss() - before > maxGrowthBytes)
      found.push('the request takes more memory than a function has');
    if (found.length > 0) throw new Violation(sent, answer, found, subject.takeLog?.() ?? []);
  };
  const details = await fc.check(fc.asyncProperty(generateRequests(operation), sendAndCheck), {
    numRuns: runs,
    seed,
    ...(path !== undefined && { path }),
  });
  if (!details.failed) return { id: operation.id, cases, statuses, pool };
  const { message } = details.errorInstance as Error;
  const command = `npm run fuzz -- --only ${operation.id} --seed ${seed} --path ${details.counterexamplePath}`;
  return { id: operation.id, cases, statuses, pool, failure: `${operation.id}\n${message}\nReproduce: ${command}` };
}

/** Counts the responses of a status class, such as 2 for 2xx. */
export const countResponses = ({ statuses }: Outcome, statusClass: number): number =>
  [...statuses].reduce((sum, [status, count]) => sum + (Math.floor(status / 100) === statusClass ? count : 0), 0);
