import { readMeasured } from '../../infra/cost/measured.ts';
import type { Probed } from './probe.ts';
import { coldOf, onLambda, processor, warmOf } from './ratios.ts';
import type { Results } from './results.ts';
import { excessOf, ratioOf, type Spread, spreadOf } from './spread.ts';
import { type Build, buildNames, type Endpoint, endpoints, peers, type Stack } from './stacks.ts';

/** What the service is to reach, and whether it does. */
export interface Goal {
  what: string;
  /** The most that it may be. */
  limit: number;
  unit: string;
  value: number;
  /** Where the measurement has noise. */
  spread?: Spread;
  /** What keeps it from being reached, where it is not. */
  held: string;
}

export const isHit = ({ value, limit }: Goal): boolean => value <= limit;

const endpointNames = Object.keys(endpoints) as Endpoint[];

/** The framework that starts fastest when it is built as we are. */
export function bestPeer({ cold }: Results, endpoint: Endpoint): Stack {
  const frameworks = (Object.keys(peers) as Stack[]).filter((stack) => stack !== 'hand-written');
  const medianOf = (stack: Stack) => spreadOf(coldOf(cold, { stack, build: 'tuned', endpoint }, processor)).median;
  return frameworks.reduce((best, stack) => (medianOf(stack) < medianOf(best) ? stack : best));
}

const handWrittenHeld =
  'The SDK is most of the bundle and of a start in both. Beyond it we have middy, valibot, and what is checked, told and counted ' +
  'of each request: about 24 KB.';

/** Two ways to look at a start: the work, and the time it takes where the processor is shared out as on Lambda. */
const views: Record<string, (probed: Probed) => number> = { 'of the processor': processor, 'on Lambda': onLambda };

function startGoals(results: Results): Goal[] {
  const best = (endpoint: Endpoint) => bestPeer(results, endpoint);
  const cases = endpointNames.flatMap((endpoint) => [
    ...buildNames.map((build) => ({ endpoint, build, peer: 'hand-written' as Stack, limit: 1 })),
    { endpoint, build: 'tuned' as Build, peer: best(endpoint), limit: 0.65 },
  ]);
  return Object.entries(views).flatMap(([view, of]) =>
    cases.map(({ endpoint, build, peer, limit }) => {
      const startOf = (stack: Stack) => coldOf(results.cold, { stack, build, endpoint }, of);
      const against = (stack: Stack) => ratioOf(startOf(stack), startOf(peer));
      const spread = against('ours');
      const byHand = against('hand-written').median.toFixed(2);
      const what = `Start to first answer ${view}, ${endpoint}, ${build} build, against ${peer}`;
      const held =
        peer === 'hand-written'
          ? handWrittenHeld
          : `The SDK, which is most of a start in either: no framework at all, by hand, is ${byHand} ×.`;
      return { what, limit, unit: '×', value: spread.median, spread, held };
    }),
  );
}

function callGoals({ warm }: Results): Goal[] {
  const goal = (name: 'read' | 'write', limit: number): Goal => {
    const spread = excessOf(warmOf(warm, 'ours', name), warmOf(warm, 'hand-written', name));
    return {
      what: `A warm ${name}, over the hand-written one`,
      limit,
      unit: 'µs',
      value: spread.median,
      spread,
      held: 'What the hand-written one does not do: a line of log with metrics, entity tags, every fault of a body, ids that sort.',
    };
  };
  return [goal('read', 20), goal('write', 30)];
}

function memoryGoals({ soaked }: Results): Goal[] {
  const ours = soaked.filter(({ stack }) => stack === 'ours');
  return ours.flatMap(({ endpoint, calls, probed }) => {
    const byHand = soaked.find((one) => one.stack === 'hand-written' && one.endpoint === endpoint)?.probed;
    return [
      {
        what: `Memory after the load, ${endpoint}`,
        limit: 60,
        unit: 'MB',
        value: probed.loadedMb,
        held: `Node itself, 47 MB, and the SDK: by hand it is ${byHand?.loadedMb.toFixed(0)} MB.`,
      },
      {
        what: `Memory after ${calls.toLocaleString('en')} calls, ${endpoint}`,
        limit: 100,
        unit: 'MB',
        value: probed.residentMb,
        held:
          'What V8 keeps of compiled code and of its old generation; the young one is bounded ' +
          `([decision 12](decisions/0012-young-generation.md)). By hand it is ${byHand?.residentMb.toFixed(0)} MB. Lambda bills what is allowed, not what is taken.`,
      },
    ];
  });
}

/** Throws where a request is not measured. */
function measured(route: string, name: string) {
  const found = readMeasured().find((one) => one.route === route && one.case === name);
  if (!found) throw new Error(`${route}, "${name}", is not in infra/cost/measured.csv`);
  return found;
}

const keyed: [route: string, name: string][] = [
  ['assistants/get', '2 KB'],
  ['assistants/language-config', '2 KB'],
  ['knowledge-bases/get', 'one'],
  ['logs/get', '20 turns'],
  ['assistants/create', '2 KB'],
  ['knowledge-bases/create-upload', 'a form for 5 MB'],
  ['assistants/delete', '2 KB'],
];

const trips = ([route, name]: [string, string]) => measured(route, name).round_trips;

const dataGoals = (): Goal[] => [
  {
    what: 'Round trips of `/protected` with a JWT',
    limit: 0,
    unit: '',
    value: trips(['protected/check', 'with a JWT']),
    held: '',
  },
  {
    what: `Round trips of a read or write by key: ${keyed.map(([route]) => `\`${route}\``).join(', ')}`,
    limit: 1,
    unit: '',
    value: Math.max(...keyed.map(trips)),
    held: '',
  },
  {
    what: 'The same with an `Idempotency-Key`, or where something is attached',
    limit: 2,
    unit: '',
    value: Math.max(
      trips(['assistants/create', '2 KB, with an `Idempotency-Key`']),
      trips(['assistants/get', '2 KB, two attached']),
    ),
    held: '',
  },
  {
    what: 'Round trips of a write that rests on what is stored: `assistants/update`, `credentials/delete`',
    limit: 1,
    unit: '',
    value: Math.max(trips(['assistants/update', 'one field of 2 KB']), trips(['credentials/delete', 'by name'])),
    held: 'It reads, merges or looks for the name, and writes on condition that nobody else has: [data model](data-model.md).',
  },
  {
    what: 'Write units of a log of 150 turns',
    limit: 8,
    unit: '',
    value: measured('logs/create', '150 turns, in S3').write_units,
    held: '',
  },
  {
    what: 'Read units of a page of 20 sessions',
    limit: 1,
    unit: '',
    value: measured('logs/sessions', 'a page of 20').read_units,
    held:
      'A session has about half a kilobyte, and is read strongly consistent: [a decision](data-model.md#consistency). Eventually ' +
      'consistent it would be half, and 1 only with smaller rows besides. A million pages would cost $0.25 less.',
  },
  {
    what: 'Queries of a list of 50 assistants',
    limit: 1,
    unit: '',
    value: measured('assistants/list', '50 of 2 KB').round_trips,
    held: '',
  },
];

/** All goals, in the order of the page. */
export const goalsOf = (results: Results): Goal[] => [
  ...startGoals(results),
  ...callGoals(results),
  ...memoryGoals(results),
  ...dataGoals(),
];
