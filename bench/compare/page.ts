import { readMeasured } from '../../infra/cost/measured.ts';
import { bill } from '../../infra/cost/prices.ts';
import { dollarsOfCall } from '../../infra/cost/report.ts';
import { usageOf } from '../../infra/cost/request.ts';
import { deploymentOf, memoryOf } from '../../infra/cost/templates.ts';
import { usual } from '../../infra/cost/workload.ts';
import { table } from '../../infra/markdown.ts';
import { readScale } from '../scale/results.ts';
import { sectionOf } from '../scale/section.ts';
import { type Goal, goalsOf, isHit } from './goals.ts';
import type { Probed } from './probe.ts';
import { onLambda, processor, warmOf } from './ratios.ts';
import type { Results } from './results.ts';
import { excessOf, type Spread, spreadOf } from './spread.ts';
import { peers } from './stacks.ts';
import { caseNames } from './world.ts';

/** A median, and between which two the true one lies. */
const ranged = ({ median, low, high }: Spread, digits = 0) =>
  `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;

const kilobytes = (bytes: number) => (bytes / 1024).toFixed(0);

const words = { ours: '**this service**: middy, valibot', ...peers };

const signed = (number: number) => `${number < 0 ? '−' : '+'}${Math.abs(number).toFixed(0)}`;

const startHeads = [
  'KB:',
  'Load, ms:',
  'First answer, ms:',
  'Both, ms:',
  'Both, at the clock:',
  'On Lambda, ms:',
  'Memory, MB:',
];

function startCells(bytes: number, probes: Probed[]): string[] {
  const spread = (of: (probed: Probed) => number) => spreadOf(probes.map(of));
  return [
    kilobytes(bytes),
    spread(({ load }) => load.processor).median.toFixed(0),
    spread(({ answer }) => answer.processor).median.toFixed(0),
    ranged(spread(processor)),
    spread(({ cold }) => cold.wall).median.toFixed(0),
    ranged(spread(onLambda)),
    spread(({ loadedMb }) => loadedMb).median.toFixed(0),
  ];
}

const startsTable = ({ cold }: Results) =>
  table(
    ['Stack', 'Build', 'Endpoint', ...startHeads],
    cold.map(({ bundle: { stack, build, endpoint, bytes }, probes }) => [
      words[stack],
      build,
      endpoint,
      ...startCells(bytes, probes),
    ]),
  );

const functionsTable = ({ functions }: Results) =>
  table(
    ['Function', 'Answer', ...startHeads],
    functions.map(({ name, bytes, probes }) => [
      `\`${name}\``,
      String(probes[0]?.statusCode ?? '–'),
      ...startCells(bytes, probes),
    ]),
  );

function callsTable({ warm }: Results): string {
  const stacks = [...new Set(warm.map(({ stack }) => stack))];
  const rows = stacks.map((stack) => [
    words[stack],
    ...caseNames.map((name) => {
      const own = warmOf(warm, stack, name);
      const all = spreadOf(own).median.toFixed(0);
      if (stack === 'hand-written') return all;
      const { median, low, high } = excessOf(own, warmOf(warm, 'hand-written', name));
      return `${all}: ${signed(median)} (${signed(low)} to ${signed(high)})`;
    }),
  ]);
  return table(['Stack', ...caseNames.map((name) => `${name}, µs:`)], rows);
}

const memoryTable = ({ soaked }: Results) =>
  table(
    ['Stack', 'Endpoint', 'After the load, MB:', 'After the calls, MB:'],
    soaked.map(({ stack, endpoint, probed }) => [
      words[stack],
      endpoint,
      probed.loadedMb.toFixed(0),
      probed.residentMb.toFixed(0),
    ]),
  );

