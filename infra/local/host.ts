import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buildConsole } from '../bundle/console.ts';
import { getSettings } from '../config.ts';
import { consolePath } from '../stacks/console/deployment.ts';
import { UserError } from '../terminal/user-error.ts';
import { createConsoleSite, isForConsole } from './console.ts';
import { isForAnotherMachine, isFromForeignPage } from './foreign-page.ts';
import { createGateway } from './gateway/gateway.ts';
import { startEventSources } from './lambda/event-sources.ts';
import { createFunctionRunners } from './lambda/functions.ts';
import { writeRunning } from './running-hosts.ts';
import { type Services, startServices } from './services.ts';
import { synthesize } from './synth.ts';

export interface Host extends Services {
  /** Address of the API, without a trailing slash. */
  url: string;
  /** Address of the console, if `dev` has one. */
  console: string | undefined;
}

/** Answers to what pages of other machines may send, which could start functions until the memory is full. */
const advice = {
  host: 'The local host answers to 127.0.0.1 and localhost only: set the Host header to one of them, in a proxy or tunnel, too',
  page: 'Pages of other machines and browser extensions may not use the local API: use a program, or add the origin of the page to corsOrigins in infra/config.ts',
};

/** Origin of `npm run console:dev` (console/vite.config.ts). */
const developmentServer = 'http://localhost:5173';

/**
 * Serves the API and the console on this machine from the synthesized templates. Keeps all data in `dir`. Functions start with their
 * first event. Port 0 selects a free port. Throws UserError if the port or the folder is in use.
 */
export async function startHost({ dir, port }: { dir: string; port: number }): Promise<Host> {
  const assemblyDir = await synthesize();
  const { console: consoleSettings, knowledgeBases, corsOrigins } = getSettings('dev');
  const consoleFolder = consoleSettings && (await buildConsole());
  const services = await startServices(dir, assemblyDir);
  mkdirSync(join(dir, 'logs'), { recursive: true });
  const functionLog = createWriteStream(join(dir, 'logs', 'functions.log'), { flags: 'a' });
  const accessLog = createWriteStream(join(dir, 'logs', 'access.log'), { flags: 'a' });
  const runners = createFunctionRunners(services, (chunk) => functionLog.write(chunk));
  const api = createGateway(services.assembly, runners, (line) => accessLog.write(`${line}\n`));
  const sites = {
    issuer: services.issuer.url,
    voiceServers: consoleSettings?.voiceServers,
    ocrLanguages: knowledgeBases.ocrLanguages,
  };
  const site = consoleFolder && createConsoleSite(consoleFolder, sites);
  const server = createServer((request, response) => {
    if (isForAnotherMachine(request)) return void response.writeHead(403).end(advice.host);
    if (site && isForConsole(request)) return site(request, response);
    if (isFromForeignPage(request, corsOrigins)) return void response.writeHead(403).end(advice.page);
    return api(request, response);
  });
  server.timeout = 180_000; // an answer that nobody reads stays in memory; the longest function takes two minutes
  let stopSources = async () => {};
  const stop = async () => {
    const sourcesStopped = stopSources();
    server.closeAllConnections();
    server.close();
    await Promise.all([...runners.values()].map((runner) => runner.stop()));
    await sourcesStopped;
    await services.stop();
    functionLog.end();
    accessLog.end();
  };
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    stopSources = startEventSources(services, runners, (message) =>
      functionLog.write(`${JSON.stringify({ timestamp: new Date().toISOString(), level: 'ERROR', message })}\n`),
    );
  } catch (error) {
    await stop();
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new UserError(`Port ${port} is taken: choose another, for example PORT=${port + 1} npm start`);
    }
    throw error;
  }
  const { port: actualPort } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${actualPort}`;
  writeRunning(dir, { pid: process.pid, endpoints: services.endpoints, url });
  for (const origin of [url, developmentServer]) services.consoles.add(origin);
  return { ...services, url, console: site ? `${url}${consolePath}` : undefined, stop };
}
