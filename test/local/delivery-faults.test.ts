import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FunctionRunner } from '../../infra/local/lambda/function-runner.ts';
import type { Client } from '../support/api.ts';
import { deployed } from '../support/api.ts';
import { minimal } from '../support/assistants.ts';
import { createWebhook, type DeliveryHost, listDeliveries, startDeliveryHost } from '../support/delivery-host.ts';
import { ProxiedRunner } from '../support/proxied-runner.ts';
import { answer, startReceiver } from '../support/receiver.ts';
import { drawSample } from '../support/sample.ts';
import { eventually } from '../support/timeouts.ts';

type FunctionId = 'relay' | 'deliver' | 'sweep';

const runners = new Map<string, ProxiedRunner>();
let host: DeliveryHost;

beforeAll(async () => {
  if (deployed) return;
  host = await startDeliveryHost(async (runner: FunctionRunner) => {
    const proxied = await ProxiedRunner.create(runner.spec, () => {});
    runners.set(runner.spec.description, proxied);
    return proxied;
  });
});
afterAll(() => host?.stop());

function getRunner(id: FunctionId): ProxiedRunner {
  const runner = runners.get(id);
  if (!runner) throw new Error(`The template has no function ${id}`);
  return runner;
}

/** Kills the process of a function when its n-th request was carried out. Returns a function that returns true if it did. */
function killAfter(id: FunctionId, n: number): () => boolean {
  const runner = getRunner(id);
  let count = 0;
  let isKilled = false;
  runner.proxy.decide = () => {
    if (count++ !== n) return 'pass';
    isKilled = true;
    return { answerAfter: () => runner.kill() };
  };
  return () => isKilled;
}

/** Ends all waiting by sweeps, until every delivery of a user's webhook has an outcome. */
const settle = (user: Client & { owner: string }, webhookId: string, count: number) =>
  eventually(async () => {
    await host.expireAll(user.owner);
    await host.sweep().catch(() => {}); // it may be the one that is killed
    const deliveries = await listDeliveries(user, webhookId);
    const statuses = deliveries.map(({ status }) => status);
    if (statuses.length < count || statuses.includes('pending')) throw new Error(`Still there: ${statuses}`);
    return deliveries;
  });

/** Requests that each function makes for one event, at most. */
const requestCounts = { relay: 5, deliver: 6, sweep: 6 };
const steps = Object.entries(requestCounts).flatMap(([id, count]) =>
  Array.from({ length: count }, (_, n): [FunctionId, number] => [id as FunctionId, n]),
);

describe.skipIf(deployed)('an event', () => {
  it.each(drawSample(steps, 4))(
    'is delivered, and its delivery ends, if %s is killed after its request %i',
    async (id, n) => {
      const user = await host.newUser();
      // The first attempt fails, so that the sweep has something to do.
      const receiver = await startReceiver((response, request, number) =>
        answer(number === 0 ? 500 : 200)(response, request, number),
      );
      const { id: webhook } = await createWebhook(user, { url: receiver.url });
      const wasKilled = killAfter(id, n);
      await user.post('/assistants', minimal);
      await eventually(() => expect(receiver.requests.length).toBeGreaterThan(0));
      const [delivery] = await settle(user, webhook, 1);
      expect([delivery?.status, wasKilled()]).toEqual(['delivered', true]);
      for (const runner of runners.values()) runner.proxy.decide = () => 'pass';
      receiver.stop();
    },
  );

  it.each<[string, (operation: string, body: Buffer) => boolean]>([
    ['read it', (operation) => operation === 'BatchGetItem'],
    ['store its delivery', (operation, body) => operation === 'PutItem' && body.includes('#DELIVERIES')],
  ])('is delivered by the sweep if the relay could not %s', async (_, isThrottled) => {
    const user = await host.newUser();
    const receiver = await startReceiver(answer(200));
    await createWebhook(user, { url: receiver.url });
    getRunner('relay').proxy.decide = (...request) => (isThrottled(...request) ? 'throttle' : 'pass');
    await user.post('/assistants', minimal);
    await eventually(async () => {
      await host.sweep();
      expect(receiver.requests.length).toBeGreaterThan(0);
    });
    getRunner('relay').proxy.decide = () => 'pass';
    receiver.stop();
  });
});
