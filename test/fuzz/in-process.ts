import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { format } from 'node:util';
import { createGateway, type Invocable } from '../../infra/local/gateway/gateway.ts';
import { FunctionError } from '../../infra/local/lambda/function-runner.ts';
import { createFunctionRunners } from '../../infra/local/lambda/functions.ts';
import { createResponseStream, installResponseStreams } from '../../infra/local/lambda/response-streams.mjs';
import type { Services } from '../../infra/local/services.ts';
import type { Sender, WireRequest, WireResponse } from './wire.ts';

/** API with functions that run in this process, and access to their errors. */
export interface InProcessApi {
  send: Sender;
  /** Returns the uncaught errors since the previous call. */
  takeErrors(): string[];
  /** Returns the last error lines of the log since the previous call, up to 20. */
  takeLog(): string[];
  stop(): void;
}

/** Returns the request object that Node's HTTP server would pass to the gateway. */
const toIncomingMessage = ({ method, target, headers, body }: WireRequest): IncomingMessage =>
  Object.assign(Readable.from(body.length > 0 ? [body] : []), {
    method,
    url: target,
    headers: Object.fromEntries(headers),
    rawHeaders: headers.flat(),
    socket: { remoteAddress: '127.0.0.1', localAddress: '127.0.0.1', localPort: 9 },
  }) as unknown as IncomingMessage;

/** Keeps the last 20 logged errors. Hides all other function logs from the terminal. */
function captureLogs(): { errors: string[]; stop(): void } {
  const errors: string[] = [];
  const { info, error } = console;
  const write = process.stdout.write.bind(process.stdout);
  console.info = () => {};
  console.error = (...parts) => {
    errors.push(format(...parts));
    if (errors.length > 20) errors.shift();
  };
  // Functions write their request log straight to stdout.
  process.stdout.write = ((text: string, ...rest: []) =>
    String(text).startsWith('{"timestamp"') || write(text, ...rest)) as typeof process.stdout.write;
  const stop = () => {
    Object.assign(console, { info, error });
    process.stdout.write = write;
  };
  return { errors, stop };
}

/** Creates an API from the local host's gateway, without throttling, and functions that run in this process. */
export async function createInProcessApi(services: Services): Promise<InProcessApi> {
  const specs = [...createFunctionRunners(services, () => {}).values()].map(({ spec }) => spec);
  // The functions share one environment, so they use the services directly: each proxy serves one function only.
  Object.assign(process.env, ...specs.map(({ environment }) => environment), services.endpoints);
  const runners = new Map<string, Invocable>();
  installResponseStreams();
  for (const { name, description, timeoutSeconds } of specs) {
    if (description === 'intake' || description === 'ingest') continue;
    const { handler } = (await import(
      /* @vite-ignore */ join(import.meta.dirname, '../../functions', `${description}.ts`)
    )) as { handler: (...parts: unknown[]) => Promise<unknown> };
    runners.set(name, {
      invoke: (event, write) =>
        limitTime(() => (write ? handler(event, createResponseStream(write), {}) : handler(event, {})), timeoutSeconds),
    });
  }
  const listener = createGateway(
    services.assembly,
    runners,
    () => {},
    () => true,
  );

  const uncaught: string[] = [];
  const recordError = (error: unknown) => uncaught.push(`uncaught: ${error instanceof Error ? error.stack : error}`);
  process.on('uncaughtException', recordError).on('unhandledRejection', recordError);
  const logs = captureLogs();

  return {
    send: (wire) =>
      new Promise<WireResponse>((resolve) => {
        const answer: WireResponse = { status: 0, headers: new Headers(), body: '' };
        const chunks: Buffer[] = [];
        const response = {
          once: () => {},
          write: (chunk: Buffer) => chunks.push(chunk) > 0,
          writeHead(status: number, headers: string[]) {
            answer.status = status;
            for (let i = 0; i < headers.length; i += 2) answer.headers.append(headers[i] ?? '', headers[i + 1] ?? '');
            return response;
          },
          end: (body?: Buffer) => resolve({ ...answer, body: Buffer.concat(body ? [body] : chunks).toString() }),
          destroy: () => resolve(answer),
        };
        listener(toIncomingMessage(wire), response as unknown as ServerResponse);
      }),
    takeErrors: () => uncaught.splice(0),
    takeLog: () => logs.errors.splice(0),
    stop() {
      process.off('uncaughtException', recordError).off('unhandledRejection', recordError);
      logs.stop();
    },
  };
}

/** Returns the function's result. Throws a FunctionError after `seconds`, as if the function had been killed. */
async function limitTime<T>(call: () => Promise<T>, seconds: number): Promise<T> {
  const startedAt = performance.now();
  const createTimeout = () => new FunctionError(`No answer in ${seconds} s`);
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(createTimeout()), seconds * 1000);
  });
  try {
    const result = await Promise.race([call(), expiry]);
    if (performance.now() - startedAt > seconds * 1000) throw createTimeout(); // it blocked the event loop
    return result;
  } catch (error) {
    throw error instanceof FunctionError ? error : new FunctionError(String(error));
  } finally {
    clearTimeout(timer);
  }
}
