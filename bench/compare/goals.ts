import { readMeasurements } from '../../infra/commands/cost/measured.ts';
import type { ProbeResult } from './probe.ts';
import { estimateLambdaTime, getColdValues, getProcessorTime, getWarmTimes } from './ratios.ts';
import type { Results } from './results.ts';
import { type Spread, toExcess, toRatio, toSpread } from './spread.ts';
import { type Build, buildNames, type Endpoint, endpoints, peers, type Stack } from './stacks.ts';

/** Performance goal with the measured value. */
export interface Goal {
  what: string;
  /** Maximum of the value. */
  limit: number;
  unit: string;
  value: number;
  /** Range of the value, if the measurement has noise. */
  spread?: Spread;
  /** Reason why the goal is missed, if it is. */
  explanation: string;
}

export const isMet = ({ value, limit }: Goal): boolean => value <= limit;

const endpointNames = Object.keys(endpoints) as Endpoint[];

/** Returns the framework that starts fastest in the build of this service. */
export function findBestPeer({ cold }: Results, endpoint: Endpoint): Stack {
  const frameworks = (Object.keys(peers) as Stack[]).filter((stack) => stack !== 'hand-written');
  const getMedian = (stack: Stack) =>
    toSpread(getColdValues(cold, { stack, build: 'tuned', endpoint }, getProcessorTime)).median;
  return frameworks.reduce((best, stack) => (getMedian(stack) < getMedian(best) ? stack : best));
}

const handWrittenExplanation =
  'The SDK dominates both. This service adds 24 KB: middy, valibot, validation, logging, metrics.';

/** Two measures of a start: its CPU time, and its estimated duration on Lambda. */
const views: Record<string, (probed: ProbeResult) => number> = {
  'CPU time': getProcessorTime,
  'on Lambda': estimateLambdaTime,
};

function buildStartGoals(results: Results): Goal[] {
  const best = (endpoint: Endpoint) => findBestPeer(results, endpoint);
  const cases = endpointNames.flatMap((endpoint) => [
    ...buildNames.map((build) => ({ endpoint, build, peer: 'hand-written' as Stack, limit: 1 })),
    { endpoint, build: 'tuned' as Build, peer: best(endpoint), limit: 0.65 },
  ]);
  return Object.entries(views).flatMap(([view, of]) =>
    cases.map(({ endpoint, build, peer, limit }) => {
      const getStart = (stack: Stack) => getColdValues(results.cold, { stack, build, endpoint }, of);
      const getRatio = (stack: Stack) => toRatio(getStart(stack), getStart(peer));
      const spread = getRatio('ours');
      const byHand = getRatio('hand-written').median.toFixed(2);
      const what = `Cold start, ${view}, ${endpoint}, ${build} build, against ${peer}`;
      const explanation =
        peer === 'hand-written'
          ? handWrittenExplanation
          : `The SDK dominates both: hand-written code, without a framework, needs ${byHand} ×.`;
      return { what, limit, unit: '×', value: spread.median, spread, explanation };
    }),
  );
}

function buildCallGoals({ warm }: Results): Goal[] {
  const goal = (name: 'read' | 'write', limit: number): Goal => {
    const spread = toExcess(getWarmTimes(warm, 'ours', name), getWarmTimes(warm, 'hand-written', name));
    return {
      what: `Warm ${name}, difference to the hand-written one`,
      limit,
      unit: 'µs',
      value: spread.median,
      spread,
      explanation:
        'Features that the hand-written one lacks: a log line with metrics, entity tags, all faults of a body, sortable ids.',
    };
  };
  return [goal('read', 20), goal('write', 30)];
}

