import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { settingsOf } from '../config.ts';
import { buildConsole } from '../console/build.ts';
import { consolePath } from '../console/places.ts';
import { Problem } from '../problem.ts';
import { consoleSite, isForConsole } from './console.ts';
import { functionRunners } from './functions.ts';
import { gateway } from './gateway.ts';
import { deliverMessages } from './queues.ts';
import { writeRunning } from './running.ts';
import { type Services, startServices } from './services.ts';
import { synthesize } from './synth.ts';

export interface Host extends Services {
  /** The API's address, without a slash at its end. */
  url: string;
  /** The console's, where `dev` has one. */
  console: string | undefined;
}

/** Where `npm run console:dev` serves the console (console/vite.config.ts). */
const developmentServer = 'http://localhost:5173';

/**
 * Serves the API on this machine, out of the synthesized templates, with all data in one folder, and the console.
 * `port` 0 takes any free one. Functions start with their first event. Throws Problem where the port or the folder is taken.
 */
export async function startHost({ dir, port }: { dir: string; port: number }): Promise<Host> {
  const assemblyDir = await synthesize();
  const consoleFolder = settingsOf('dev').console && (await buildConsole());
  const services = await startServices(dir, assemblyDir);
  mkdirSync(join(dir, 'logs'), { recursive: true });
  const functionLog = createWriteStream(join(dir, 'logs', 'functions.log'), { flags: 'a' });
  const accessLog = createWriteStream(join(dir, 'logs', 'access.log'), { flags: 'a' });
  const runners = functionRunners(services, (chunk) => functionLog.write(chunk));
  const api = gateway(services.assembly, runners, (line) => accessLog.write(`${line}\n`));
  const site = consoleFolder && consoleSite(consoleFolder, services.issuer.url);
  const server = createServer((request, response) => (site && isForConsole(request) ? site : api)(request, response));
  const stop = async () => {
    const quiet = [...services.queues.values()].map((queue) => queue.stop());
    server.closeAllConnections();
    server.close();
    await Promise.all([...runners.values()].map((runner) => runner.stop()));
    await Promise.all(quiet);
    await services.stop();
    functionLog.end();
    accessLog.end();
  };
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    deliverMessages(services, runners, (message) =>
      functionLog.write(`${JSON.stringify({ timestamp: new Date().toISOString(), level: 'ERROR', message })}\n`),
    );
  } catch (error) {
    await stop();
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new Problem(`Port ${port} is taken: choose another, for example PORT=${port + 1} npm start`);
    }
    throw error;
  }
  const { port: taken } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${taken}`;
  writeRunning(dir, { pid: process.pid, endpoints: services.endpoints, url });
  for (const origin of [url, `http://localhost:${taken}`, developmentServer]) services.consoles.add(origin);
  return { ...services, url, console: site ? `${url}${consolePath}` : undefined, stop };
}
