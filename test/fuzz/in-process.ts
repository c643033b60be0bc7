import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { format } from 'node:util';
import { FunctionError } from '../../infra/local/function-runner.ts';
import { functionRunners } from '../../infra/local/functions.ts';
import { gateway, type Invocable } from '../../infra/local/gateway.ts';
import type { Services } from '../../infra/local/services.ts';
import type { Handler } from '../../shared/onion.ts';
import type { Answer, Sender, Wire } from './wire.ts';

/** An API in this process, and what its functions have said since the last look. */
export interface InProcess {
  send: Sender;
  /** What went wrong beside the answers: errors that nobody caught, and the last lines of error of the log. */
  stray(): string[];
  log(): string[];
  stop(): void;
}

/** A request as the gateway's server would give it. */
const incoming = ({ method, target, headers, body }: Wire): IncomingMessage =>
  Object.assign(Readable.from(body.length > 0 ? [body] : []), {
    method,
    url: target,
    headers: Object.fromEntries(headers),
    rawHeaders: headers.flat(),
    socket: { remoteAddress: '127.0.0.1' },
  }) as unknown as IncomingMessage;

/** Keeps the last errors that functions log, and what else they log from the terminal. */
function hear(): { errors: string[]; stop(): void } {
  const errors: string[] = [];
  const { info, error } = console;
  const write = process.stdout.write.bind(process.stdout);
  console.info = () => {};
  console.error = (...parts) => {
    errors.push(format(...parts));
    if (errors.length > 20) errors.shift();
  };
  // The line of each request is written there by itself.
  process.stdout.write = ((text: string, ...rest: []) =>
    String(text).startsWith('{"timestamp"') || write(text, ...rest)) as typeof process.stdout.write;
  const stop = () => {
    Object.assign(console, { info, error });
    process.stdout.write = write;
  };
  return { errors, stop };
}

/** The gateway of the local host and its rules, without a limit of speed, before functions of this process. */
export async function inProcess(services: Services): Promise<InProcess> {
  const specs = [...functionRunners(services, () => {}).values()].map(({ spec }) => spec);
  // One environment for all, so the services themselves and not the gates, which are each function's own.
  Object.assign(process.env, ...specs.map(({ environment }) => environment), services.endpoints);
  const runners = new Map<string, Invocable>();
  for (const { name, description, timeoutSeconds } of specs) {
    if (description === 'intake' || description === 'ingest') continue;
    const { handler } = (await import(
      /* @vite-ignore */ join(import.meta.dirname, '../../functions', `${description}.ts`)
    )) as { handler: Handler };
    runners.set(name, { invoke: (event) => limited(() => handler(event as never, {} as never), timeoutSeconds) });
  }
  const listener = gateway(
    services.assembly,
    runners,
    () => {},
    () => true,
  );

  const stray: string[] = [];
  const caught = (error: unknown) => stray.push(`uncaught: ${error instanceof Error ? error.stack : error}`);
  process.on('uncaughtException', caught).on('unhandledRejection', caught);
  const heard = hear();

  return {
    send: (wire) =>
      new Promise<Answer>((resolve) => {
        const answer: Answer = { status: 0, headers: new Headers(), body: '' };
        const response = {
          writeHead(status: number, headers: string[]) {
            answer.status = status;
            for (let i = 0; i < headers.length; i += 2) answer.headers.append(headers[i] ?? '', headers[i + 1] ?? '');
            return response;
          },
          end: (body?: Buffer) => resolve({ ...answer, body: body?.toString() ?? '' }),
        };
        listener(incoming(wire), response as unknown as ServerResponse);
      }),
    stray: () => stray.splice(0),
    log: () => heard.errors.splice(0),
    stop() {
      process.off('uncaughtException', caught).off('unhandledRejection', caught);
      heard.stop();
    },
  };
}

/** What a function answers within so many seconds; else FunctionError, as of one that is killed. */
async function limited<T>(answer: () => Promise<T>, seconds: number): Promise<T> {
  const startedAt = performance.now();
  const late = () => new FunctionError(`No answer in ${seconds} s`);
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), seconds * 1000);
  });
  try {
    const answered = await Promise.race([answer(), expiry]);
    if (performance.now() - startedAt > seconds * 1000) throw late(); // it let no timer through
    return answered;
  } catch (error) {
    throw error instanceof FunctionError ? error : new FunctionError(String(error));
  } finally {
    clearTimeout(timer);
  }
}