function buildMemoryGoals({ soaked }: Results): Goal[] {
  const ours = soaked.filter(({ stack }) => stack === 'ours');
  return ours.flatMap(({ endpoint, calls, probed }) => {
    const byHand = soaked.find((one) => one.stack === 'hand-written' && one.endpoint === endpoint)?.probed;
    return [
      {
        what: `Memory after the load, ${endpoint}`,
        limit: 60,
        unit: 'MB',
        value: probed.loadedMb,
        explanation: `Node (47 MB) and the SDK. Hand-written: ${byHand?.loadedMb.toFixed(0)} MB.`,
      },
      {
        what: `Memory after ${calls.toLocaleString('en')} requests, ${endpoint}`,
        limit: 100,
        unit: 'MB',
        value: probed.residentMb,
        explanation:
          'V8 limits only its young generation ([decision 12](decisions/0012-young-generation.md)). ' +
          `Hand-written: ${byHand?.residentMb.toFixed(0)} MB. Lambda bills configured memory.`,
      },
    ];
  });
}

/** Returns the measured costs of a request. Throws if it was not measured. */
function getMeasured(route: string, name: string) {
  const found = readMeasurements().find((one) => one.route === route && one.case === name);
  if (!found) throw new Error(`${route}, "${name}", is not in infra/commands/cost/measured.csv`);
  return found;
}

const keyedRequests: [route: string, name: string][] = [
  ['assistants/get', '2 KB'],
  ['assistants/language-config', '2 KB'],
  ['knowledge-bases/get', 'one'],
  ['logs/get', '20 turns'],
  ['assistants/create', '2 KB'],
  ['knowledge-bases/create-upload', 'a form for 5 MB'],
  ['assistants/delete', '2 KB'],
];

const getRoundTrips = ([route, name]: [string, string]) => getMeasured(route, name).round_trips;

const buildDataGoals = (): Goal[] => [
  {
    what: 'Round trips of `/protected` with a JWT',
    limit: 0,
    unit: '',
    value: getRoundTrips(['protected/check', 'with a JWT']),
    explanation: '',
  },
  {
    what: `Round trips of a read or write by key: ${keyedRequests.map(([route]) => `\`${route}\``).join(', ')}`,
    limit: 1,
    unit: '',
    value: Math.max(...keyedRequests.map(getRoundTrips)),
    explanation: '',
  },
  {
    what: 'The same with an `Idempotency-Key`, or with an attached knowledge base',
    limit: 2,
    unit: '',
    value: Math.max(
      getRoundTrips(['assistants/create', '2 KB, with an `Idempotency-Key`']),
      getRoundTrips(['assistants/get', '2 KB, two attached']),
    ),
    explanation: '',
  },
  {
    what: 'Round trips of a write that depends on the stored row: `assistants/update`, `credentials/delete`',
    limit: 1,
    unit: '',
    value: Math.max(
      getRoundTrips(['assistants/update', 'one field of 2 KB']),
      getRoundTrips(['credentials/delete', 'by name']),
    ),
    explanation:
      'It reads the row first, then writes on the condition that nothing has changed: [data model](data-model.md).',
  },
  {
    what: 'Write units of a log of 150 turns',
    limit: 8,
    unit: '',
    value: getMeasured('logs/create', '150 turns, in S3').write_units,
    explanation: '',
  },
  {
    what: 'Read units of a page of 20 sessions',
    limit: 1,
    unit: '',
    value: getMeasured('logs/sessions', 'a page of 20').read_units,
    explanation:
      'A session has half a kilobyte, and reads are strongly [consistent](data-model.md#consistency). Eventually consistent reads ' +
      'would need half; a million pages would cost $0.25 less.',
  },
  {
    what: 'Queries of a list of 50 assistants',
    limit: 1,
    unit: '',
    value: getMeasured('assistants/list', '50 of 2 KB').round_trips,
    explanation: '',
  },
];

/** Returns all goals in the order of the page. */
export const buildGoals = (results: Results): Goal[] => [
  ...buildStartGoals(results),
  ...buildCallGoals(results),
  ...buildMemoryGoals(results),
  ...buildDataGoals(),
];
