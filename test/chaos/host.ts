import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placeOf } from '../../infra/data/place.ts';
import type { FunctionRunner } from '../../infra/local/function-runner.ts';
import { functionRunners } from '../../infra/local/functions.ts';
import { gateway } from '../../infra/local/gateway.ts';
import { deliverMessages } from '../../infra/local/queues.ts';
import { startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { userKey } from '../../shared/store/keys.ts';
import { type Client, clientWith } from '../support/api.ts';
import { ProxiedRunner } from '../support/proxied.ts';

const silent = () => {};

/** The last words of a function that nobody killed: of an error that nothing caught, be it after its answer. */
interface Crash {
  id: string;
  words: string;
}

/** How Node ends its last words. */
const crashed = /^Node\.js v\d/m;

/** Most of the time a function that reads documents only waits: for the record of one that has none. */
const eventsAtOnce = 8;

/** A gateway whose functions are proxied. */
export interface Lane {
  url: string;
  /** The function of a route, by its id. */
  functionOf(id: string): ProxiedRunner;
}

/**
 * A host of its own with several gateways in front of the same data: a calm one, and lanes, in each of which one request at a
 * time can be disturbed. Documents are read, and deletions ended, as ever.
 */
export async function chaosHost(laneCount: number) {
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-chaos-'));
  const services = await startServices(dir, await synthesize());
  const started: FunctionRunner[] = [];
  const crashes: Crash[] = [];
  const servers: Server[] = [];
  const serve = async (runners: Map<string, FunctionRunner>): Promise<string> => {
    const server = createServer(gateway(services.assembly, runners, silent));
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const openLane = async (): Promise<Lane> => {
    const listen = (id: string) => (chunk: Buffer) => {
      if (crashed.test(chunk.toString())) crashes.push({ id, words: chunk.toString().slice(-500) });
    };
    const open = ({ spec }: FunctionRunner) => ProxiedRunner.of(spec, listen(spec.description));
    const proxied = await Promise.all([...calm.values()].map(open));
    started.push(...proxied);
    const url = await serve(new Map(proxied.map((runner) => [runner.spec.name, runner])));
    return {
      url,
      functionOf(id) {
        const runner = proxied.find(({ spec }) => spec.description === id);
        if (!runner) throw new Error(`The template has no function ${id}`);
        return runner;
      },
    };
  };
  const calm = functionRunners(services, silent);
  started.push(...calm.values());
  const calmUrl = await serve(calm);
  const lanes = await Promise.all(Array.from({ length: laneCount }, openLane));
  deliverMessages(services, calm, silent, eventsAtOnce);
  const place = placeOf(services);

  return {
    place,
    lanes,
    /** What functions have died of by themselves. */
    crashes,
    /** Somebody new, who is not disturbed. */
    async newUser(): Promise<{ user: Client; owner: string }> {
      const sub = `user-${randomUUID()}`;
      const token = await services.issuer.token({ sub, ttl: 3600 });
      return { user: clientWith(sub, token, calmUrl), owner: userKey(services.issuer.url, sub) };
    },
    async stop(): Promise<void> {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      await Promise.all([...services.queues.values()].map((queue) => queue.stop()));
      await Promise.all(started.map((runner) => runner.stop()));
      await place.close();
      rmSync(dir, { recursive: true });
    },
  };
}

export type ChaosHost = Awaited<ReturnType<typeof chaosHost>>;
