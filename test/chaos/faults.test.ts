import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Verdict, verify } from '../../infra/data/verifier.ts';
import { progress } from '../../infra/progress.ts';
import type { Route } from '../../shared/route.ts';
import { routes } from '../../shared/routes/index.ts';
import { deployed } from '../support/api.ts';
import { silent } from '../support/recovery.ts';
import { sample } from '../support/sample.ts';
import { type ChaosHost, chaosHost, type Lane } from './host.ts';
import { write } from './report.ts';
import { settings } from './settings.ts';
import { variantsOf } from './subjects.ts';
import { judge, learn, make, type Trial, trialsOf } from './trial.ts';

const { only, all, seed = randomUUID().slice(0, 8) } = settings;

/** Routes that are tried, and trials of each, where not all are. */
const [fewRoutes, fewTrials] = [10, 1];

const named = routes.filter(({ id }) => only.length === 0 || only.includes(id));
const chosen = all || only.length > 0 ? named : sample(named, fewRoutes, ({ id }) => id);

/** An order that looks like any other, and is the same for the same seed. */
const drawn = (trials: Trial[]): Trial[] => {
  const place = ({ course, call, fault, forEver }: Trial) =>
    createHash('sha256')
      .update(JSON.stringify([seed, course.route.id, course.variant, call, fault, forEver]))
      .digest('hex');
  return trials.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
};

let host: ChaosHost;
let verdict: Verdict | undefined;
const say = all ? progress() : silent;
const injected: Record<string, number> = {};
const failures: string[] = [];
let cases = 0;

/** Makes the trials of a route, those of all lanes at once. Gives what was wrong, a sentence each. */
async function wrongWith(route: Route): Promise<string[]> {
  const trials: Trial[] = [];
  for (const variant of all ? variantsOf(route) : variantsOf(route).slice(-1))
    trials.push(...trialsOf(await learn(host, route, variant)));
  const due = all ? trials.toReversed() : drawn(trials).slice(0, fewTrials);
  const count = due.length;
  const wrong: string[] = [];
  let done = 0;
  const drive = async (lane: Lane) => {
    const judged: Promise<void>[] = [];
    for (let trial = due.pop(); trial; trial = due.pop()) {
      const made = await make(host, lane, trial);
      injected[trial.fault] = (injected[trial.fault] ?? 0) + made.met;
      judged.push(judge(host, made).then((found) => void wrong.push(...found)));
      say(`${route.id}  ${++done} of ${count}`);
    }
    await Promise.all([...judged, lane.functionOf(route.id).kill()]);
  };
  await Promise.all(host.lanes.map(drive));
  cases += done;
  const crashes = host.crashes.filter(({ id }) => id === route.id);
  return [...wrong, ...crashes.map(({ words }) => `${route.id} died: ${words}`)];
}

describe.skipIf(deployed)(`whatever goes wrong behind it (seed ${seed})`, () => {
  beforeAll(async () => {
    host = await chaosHost(all ? 4 : 1);
  });
  afterAll(async () => {
    await host?.stop();
    const left = verdict && { rows: verdict.rows, files: verdict.files, leftovers: verdict.leftovers.length };
    write({ what: 'faults', cases, failures, faults: injected, seed, left });
  });

  it.concurrent.each(chosen)(
    '$id fails cleanly, and a repeat ends with exactly one',
    async (route) => {
      const wrong = await wrongWith(route).catch(({ message }) => [`${route.id}: ${message}`]);
      failures.push(...wrong);
      for (const one of wrong) say(one);
      expect(wrong).toEqual([]);
    },
    all ? 7_200_000 : 120_000,
  );

  it('after all that the data of everybody hangs together', async () => {
    verdict = await verify(host.place, { graceMs: 0, secrets: true }, silent);
    failures.push(...verdict.faults.map(({ rule, where }) => `${rule}: ${where}`));
    expect(verdict.faults).toEqual([]);
    expect(verdict.users).toBeGreaterThan(0);
  }, 600_000);
});
