import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { readArguments } from '../infra/terminal/arguments.ts';
import { createProgressLine } from '../infra/terminal/progress.ts';
import { run, UserError } from '../infra/terminal/user-error.ts';
import type { Analytics, Stats, UsageNumbers } from '../shared/schemas/usage.ts';
import { openSubject } from '../test/fuzz/subjects.ts';
import type { Sender } from '../test/fuzz/wire.ts';
import { quantile } from './corpus.ts';
import { writeResult } from './result.ts';

/** Calls that are saved at the same time. */
const lanes = 6;

/** Days over which the calls are spread, up to today. */
const days = 360;
const dayMs = 86_400_000;

const prices = { 'llm:openai/*': { input: 0.4, output: 1.6 }, call: { per_minute: 0.01 } };
const models = ['gpt-4.1', 'gpt-4.1-mini', 'gpt-5'];

/** One version of a call log, and what it counts. */
interface Telling {
  turns: number;
  seconds: number;
  model: string;
  input: number;
  output: number;
  /** Latencies of the turns, in milliseconds. */
  latencies: number[];
}

interface Call {
  room: string;
  assistant: string;
  version: number;
  startedAt: string;
  /** From the shortest to the longest. */
  tellings: Telling[];
  isDeleted: boolean;
  /**
   * Expected sessions by id: the longest version that was saved. A version that arrives after a longer one becomes a separate session.
   */
  counted: Map<string, Telling>;
}

/** A session, and what counts of it. */
type Counted = Omit<Call, 'tellings' | 'counted'> & { telling: Telling };

/** Returns whole numbers below a bound, the same ones for the same seed. */
function createRandom(seed: string): (bound: number) => number {
  let drawn = 0;
  return (bound) => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE() % bound;
}

/** Draws a call that is saved up to three times, each time with more turns added. */
function drawCall(index: number, assistants: readonly string[], draw: (bound: number) => number, now: number): Call {
  const tellings: Telling[] = [];
  for (let i = 0; i <= draw(3); i++) {
    const { latencies: earlier } = tellings.at(-1) ?? { latencies: [] };
    const latencies = [...earlier, ...Array.from({ length: 1 + draw(6) }, () => 100 + draw(7_000))];
    const turns = latencies.length;
    tellings.push({
      turns,
      seconds: 10 * turns + draw(10),
      model: models[draw(models.length)] ?? '',
      input: draw(100_000),
      output: draw(10_000),
      latencies,
    });
  }
  return {
    room: `room ${index}`,
    assistant: assistants[draw(assistants.length)] ?? '',
    version: draw(4),
    startedAt: new Date(now - draw(days) * dayMs - draw(3_600_000)).toISOString(),
    tellings,
    isDeleted: draw(5) === 0,
    counted: new Map(),
  };
}

const toLog = (
  { room, assistant, version, startedAt }: Call,
  { turns, seconds, model, input, output, latencies }: Telling,
) => ({
  assistant_id: assistant,
  room_name: room,
  started_at: startedAt,
  session_duration: seconds,
  ...(version > 0 && { assistant_version: version }),
  transcript: Array.from({ length: turns }, (_, i) => ({
    id: `turn ${i}`,
    role: 'assistant',
    content: `Turn ${i}`,
    metrics: { e2e_latency: (latencies[i] ?? 0) / 1000 },
  })),
  usage: [{ type: 'llm_usage', provider: 'openai', model, input_tokens: input, output_tokens: output }],
});

/** A user of the service. */
class Client {
  readonly #send: Sender;
  readonly #token: string;
  requests = 0;

  constructor(send: Sender, token: string) {
    this.#send = send;
    this.#token = token;
  }

  /** Sends a request until it has an answer that is final: what is busy or lost is sent again, as workers do. */
  async call<T>(method: string, target: string, body?: object): Promise<T> {
    for (let tries = 0; tries < 50; tries++) {
      this.requests += 1;
      const answer = await this.#send({
        method,
        target,
        headers: [
          ['authorization', `Bearer ${this.#token}`],
          ['content-type', 'application/json'],
        ],
        body: Buffer.from(body ? JSON.stringify(body) : ''),
      });
      if (answer.status < 300) return (answer.body ? JSON.parse(answer.body) : undefined) as T;
      if (answer.status !== 409 && answer.status !== 503)
        throw new Error(`${method} ${target}: ${answer.status} ${answer.body}`);
    }
    throw new Error(`${method} ${target} had no answer in 50 tries`);
  }
}

