import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Verdict, verify } from '../../infra/data/verifier.ts';
import { progress } from '../../infra/progress.ts';
import { routes } from '../../shared/routes/index.ts';
import { deployed } from '../support/api.ts';
import { silent } from '../support/recovery.ts';
import { type ChaosHost, chaosHost } from './host.ts';
import { settings } from './settings.ts';
import { variantsOf } from './subjects.ts';
import { judge, learn, make, type Trial, trialsOf } from './trial.ts';

const { only, all, json, seed = randomUUID().slice(0, 8) } = settings;

/** How many trials of each route are made where not all are. */
const sample = 2;

const chosen = routes.filter(({ id }) => !only || id === only);

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

describe.skipIf(deployed)(`whatever goes wrong behind it (seed ${seed})`, () => {
  beforeAll(async () => {
    host = await chaosHost(all ? 4 : 1);
  });
  afterAll(async () => {
    await host?.stop();
    const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
    const { rows, files, leftovers } = verdict ?? {};
    const left = { rows, files, leftovers: leftovers?.length };
    const date = new Date().toISOString();
    const report = { what: 'faults', cases, faults: injected, left, seed, date, commit, failures };
    if (json) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
  });

  it.concurrent.each(chosen)('$id fails cleanly, and a repeat ends with exactly one', async (route) => {
    const [first, ...others] = host.lanes;
    if (!first) throw new Error('The host has no lane');
    const trials: Trial[] = [];
    for (const variant of all ? variantsOf(route) : variantsOf(route).slice(-1))
      trials.push(...trialsOf(await learn(host, first, route, variant)));
    const due = all ? trials.toReversed() : drawn(trials).slice(0, sample);
    const count = due.length;
    const wrong: string[] = [];
    let done = 0;
    await Promise.all(
      [first, ...others].map(async (lane) => {
        const judged: Promise<void>[] = [];
        for (let trial = due.pop(); trial; trial = due.pop()) {
          const made = await make(host, lane, trial);
          injected[made.trial.fault] = (injected[made.trial.fault] ?? 0) + made.met;
          judged.push(judge(host, made).then((found) => void wrong.push(...found)));
          say(`${route.id}  ${++done} of ${count}`);
        }
        await Promise.all([...judged, lane.functionOf(route.id).kill()]);
      }),
    );
    for (const { words } of host.crashes.filter(({ id }) => id === route.id)) wrong.push(`${route.id} died: ${words}`);
    cases += done;
    failures.push(...wrong);
    for (const one of wrong) say(`${one}\n`);
    expect(wrong).toEqual([]);
  });

  it('after all that the data of everybody hangs together', async () => {
    verdict = await verify(host.place, { graceMs: 0, secrets: true }, silent);
    expect(verdict.faults).toEqual([]);
    expect(verdict.users).toBeGreaterThan(cases);
  }, 120_000);
});
