import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type VerifyResult, verify } from '../../infra/commands/data/verify/verifier.ts';
import { createProgressLine } from '../../infra/terminal/progress.ts';
import type { Route } from '../../shared/route.ts';
import { routes } from '../../shared/routes/index.ts';
import { deployed } from '../support/api.ts';
import { ignoreProgress } from '../support/recovery.ts';
import { drawSample } from '../support/sample.ts';
import { scaleTimeout } from '../support/timeouts.ts';
import { type ChaosHost, type Lane, startChaosHost } from './host.ts';
import { writeReport } from './report.ts';
import { settings } from './settings.ts';
import { listVariants } from './subjects.ts';
import { evaluateTrial, listTrials, recordBaseline, runTrial, type Trial } from './trial.ts';

const { only, all, seed = randomUUID().slice(0, 8) } = settings;

/** Numbers of routes, and of trials per route, in a sample. */
const [fewRoutes, fewTrials] = [10, 1];

const selected = routes.filter(({ id }) => only.length === 0 || only.includes(id));
const chosen = all || only.length > 0 ? selected : drawSample(selected, fewRoutes, ({ id }) => id);

/** Shuffles trials, in the same order for the same seed. */
const shuffle = (trials: Trial[]): Trial[] => {
  const toSortKey = ({ baseline, call, fault, isPermanent }: Trial) =>
    createHash('sha256')
      .update(JSON.stringify([seed, baseline.route.id, baseline.variant, call, fault, isPermanent]))
      .digest('hex');
  return trials.toSorted((one, other) => (toSortKey(one) < toSortKey(other) ? -1 : 1));
};

let host: ChaosHost;
let verdict: VerifyResult | undefined;
const showProgress = all ? createProgressLine() : ignoreProgress;
const injected: Record<string, number> = {};
const failures: string[] = [];
let cases = 0;

/** Runs the trials of a route on all lanes in parallel. Returns the problems found, one sentence each. */
async function runTrials(route: Route): Promise<string[]> {
  const trials: Trial[] = [];
  for (const variant of all ? listVariants(route) : listVariants(route).slice(-1))
    trials.push(...listTrials(await recordBaseline(host, route, variant)));
  const pending = all ? trials.toReversed() : shuffle(trials).slice(0, fewTrials);
  const count = pending.length;
  const problems: string[] = [];
  let done = 0;
  const runLane = async (lane: Lane) => {
    const evaluations: Promise<void>[] = [];
    for (let trial = pending.pop(); trial; trial = pending.pop()) {
      const result = await runTrial(host, lane, trial);
      injected[trial.fault] = (injected[trial.fault] ?? 0) + result.met;
      evaluations.push(evaluateTrial(host, result).then((found) => void problems.push(...found)));
      showProgress(`${route.id}  ${++done} of ${count}`);
    }
    await Promise.all([...evaluations, lane.getFunction(route.id).kill()]);
  };
  await Promise.all(host.lanes.map(runLane));
  cases += done;
  const crashes = host.crashes.filter(({ id }) => id === route.id);
  return [...problems, ...crashes.map(({ output: words }) => `${route.id} died: ${words}`)];
}

describe.skipIf(deployed)(`a route with faults behind it (seed ${seed})`, () => {
  beforeAll(async () => {
    host = await startChaosHost(all ? 4 : 1);
  });
  afterAll(async () => {
    await host?.stop();
    const left = verdict && { rows: verdict.rows, files: verdict.files, leftovers: verdict.leftovers.length };
    writeReport({ what: 'faults', cases, failures, faults: injected, seed, left });
  });

  it.concurrent.each(chosen)(
    '$id fails cleanly, and a retry completes exactly once',
    async (route) => {
      const problems = await runTrials(route).catch(({ message }) => [`${route.id}: ${message}`]);
      failures.push(...problems);
      for (const problem of problems) showProgress(problem);
      expect(problems).toEqual([]);
    },
    all ? 7_200_000 : scaleTimeout(600_000),
  );

  it('leaves the data of all users consistent', async () => {
    verdict = await verify(host.place, { graceMs: 0, secrets: true }, ignoreProgress);
    failures.push(...verdict.faults.map(({ rule, where }) => `${rule}: ${where}`));
    expect(verdict.faults).toEqual([]);
    expect(verdict.users).toBeGreaterThan(0);
  }, 600_000);
});
