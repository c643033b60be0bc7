import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServices } from '../infra/local/services.ts';
import { synthesize } from '../infra/local/synth.ts';
import { Problem, run } from '../infra/problem.ts';
import { progress } from '../infra/progress.ts';
import { type Operation, operations } from '../test/fuzz/document.ts';
import { fuzz, type Outcome, type Plan, type Subject } from '../test/fuzz/fuzz.ts';
import { walked } from '../test/fuzz/model/machine.ts';
import { deployedSubject, localSubject } from '../test/fuzz/subject.ts';
import { writeResult } from './result.ts';

const options = {
  runs: { type: 'string', default: '1000' },
  only: { type: 'string' },
  model: { type: 'boolean', default: false },
  seed: { type: 'string' },
  path: { type: 'string' },
  json: { type: 'string' },
} as const;

/**
 * How many operations are fuzzed at once: most of the time each waits for the database. An error that nobody caught is told of
 * the one that looks first.
 */
const lanes = 4;

/** Commands in a sequence, at most. */
const longest = 60;

/** What a run has to tell: a table or a sentence for people, and what broke. */
interface Report {
  cases: number;
  text: string;
  failures: string[];
}

/** The API to fuzz: what `BASE_URL` and `TOKEN` name, else the functions in this process, on services of their own. */
async function subject(): Promise<Subject & { stop(): Promise<void> }> {
  const { BASE_URL, TOKEN = '' } = process.env;
  if (BASE_URL) return { ...(await deployedSubject(BASE_URL.replace(/\/$/, ''), TOKEN)), stop: async () => {} };
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-fuzz-'));
  const services = await startServices(dir, await synthesize());
  const local = await localSubject(services);
  const stop = async () => {
    local.stop();
    await services.stop();
    rmSync(dir, { recursive: true });
  };
  return { ...local, stop };
}

/** A row of the table: the operation, its cases, and how often each status was seen. */
const rowOf = ({ id, cases, statuses, failure }: Outcome) => {
  const seen = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${status}: ${count}`);
  return `| ${failure ? '✗' : '✓'} ${id} | ${cases.toLocaleString('en')} | ${seen.join(', ')} |`;
};

/** Fuzzes operations, a few at a time. */
async function fuzzed(api: Subject, chosen: Operation[], plan: Plan, tell: (cases: number) => void): Promise<Report> {
  const outcomes: Outcome[] = [];
  const waiting = [...chosen];
  let sent = 0;
  const count = () => {
    sent += 1;
    tell(sent);
  };
  const lane = async () => {
    for (let operation = waiting.shift(); operation; operation = waiting.shift()) {
      outcomes.push(await fuzz(operation, api, { ...plan, tell: count }));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  outcomes.sort((one, other) => (one.id < other.id ? -1 : 1));
  return {
    cases: sent,
    text: `| Operation | Cases | Statuses |\n|---|---:|---|\n${outcomes.map(rowOf).join('\n')}`,
    failures: outcomes.flatMap(({ failure }) => failure ?? []),
  };
}

/** Walks sequences of commands. */
async function modelled(api: Subject, plan: Plan): Promise<Report> {
  const { cases, requests, failure } = await walked(api, plan, longest);
  const text = `${cases.toLocaleString('en')} sequences, ${requests.toLocaleString('en')} requests: every answer is the model's`;
  return { cases, text: failure ? '' : text, failures: failure ? [failure] : [] };
}

/** Says every other second how far it is. */
function watch(what: string): { tell: (cases: number) => void; stop(): void } {
  const startedAt = performance.now();
  const say = progress();
  let done = 0;
  const timer = setInterval(() => {
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
    const memory = Math.round(process.memoryUsage.rss() / 2 ** 20);
    say(`${done.toLocaleString('en')} ${what} in ${minutes} min, ${memory} MB`);
  }, 2_000);
  const tell = (cases: number) => {
    done = cases;
  };
  const stop = () => {
    clearInterval(timer);
    say('');
  };
  return { tell, stop };
}

/** Fuzzes every operation of the OpenAPI document, or one; or walks sequences of them beside a model. */
run(async () => {
  const { only, model, path, json, ...values } = parseArgs({ options }).values;
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  const chosen = operations.filter(({ id }) => only === undefined || id === only);
  if (chosen.length === 0) throw new Problem(`No operation is called ${only}: they are named like assistants/create`);
  if (model && process.env.BASE_URL) throw new Problem('--model wants users who have nothing: run it without BASE_URL');
  console.log(`Seed ${seed}`);
  const { tell, stop } = watch(model ? 'sequences' : 'requests');
  const api = await subject();
  const plan = { runs: Number(values.runs), seed, path, tell };
  const report = await (model ? modelled(api, plan) : fuzzed(api, chosen, plan, tell)).finally(async () => {
    stop();
    await api.stop();
  });
  console.log(report.text);
  writeResult(json, {
    what: model
      ? 'Sequences of commands, each answer compared with a model'
      : 'Requests of any kind to every operation',
    command: `npm run fuzz -- ${model ? '--model ' : ''}--runs ${plan.runs}`,
    cases: report.cases,
    failures: report.failures.length,
    seed,
  });
  if (report.failures.length > 0) throw new Problem(`\n${report.failures.join('\n\n')}\n`);
});
