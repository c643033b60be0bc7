import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toLocalDeployment } from '../../infra/commands/data/deployment/deployment.ts';
import { createGateway } from '../../infra/local/gateway/gateway.ts';
import { startEventSources } from '../../infra/local/lambda/event-sources.ts';
import type { FunctionRunner } from '../../infra/local/lambda/function-runner.ts';
import { createFunctionRunners } from '../../infra/local/lambda/functions.ts';
import { startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { toUserKey } from '../../shared/store/table/keys.ts';
import { type Client, createClient } from '../support/api.ts';
import { ProxiedRunner } from '../support/proxied-runner.ts';
import { startReceiver } from '../support/receiver.ts';
import { answerAfterSearch } from './model.ts';

const ignoreLog = () => {};

/** Last output of a function that crashed on an uncaught error, during a request or after it. */
interface Crash {
  id: string;
  output: string;
}

/** Matches the last line that Node prints when it crashes. */
const crashPattern = /^Node\.js v\d/m;

/** Maximum number of queue events handled in parallel. Ingestion mostly waits, for knowledge bases that do not exist. */
const maxConcurrentEvents = 8;

/** A gateway with all functions behind faulty proxies. */
export interface Lane {
  url: string;
  /** Returns the function of a route. */
  getFunction(id: string): ProxiedRunner;
}

/**
 * Starts a separate host with several gateways to the same data: one undisturbed gateway, and lanes that can each disturb one request at
 * a time. Ingestion and deletions run undisturbed.
 */
export async function startChaosHost(laneCount: number) {
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-chaos-'));
  const services = await startServices(dir, await synthesize());
  const model = await startReceiver(answerAfterSearch);
  const started: FunctionRunner[] = [];
  const crashes: Crash[] = [];
  const servers: Server[] = [];
  const serve = async (runners: Map<string, FunctionRunner>): Promise<string> => {
    const server = createServer(createGateway(services.assembly, runners, ignoreLog));
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const openLane = async (): Promise<Lane> => {
    const recordCrash = (id: string) => (chunk: Buffer) => {
      if (crashPattern.test(chunk.toString())) crashes.push({ id, output: chunk.toString().slice(-500) });
    };
    const createProxied = ({ spec }: FunctionRunner) => ProxiedRunner.create(spec, recordCrash(spec.description));
    const proxied = await Promise.all([...undisturbed.values()].map(createProxied));
    started.push(...proxied);
    const url = await serve(new Map(proxied.map((runner) => [runner.spec.name, runner])));
    return {
      url,
      getFunction(id) {
        const runner = proxied.find(({ spec }) => spec.description === id);
        if (!runner) throw new Error(`The template has no function ${id}`);
        return runner;
      },
    };
  };
  const undisturbed = createFunctionRunners(services, ignoreLog);
  started.push(...undisturbed.values());
  const undisturbedUrl = await serve(undisturbed);
  const lanes = await Promise.all(Array.from({ length: laneCount }, openLane));
  const stopSources = startEventSources(services, undisturbed, ignoreLog, maxConcurrentEvents);
  const place = toLocalDeployment(services);

  return {
    place,
    lanes,
    /** Address of a language model. */
    modelUrl: new URL('/v1', model.url).href,
    /** Crashes of functions, without those that a trial killed. */
    crashes,
    /** Creates a user on the undisturbed gateway. */
    async newUser(): Promise<{ user: Client; owner: string }> {
      const sub = `user-${randomUUID()}`;
      const token = await services.issuer.token({ sub, ttl: 3600 });
      return { user: createClient(sub, token, undisturbedUrl), owner: toUserKey(services.issuer.url, sub) };
    },
    async stop(): Promise<void> {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      model.stop();
      await stopSources();
      await Promise.all(started.map((runner) => runner.stop()));
      await place.close();
      rmSync(dir, { recursive: true });
    },
  };
}

export type ChaosHost = Awaited<ReturnType<typeof startChaosHost>>;
