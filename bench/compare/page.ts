import { getCallCost } from '../../infra/commands/cost/report.ts';
import { synthesizeStack } from '../../infra/commands/cost/templates.ts';
import { defaultWorkload } from '../../infra/commands/cost/workload.ts';
import { formatTable } from '../../infra/terminal/markdown.ts';
import { buildDocumentSection } from '../ingestion/results.ts';
import { buildLanguageSection } from '../languages/results.ts';
import { readScale } from '../scale/results.ts';
import { buildSection } from '../scale/section.ts';
import { buildGoals, type Goal, isMet } from './goals.ts';
import type { ProbeResult } from './probe.ts';
import { estimateLambdaTime, getProcessorTime, getWarmTimes } from './ratios.ts';
import type { Results } from './results.ts';
import { type Spread, toExcess, toSpread } from './spread.ts';
import { peers } from './stacks.ts';
import { caseNames } from './world.ts';

/** Formats a median and its confidence interval. */
const formatSpread = ({ median, low, high }: Spread, digits = 0) =>
  `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;

const toKilobytes = (bytes: number) => (bytes / 1024).toFixed(0);

const stackLabels = { ours: '**this service**: middy, valibot', ...peers };

const formatSigned = (number: number) => `${number < 0 ? '−' : '+'}${Math.abs(number).toFixed(0)}`;

const startHeaders = [
  'KB:',
  'Load, ms:',
  'First response, ms:',
  'Both, ms:',
  'Both, wall time, ms:',
  'On Lambda, ms:',
  'Memory, MB:',
];

function buildStartCells(bytes: number, probes: ProbeResult[]): string[] {
  const spread = (of: (probed: ProbeResult) => number) => toSpread(probes.map(of));
  return [
    toKilobytes(bytes),
    spread(({ load }) => load.processor).median.toFixed(0),
    spread(({ answer }) => answer.processor).median.toFixed(0),
    formatSpread(spread(getProcessorTime)),
    spread(({ cold }) => cold.wall).median.toFixed(0),
    formatSpread(spread(estimateLambdaTime)),
    spread(({ loadedMb }) => loadedMb).median.toFixed(0),
  ];
}

const buildStartsTable = ({ cold }: Results) =>
  formatTable(
    ['Stack', 'Build', 'Endpoint', ...startHeaders],
    cold.map(({ bundle: { stack, build, endpoint, bytes }, probes }) => [
      stackLabels[stack],
      build,
      endpoint,
      ...buildStartCells(bytes, probes),
    ]),
  );

const buildFunctionsTable = ({ functions }: Results) =>
  formatTable(
    ['Function', 'Status', 'KB:', 'Both, ms:', 'On Lambda, ms:', 'Memory, MB:'],
    functions.map(({ name, bytes, probes }) => {
      const [kilobytes = '', , , both = '', , onLambda = '', memory = ''] = buildStartCells(bytes, probes);
      return [`\`${name}\``, String(probes[0]?.statusCode ?? '–'), kilobytes, both, onLambda, memory];
    }),
  );

function buildCallsTable({ warm }: Results): string {
  const stacks = [...new Set(warm.map(({ stack }) => stack))];
  const rows = stacks.map((stack) => [
    stackLabels[stack],
    ...caseNames.map((name) => {
      const own = getWarmTimes(warm, stack, name);
      const all = toSpread(own).median.toFixed(0);
      if (stack === 'hand-written') return all;
      const { median, low, high } = toExcess(own, getWarmTimes(warm, 'hand-written', name));
      return `${all}: ${formatSigned(median)} (${formatSigned(low)} to ${formatSigned(high)})`;
    }),
  ]);
  return formatTable(['Stack', ...caseNames.map((name) => `${name}, µs:`)], rows);
}

const buildMemoryTable = ({ soaked }: Results) =>
  formatTable(
    ['Stack', 'Endpoint', 'After the load, MB:', 'After the requests, MB:'],
    soaked.map(({ stack, endpoint, probed }) => [
      stackLabels[stack],
      endpoint,
      probed.loadedMb.toFixed(0),
      probed.residentMb.toFixed(0),
    ]),
  );

function buildGoalsTable(goals: Goal[]): string {
  const digits = ({ unit }: Goal) => (unit === '×' ? 2 : 0);
  const formatValue = (goal: Goal) =>
    goal.spread ? formatSpread(goal.spread, digits(goal)) : String(Number(goal.value.toFixed(digits(goal))));
  return formatTable(
    ['Goal', 'At most:', 'Measured:', '', 'Reason'],
    goals.map((goal) => [
      goal.what,
      `${goal.limit} ${goal.unit}`.trim(),
      `${formatValue(goal)} ${goal.unit}`.trim(),
      isMet(goal) ? 'met' : '**missed**',
      isMet(goal) ? '' : goal.explanation,
    ]),
  );
}

/** Builds docs/benchmarks.md. */
export function buildPage(results: Results): string {
  const goals = buildGoals(results);
  const rounds = results.cold[0]?.probes.length ?? 0;
  const dollars = getCallCost(defaultWorkload, synthesizeStack('prod')) * 1e6;
  return `<!-- Written by npm run bench -->

# Benchmarks

\`npm run bench\` compares \`GET\` and \`POST\` of assistants in this service and in alternative stacks, each written as its
documentation recommends (\`bench/peers\`). All verify a JWT with aws-jwt-verify, validate the request, and read or write one item with
the same AWS SDK. This service also logs metrics, reports all faults of a body, and supports entity tags, idempotency and API keys.

Measured on ${results.measuredOn}.

Figures are medians of fresh processes that take turns, with the 95 % confidence interval in brackets. Ratios compare CPU times
within a round. Only ratios apply to other machines.

## Goals

${goals.filter(isMet).length} of ${goals.length} are met.

${buildGoalsTable(goals)}

## Cold starts

From a new Node process to the first response, ${rounds} rounds, with a DynamoDB stub. *Usual* is a minified ESM bundle, *tuned* the build of
this service. Memory is resident memory after the load. This service has one function per endpoint; the others serve both from one.

Times are CPU milliseconds, except the wall time. *On Lambda* is estimated: a function has a whole core while it
starts, and then a share, 0.29 at 512 MB. So the first response counts 3.5 times ([decision 13](decisions/0013-start-up-work.md)).

${buildStartsTable(results)}

Every function as deployed, with the embedded services. The ids in the events do not exist: a 404 includes the lookup.

${buildFunctionsTable(results)}

## Warm requests

CPU microseconds of a request in a warm process, including the SDK, the HTTP client and the token check, and the difference to the
hand-written handler. Tuned builds take turns in one process. Logs are discarded.

${buildCallsTable(results)}

## Memory

After ${results.soaked[0]?.calls.toLocaleString('en')} sequential requests, with a limit of 512 MB.

${buildMemoryTable(results)}

## Cost

[Costs](costs.md) has the round trips, units and price of each request. A million voice calls, each of which reads its configuration,
searches and saves its log, cost $${dollars.toFixed(2)} in \`prod\`. A hosted service at $0.05 a minute, as [Vapi charged](costs.md), costs
$50,000 for a million one-minute calls, but also runs the workers. With the other stacks, only the duration of the function would differ.

${buildSection(readScale())}
${buildLanguageSection()}
${buildDocumentSection()}`;
}