/** Saves the tellings of a call in any order, some at the same time and some twice. Then deletes the call, if it is to be. */
async function saveCall(client: Client, call: Call, draw: (bound: number) => number): Promise<void> {
  const order = call.tellings
    .flatMap((telling) => (draw(4) === 0 ? [telling, telling] : [telling]))
    .map((telling) => ({ telling, place: draw(1_000) }))
    .toSorted((one, other) => one.place - other.place);
  const save = async ({ telling }: { telling: Telling }) => {
    const { data } = await client.call<{ data: { id: string } }>('POST', '/logs/call-logs', toLog(call, telling));
    if (telling.turns > (call.counted.get(data.id)?.turns ?? 0)) call.counted.set(data.id, telling);
    return data.id;
  };
  const race = order.splice(0, draw(3) === 0 ? 2 : 1);
  let [saved] = await Promise.all(race.map(save));
  for (const one of order) saved = await save(one);
  if (call.isDeleted && saved) await client.call('DELETE', `/logs/chat-logs/${saved}`);
}

/** Expected answers for some calls. */
interface Recount {
  calls: number;
  minutes: number;
  messages: number;
  input: number;
  output: number;
  cost: number;
  turns: number;
}

const round = (value: number, digits: number) => Number(value.toFixed(digits));

/** Computes the expected counts from the calls that were sent. */
function recount(calls: readonly Counted[]): Recount {
  const sum = { calls: 0, minutes: 0, messages: 0, input: 0, output: 0, cost: 0, turns: 0 };
  for (const { telling: last } of calls) {
    sum.calls += 1;
    sum.minutes += last.seconds;
    sum.messages += last.turns;
    sum.turns += last.turns;
    sum.input += last.input;
    sum.output += last.output;
    sum.cost += Math.round(last.input * 0.4 + last.output * 1.6) + Math.round((last.seconds * 0.01 * 1e6) / 60);
  }
  return { ...sum, minutes: round(sum.minutes / 60, 3), cost: round(sum.cost / 1e6, 6) };
}

const toRecount = ({ calls, minutes, messages, tokens, cost, latency }: UsageNumbers): Recount => ({
  calls,
  minutes,
  messages,
  input: tokens.input,
  output: tokens.output,
  cost: cost ?? 0,
  turns: latency.e2e?.turns ?? 0,
});

/** Lists the differences between what was counted and what was sent, for each key. */
function compare(what: string, found: Map<string, unknown>, expected: Map<string, unknown>): string[] {
  const keys = new Set([...found.keys(), ...expected.keys()]);
  return [...keys].flatMap((key) =>
    isDeepStrictEqual(found.get(key), expected.get(key))
      ? []
      : [`${what} ${key}: ${JSON.stringify(found.get(key))} instead of ${JSON.stringify(expected.get(key))}`],
  );
}

const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Bounds of the histogram, in milliseconds (docs/usage.md). */
const bounds = [0, 200, 300, 400, 500, 600, 800, 1_000, 1_200, 1_500, 2_000, 2_500, 3_000, 4_000, 5_000, 7_500, 10_000];
const findBucket = (ms: number) => bounds.findLastIndex((bound) => bound <= ms);

