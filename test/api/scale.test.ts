import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildEvent, type SendRequest } from '../../bench/scale/event.ts';
import { asksOthers, buildRequests, pageSizes, type ScaleRequest } from '../../bench/scale/requests.ts';
import { createSample, type Sample } from '../../bench/scale/sample.ts';
import { createWorld, type DataSize } from '../../bench/scale/world.ts';
import { verifyUser } from '../../infra/commands/data/verify/verifier.ts';
import { routes } from '../../shared/routes/index.ts';
import { createToken, deployed, type Reply, send } from '../support/api.ts';
import { createDeployment } from '../support/recovery.ts';
import { getRequestCost } from '../support/tenancy.ts';

/** Builds a much smaller data set than that of `npm run bench:scale`. */
const buildSize = (times: number): DataSize => ({
  users: 0,
  each: { assistants: 0, knowledgeBases: 0, credentials: 0, apiKeys: 0, sessions: 0, webhooks: 0 },
  builder: {
    assistants: 100 * times, // as many as a list of models has
    knowledgeBases: 50 * times,
    credentials: 50 * times,
    apiKeys: 90,
    sessions: 0,
    webhooks: 0,
  },
  callCentre: { assistants: 1, knowledgeBases: 0, credentials: 0, apiKeys: 0, sessions: 72 * times, webhooks: 10 },
  days: 3, // so that each day has all of its rows
});

/** Sends the request of a Lambda event over HTTP. */
async function sendEvent({ httpMethod, path, queryStringParameters, ...event }: APIGatewayProxyEvent): Promise<Reply> {
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

const toName = ({ route, what }: ScaleRequest) => `${route}, ${what}`;

describe.skipIf(deployed)('with ten times the data', () => {
  const few = new Map<string, Units>();
  const many = new Map<string, Units>();
  const ask: SendRequest = async (...asked) => (await sendEvent(buildEvent(...asked))).text;
  const filling = { place: createDeployment(), tokenFor: createToken, ask };
  let specimen: Sample;
  let requests: ScaleRequest[] = [];

  beforeAll(async () => {
    specimen = await createSample(filling);
    for (const [times, units] of [
      [1, few],
      [10, many],
    ] as const) {
      const world = { ...filling, specimen, size: buildSize(times) };
      requests = buildRequests(await createWorld(world, randomUUID()));
      for (const request of requests)
        units.set(toName(request), (await getRequestCost(await sendEvent(request.event(0)))) as unknown as Units);
    }
  });

  it('the sample rows are valid, except that files are missing', async () => {
    const { builder, callCentre } = await createWorld({ ...filling, specimen, size: buildSize(1) }, randomUUID());
    for (const { owner } of [builder, callCentre]) {
      const { inventory, faults } = await verifyUser(filling.place, owner, { graceMs: 0, secrets: false });
      expect([...inventory.rows.keys()].length).toBeGreaterThan(3);
      expect(faults.filter(({ rule }) => rule !== 'a row names a file that is missing')).toEqual([]);
    }
  });

  it('every route is measured', () => {
    const asked = new Set(requests.map(({ route }) => route));
    expect(routes.filter(({ id }) => !asked.has(id) && !asksOthers.includes(id))).toEqual([]);
  });

  it('requests by key and pages of a list use the same number of units', () => {
    const same = requests.filter(({ kind }) => kind !== 'whole').map(toName);
    const listUnits = (units: Map<string, Units>) => same.map((name) => [name, units.get(name)]);
    expect(same.length).toBeGreaterThan(30);
    expect(listUnits(many)).toEqual(listUnits(few));
  });

  it('a page of logs reads its rows in one round trip, then one transcript more than it shows, ten at a time', () => {
    expect(many.get('logs/list, a page of 20')?.round_trips).toBe(1 + 3);
    expect(many.get('logs/list, a page of 40')?.round_trips).toBe(1 + 5);
  });

  it('a page of twice the size uses at most twice the units', () => {
    const [short, long] = pageSizes.map((page) => requests.filter((one) => one.page === page));
    const listReadUnits = (list: ScaleRequest[] = []) => list.map((one) => many.get(toName(one))?.read_units ?? 0);
    const [less, more] = [listReadUnits(short), listReadUnits(long)];
    expect(less.length).toBe(10);
    expect(more.map((units, i) => units / (less[i] ?? 0)).filter((ratio) => ratio <= 1 || ratio > 2)).toEqual([]);
  });
});
