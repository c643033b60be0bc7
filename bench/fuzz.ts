import { readArguments } from '../infra/terminal/arguments.ts';
import { createProgressLine } from '../infra/terminal/progress.ts';
import { run, UserError } from '../infra/terminal/user-error.ts';
import { type Operation, operations } from '../test/fuzz/document.ts';
import { fuzz, type Outcome, type Plan, type Subject } from '../test/fuzz/fuzz.ts';
import { runSequences } from '../test/fuzz/model/run-sequences.ts';
import { openSubject } from '../test/fuzz/subjects.ts';
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
 * Number of operations that are fuzzed in parallel. They mostly wait for the database. An uncaught error is attributed to the first
 * operation that checks for one.
 */
const concurrency = 4;

/** Maximum number of commands in a sequence. */
const maxCommands = 60;

/** Result of a run: a table or a sentence for people, and the failures. */
interface Report {
  cases: number;
  text: string;
  failures: string[];
}

/** Formats a table row: the operation, its cases, and the count of each status. */
const formatRow = ({ id, cases, statuses, failure }: Outcome) => {
  const seen = [...statuses].sort(([one], [other]) => one - other).map(([status, count]) => `${status}: ${count}`);
  return `| ${failure ? '✗' : '✓'} ${id} | ${cases.toLocaleString('en')} | ${seen.join(', ')} |`;
};

/** Fuzzes operations, a few in parallel. */
async function fuzzOperations(
  api: Subject,
  chosen: Operation[],
  plan: Plan,
  onProgress: (cases: number) => void,
): Promise<Report> {
  const outcomes: Outcome[] = [];
  const waiting = [...chosen];
  let sent = 0;
  const count = () => {
    sent += 1;
    onProgress(sent);
  };
  const lane = async () => {
    for (let operation = waiting.shift(); operation; operation = waiting.shift()) {
      outcomes.push(await fuzz(operation, api, { ...plan, onProgress: count }));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  outcomes.sort((one, other) => (one.id < other.id ? -1 : 1));
  return {
    cases: sent,
    text: `| Operation | Cases | Statuses |\n|---|---:|---|\n${outcomes.map(formatRow).join('\n')}`,
    failures: outcomes.flatMap(({ failure }) => failure ?? []),
  };
}

/** Runs random sequences of commands and compares each response with a model. */
async function runModel(api: Subject, plan: Plan): Promise<Report> {
  const { cases, requests, failure } = await runSequences(api, plan, maxCommands);
  const text = `${cases.toLocaleString('en')} sequences, ${requests.toLocaleString('en')} requests: every response matches the model`;
  return { cases, text: failure ? '' : text, failures: failure ? [failure] : [] };
}

/** Prints the progress every two seconds. */
function showProgress(what: string): { onProgress: (cases: number) => void; stop(): void } {
  const startedAt = performance.now();
  const say = createProgressLine();
  let done = 0;
  const timer = setInterval(() => {
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
    const memory = Math.round(process.memoryUsage.rss() / 2 ** 20);
    say(`${done.toLocaleString('en')} ${what} in ${minutes} min, ${memory} MB`);
  }, 2_000);
  const onProgress = (cases: number) => {
    done = cases;
  };
  const stop = () => {
    clearInterval(timer);
    say('');
  };
  return { onProgress, stop };
}

const usage = `Usage: npm run fuzz -- [--runs 1000] [--only assistants/create] [--model] [--seed 1] [--path 0:1] [--json file]
Sends valid, nearly valid and hostile requests to every operation. --model: compares sequences of commands with a model.`;

/** Fuzzes every operation of the OpenAPI document, or only one, or compares sequences of operations with a model. */
run(async () => {
  const { only, model, path, json, ...values } = readArguments(usage, { options }).values;
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  const chosen = operations.filter(({ id }) => only === undefined || id === only);
  if (chosen.length === 0) throw new UserError(`Unknown operation ${only}: use a name such as assistants/create`);
  if (model && process.env.BASE_URL) throw new UserError('--model needs empty users: run it without BASE_URL');
  console.log(`Seed ${seed}`);
  const { onProgress, stop } = showProgress(model ? 'sequences' : 'requests');
  const api = await openSubject();
  const plan = { runs: Number(values.runs), seed, path, tell: onProgress };
  const report = await (model ? runModel(api, plan) : fuzzOperations(api, chosen, plan, onProgress)).finally(
    async () => {
      stop();
      await api.stop();
    },
  );
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
  if (report.failures.length > 0) throw new UserError(`\n${report.failures.join('\n\n')}\n`);
});