function requestsTable(): string {
  const prod = deploymentOf('prod');
  return table(
    ['Route', 'Case', 'Round trips:', 'Read units:', 'Write units:', 'Bytes out:', '$ a million:'],
    readMeasured().map((request) => [
      `\`${request.route}\``,
      request.case,
      String(request.round_trips),
      String(request.read_units),
      String(request.write_units),
      request.answer_bytes.toLocaleString('en'),
      (bill(usageOf(request, memoryOf(request.route, prod))) * 1e6).toFixed(2),
    ]),
  );
}

function goalsTable(goals: Goal[]): string {
  const digits = ({ unit }: Goal) => (unit === '×' ? 2 : 0);
  const shown = (goal: Goal) =>
    goal.spread ? ranged(goal.spread, digits(goal)) : String(Number(goal.value.toFixed(digits(goal))));
  return table(
    ['Goal', 'At most:', 'Is:', '', 'What holds it'],
    goals.map((goal) => [
      goal.what,
      `${goal.limit} ${goal.unit}`.trim(),
      `${shown(goal)} ${goal.unit}`.trim(),
      isHit(goal) ? 'hit' : '**missed**',
      isHit(goal) ? '' : goal.held,
    ]),
  );
}

/** docs/benchmarks.md. */
export function page(results: Results): string {
  const goals = goalsOf(results);
  const rounds = results.cold[0]?.probes.length ?? 0;
  const dollars = dollarsOfCall(usual, deploymentOf('prod')) * 1e6;
  return `<!-- Written by npm run bench -->

# Benchmarks

The same two endpoints, \`GET\` and \`POST\` of assistants, in this service and in what teams use instead, each written as its own
documentation advises (\`bench/peers\`): a JWT is verified by aws-jwt-verify, the request validated, one item read or written by the
same AWS SDK. Ours does more besides: it logs a line with metrics, tells all faults of a body at once, and has entity tags,
idempotency and API keys.

Measured on ${results.measuredOn}.

Fresh processes that take turns: what else the machine does slows down all of a round. Medians, and in brackets between which
two measurements the true median lies with 95 % probability. Ratios are those within a round, and of the processor's time, which
neighbours on a shared machine change least. Only ratios carry over to another machine.

## Goals

${goals.filter(isHit).length} of ${goals.length} are hit.

${goalsTable(goals)}

## Starts

From an empty process of Node to the first answer, ${rounds} rounds. DynamoDB is a stub that answers at once. *Usual* is an ESM bundle,
minified; *tuned* is how this service is built (\`infra/bundle.ts\`). Memory is resident, after the load. We have a function for each
endpoint, the others have both in one.

Milliseconds of the processor, but for those at the clock. *On Lambda* is reckoned, not measured: while a function starts it has a
whole core, from its first event on a share of one, 0.29 at 512 MB. So the first answer counts 3.5 times, and what is done before
it is nearly free ([decision 13](decisions/0013-start-up-work.md)).

${startsTable(results)}

Every function of the service, as it is deployed, with the embedded services behind it. The ids in their events are made up: a
404 has looked for what it names.

${functionsTable(results)}

## Calls

Microseconds of the processor that a call takes in a warm process, the SDK, the HTTP client and the token's check included, and how
much more than by hand. Tuned builds, all loaded into one process, in which they take turns in blocks of calls. Logs go to a
file that keeps nothing.

${callsTable(results)}

## Memory

After ${results.soaked[0]?.calls.toLocaleString('en')} calls one after another, with 512 MB allowed.

${memoryTable(results)}

## Data and money

What \`test/api/costs.test.ts\` measures, and what a million of it costs in \`prod\`, by [the prices and assumptions](costs.md) there.

${requestsTable()}

A million voice calls, each of which reads its configuration, searches and saves its log, cost $${dollars.toFixed(2)}. A hosted service that
takes $0.05 a minute, as [Vapi did](costs.md), takes $50,000 for a million of one minute, and runs the workers for it. With the
other stacks above a request would cost the same but for the time of its function.

${sectionOf(readScale())}`;
}