/** Reads everything and compares it with the calls. Returns the differences. */
async function compareAll(client: Client, calls: readonly Counted[], now: number): Promise<string[]> {
  const from = toDay(now - (days + 1) * dayMs);
  const read = async (query: string) =>
    (await client.call<{ data: Analytics }>('GET', `/analytics/usage?${query}`)).data;
  const group = (toKey: (call: Counted) => string) =>
    new Map([...Map.groupBy(calls, toKey)].map(([key, group]) => [key, recount(group)] as const));

  const { data: stats } = await client.call<{ data: Stats }>('GET', `/usage/stats?from=${from}`);
  const byDay = await read(`from=${from}`);
  const faults = [
    ...compare('in all', new Map([['', toRecount(stats)]]), new Map([['', recount(calls)]])),
    ...compare(
      'on',
      new Map(byDay.series.map((entry) => [entry.interval, toRecount(entry)])),
      group(({ startedAt }) => startedAt.slice(0, 10)),
    ),
  ];

  // Grouped by assistant and version, a period has at most 92 days.
  for (let start = now - (days + 1) * dayMs; start <= now; start += 90 * dayMs) {
    const [first, last] = [toDay(start), toDay(start + 89 * dayMs)];
    const inPeriod = calls.filter(({ startedAt }) => startedAt.slice(0, 10) >= first && startedAt.slice(0, 10) <= last);
    const { series } = await read(`from=${first}&to=${last}&group_by=version&interval=day`);
    const expected = Map.groupBy(
      inPeriod,
      (call) => `${call.startedAt.slice(0, 10)} ${call.assistant}/${call.version}`,
    );
    faults.push(
      ...compare(
        'for',
        new Map(series.map((entry) => [`${entry.interval} ${entry.key}`, toRecount(entry)])),
        new Map([...expected].map(([key, group]) => [key, recount(group)])),
      ),
    );
  }

  const tokens = new Map(
    stats.models.map(({ model, input_tokens, output_tokens }) => [model, [input_tokens, output_tokens]]),
  );
  const byModel = group(({ telling }) => telling.model);
  faults.push(
    ...compare('by', tokens, new Map([...byModel].map(([model, { input, output }]) => [model, [input, output]]))),
  );

  const latencies = calls.flatMap(({ telling }) => telling.latencies);
  for (const [name, share] of [
    ['p50', 0.5],
    ['p90', 0.9],
    ['p95', 0.95],
    ['p99', 0.99],
  ] as const) {
    const [said, exact] = [stats.latency.e2e?.[name] ?? 0, quantile(latencies, share)];
    // An estimate at the upper end of a bucket is that bucket's.
    if (![findBucket(said), findBucket(said - 1)].includes(findBucket(exact)))
      faults.push(`${name} is ${said} ms instead of ${exact} ms`);
  }
  return faults;
}

/** Measures how long a request takes, in milliseconds: the median of eleven. */
async function time(client: Client, target: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 11; i++) {
    const startedAt = performance.now();
    await client.call('GET', target);
    times.push(performance.now() - startedAt);
  }
  return Math.round(quantile(times, 0.5));
}

const usage = `Usage: npm run bench:usage -- [--calls 10000] [--seed 1] [--json file]
Saves random calls, some of them several times, at once or as longer versions, deletes some, and compares the usage with a recount.`;

run(async () => {
  const options = {
    calls: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
  } as const;
  const { calls: count, seed, json } = readArguments(usage, { options }).values;
  if (process.env.BASE_URL) throw new UserError('The usage is compared for a new user: run it without BASE_URL');
  const api = await openSubject();
  const say = createProgressLine();
  try {
    const client = new Client(api.send, (await api.createUser()).person);
    await client.call('PUT', '/usage/prices', { currency: 'EUR', entries: prices });
    const assistants: string[] = [];
    for (let i = 0; i < 5; i++) {
      const body = { name: `Assistant ${i}`, system_instruction: 'You answer the phone.' };
      assistants.push((await client.call<{ id: string }>('POST', '/assistants', body)).id);
    }
    const now = Date.now();
    const draw = createRandom(seed);
    const calls = Array.from({ length: Number(count) }, (_, i) => drawCall(i, assistants, draw, now));
    const waiting = [...calls];
    const saveLane = async () => {
      for (let call = waiting.shift(); call; call = waiting.shift()) {
        await saveCall(client, call, draw);
        say(`${(calls.length - waiting.length).toLocaleString('en')} of ${calls.length.toLocaleString('en')} calls`);
      }
    };
    await Promise.all(Array.from({ length: lanes }, saveLane));
    say('');
    const counted = calls.flatMap(({ counted, ...call }) =>
      [...counted.values()].map((telling) => ({ ...call, telling })),
    );
    const faults = await compareAll(client, counted, now);
    const detail = {
      requests: client.requests,
      sessions: counted.length,
      deleted: calls.filter(({ isDeleted }) => isDeleted).length,
      'ms for 30 days': await time(client, '/usage/stats'),
      'ms for a year by day': await time(client, `/analytics/usage?from=${toDay(now - 365 * dayMs)}`),
    };
    console.log(faults.slice(0, 10).join('\n') || 'Every number is that of the recount');
    console.log(detail);
    const what = 'Calls that are saved again, longer, at once and deleted: their usage, recounted';
    const command = `npm run bench:usage -- --calls ${count}`;
    writeResult(json, { what, command, cases: calls.length, failures: faults.length, seed, detail });
    if (faults.length > 0) process.exitCode = 1;
  } finally {
    await api.stop();
  }
});
