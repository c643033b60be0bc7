import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Ask, eventOf } from '../../bench/scale/event.ts';
import { type Asking, askingsOf, pages } from '../../bench/scale/requests.ts';
import { type Specimen, specimenIn } from '../../bench/scale/specimen.ts';
import { type Size, worldIn } from '../../bench/scale/world.ts';
import { lookAt } from '../../infra/data/verifier.ts';
import { routes } from '../../shared/routes/index.ts';
import { deployed, type Reply, send, tokenFor } from '../support/api.ts';
import { placeAt } from '../support/recovery.ts';
import { readsOf } from '../support/tenancy.ts';

/** As `npm run bench:scale` has it, and far less of it. */
const sizeOf = (times: number): Size => ({
  users: 0,
  each: { assistants: 0, knowledgeBases: 0, credentials: 0, apiKeys: 0, sessions: 0 },
  builder: { assistants: 50 * times, knowledgeBases: 50 * times, credentials: 50 * times, apiKeys: 90, sessions: 0 },
  callCentre: { assistants: 1, knowledgeBases: 0, credentials: 0, apiKeys: 0, sessions: 72 * times },
  days: 30,
});

/** Sends a request that is written down as an event. */
async function sent({ httpMethod, path, queryStringParameters, ...event }: APIGatewayProxyEvent): Promise<Reply> {
  const { headers, body, isBase64Encoded } = event;
  const query = new URLSearchParams(queryStringParameters as Record<string, string>);
  const own = Object.entries(headers).flatMap(([name, value = '']) =>
    /^(authorization|content-type)$/i.test(name) ? [[name.toLowerCase(), value]] : [],
  );
  const reply = await send(httpMethod, `${path}?${query}`, {
    headers: Object.fromEntries(own),
    body: body === null ? undefined : isBase64Encoded ? Buffer.from(body, 'base64') : body,
  });
  if (reply.status !== 200) throw new Error(`${httpMethod} ${path}: ${reply.status} ${reply.text}`);
  return reply;
}

interface Units {
  round_trips: number;
  read_units: number;
  write_units: number;
}

const nameOf = ({ route, what }: Asking) => `${route}, ${what}`;

describe.skipIf(deployed)('with ten times the data', () => {
  const few = new Map<string, Units>();
  const many = new Map<string, Units>();
  const ask: Ask = async (...asked) => (await sent(eventOf(...asked))).text;
  const filling = { place: placeAt(), tokenFor, ask };
  let specimen: Specimen;
  let askings: Asking[] = [];

  beforeAll(async () => {
    specimen = await specimenIn(filling);
    for (const [times, units] of [
      [1, few],
      [10, many],
    ] as const) {
      const world = { ...filling, specimen, size: sizeOf(times) };
      askings = askingsOf(await worldIn(world, randomUUID()));
      for (const asking of askings)
        units.set(nameOf(asking), (await readsOf(await sent(asking.event(0)))) as unknown as Units);
    }
  });

  it('the rows are such as the service writes, but for files, which nobody reads', async () => {
    const { builder, callCentre } = await worldIn({ ...filling, specimen, size: sizeOf(1) }, randomUUID());
    for (const { owner } of [builder, callCentre]) {
      const { held, faults } = await lookAt(filling.place, owner, { graceMs: 0, secrets: false });
      expect([...held.rows.keys()].length).toBeGreaterThan(3);
      expect(faults.filter(({ rule }) => rule !== 'a row names a file that is missing')).toEqual([]);
    }
  });

  it('every route is asked', () => {
    const asked = new Set(askings.map(({ route }) => route));
    expect(routes.filter(({ id }) => !asked.has(id))).toEqual([]);
  });

  it('what is read and written by key, and a page of a list, take the same', () => {
    const same = askings.filter(({ kind }) => kind !== 'whole').map(nameOf);
    const of = (units: Map<string, Units>) => same.map((name) => [name, units.get(name)]);
    expect(same.length).toBeGreaterThan(30);
    expect(of(many)).toEqual(of(few));
  });

  it('a page of logs reads its heads at once, then ten transcripts at a time, one more than it shows', () => {
    expect(many.get('logs/list, a page of 20')?.round_trips).toBe(1 + 3);
    expect(many.get('logs/list, a page of 40')?.round_trips).toBe(1 + 5);
  });

  it('twice the page takes at most twice the units', () => {
    const [short, long] = pages.map((page) => askings.filter((one) => one.page === page));
    const unitsOf = (list: Asking[] = []) => list.map((one) => many.get(nameOf(one))?.read_units ?? 0);
    const [less, more] = [unitsOf(short), unitsOf(long)];
    expect(less.length).toBe(6);
    expect(more.map((units, i) => units / (less[i] ?? 0)).filter((ratio) => ratio <= 1 || ratio > 2)).toEqual([]);
  });
});
