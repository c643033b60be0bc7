import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toProxyResult, type WriteChunk } from './streamed-response.ts';

/** A function of the template, resolved for this machine. */
export interface FunctionSpec {
  name: string;
  /** The route's id. */
  description: string;
  /** Path of the bundle's entry file. */
  entry: string;
  environment: Record<string, string>;
  memoryMb: number;
  timeoutSeconds: number;
}

/** A failed invocation: the function threw, its process died (for example, out of memory), or it timed out. */
export class FunctionError extends Error {}

interface Message {
  ready?: true;
  /** Next piece of a streamed response, as base64. */
  chunk?: string;
  result?: unknown;
  error?: string;
}

const runtime = join(import.meta.dirname, 'runtime.mjs');
const maxConcurrency = 8;
const idleTimeoutMs = 60_000;
const initTimeoutSeconds = 10;

/** Kills an execution environment and all processes that it started. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of its processes have exited.
  }
}

/** Returns the resident memory of a process in megabytes, or 0 on systems without `/proc`. */
function readResidentMb(pid: number | undefined): number {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 2 ** 20;
  } catch {
    return 0;
  }
}

/**
 * Runs one function as Lambda does. Each execution environment is a process that handles one event at a time. Concurrent events start
 * more environments, a crash or timeout kills one, and idle ones exit. `log` receives their output.
 */
export class FunctionRunner {
  readonly spec: FunctionSpec;
  readonly #log: (chunk: Buffer) => void;
  readonly #idle: { child: ChildProcess; reaper: NodeJS.Timeout }[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #processes = new Set<ChildProcess>();
  #busy = 0;
  #stopped = false;

  constructor(spec: FunctionSpec, log: (chunk: Buffer) => void) {
    this.spec = spec;
    this.#log = log;
  }

  /** Starts one environment before the first event. Throws FunctionError if the bundle does not load. */
  async warm(): Promise<void> {
    this.#release(await this.#start());
  }

  /**
   * Handles an event and returns the function's result. A streamed response goes to `write` as it comes, or is the result without it.
   * If `write` fails, the function hears that nobody reads any more. An event that still waits is dropped if `signal` aborts. Throws
   * FunctionError.
   */
  async invoke(event: unknown, write?: WriteChunk, signal?: AbortSignal): Promise<unknown> {
    if (this.#busy >= maxConcurrency) await this.#waitForTurn(signal);
    this.#busy += 1;
    try {
      if (this.#stopped) throw new FunctionError('The host is stopping');
      const child = this.#takeIdle() ?? (await this.#start());
      const chunks: Buffer[] = [];
      const collect = async (chunk: Buffer) => {
        chunks.push(chunk);
      };
      const returned = await this.#handle(child, event, write ?? collect);
      const result = chunks.length > 0 ? await toProxyResult(chunks) : returned;
      this.#release(child);
      return result;
    } finally {
      this.#busy -= 1;
      const [next] = this.#waiting;
      if (next) this.#waiting.delete(next);
      next?.();
    }
  }

  #waitForTurn(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const drop = () => {
        this.#waiting.delete(go);
        reject(new FunctionError('Nobody waits for an answer any more'));
      };
      const go = () => {
        signal?.removeEventListener('abort', drop);
        resolve();
      };
      this.#waiting.add(go);
      if (signal?.aborted) drop();
      else signal?.addEventListener('abort', drop);
    });
  }

  /** Kills all environments. Rejects waiting and later events. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { reaper } of this.#idle) clearTimeout(reaper);
    const exits = [...this.#processes].map((child) => new Promise((resolve) => child.once('exit', resolve)));
    for (const child of this.#processes) killGroup(child);
    await Promise.all(exits);
  }

  #takeIdle(): ChildProcess | undefined {
    for (;;) {
      const free = this.#idle.pop();
      clearTimeout(free?.reaper);
      if (!free || free.child.connected) return free?.child; // skips one that died and has not reported its exit yet
    }
  }

  #release(child: ChildProcess): void {
    const reaper = setTimeout(() => {
      this.#removeIdle(child);
      killGroup(child);
    }, idleTimeoutMs);
    reaper.unref();
    this.#idle.push({ child, reaper });
  }

  #removeIdle(child: ChildProcess): void {
    const free = this.#idle.findIndex((idle) => idle.child === child);
    if (free >= 0) this.#idle.splice(free, 1);
  }

  async #start(): Promise<ChildProcess> {
    const { entry, environment } = this.spec;
    const child = fork(runtime, [entry], {
      env: environment,
      execArgv: [], // `NODE_OPTIONS` in the environment limits the heap
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true, // starts a process group, so that killing it also kills the function's child processes
    });
    this.#processes.add(child);
    let stderrTail = '';
    child.stdout?.on('data', this.#log);
    child.stderr?.on('data', (chunk) => {
      stderrTail = `${stderrTail}${chunk}`.slice(-2_000);
      this.#log(chunk);
    });
    child.on('error', () => killGroup(child)); // the channel broke, and the `exit` event rejects the invocation
    child.on('exit', () => {
      killGroup(child); // what the function started does not outlive it
      this.#processes.delete(child);
      this.#removeIdle(child);
    });
    await this.#receive(child, initTimeoutSeconds).catch((error) => {
      const [reason = error.message] = /^\w*Error.*$/m.exec(stderrTail) ?? [];
      throw new FunctionError(`The function ${this.spec.description} does not start: ${reason}`);
    });
    return child;
  }

  async #handle(child: ChildProcess, event: unknown, write: WriteChunk): Promise<unknown> {
    const { timeoutSeconds, memoryMb } = this.spec;
    const memoryCheck = setInterval(() => {
      if (readResidentMb(child.pid) > memoryMb) killGroup(child);
    }, 200);
    try {
      const answer = this.#receive(child, timeoutSeconds, write);
      child.send({ event, awsRequestId: randomUUID(), deadline: Date.now() + timeoutSeconds * 1000 });
      const { result, error } = await answer;
      if (error !== undefined) {
        killGroup(child); // Lambda also replaces an environment after an unhandled error
        throw new FunctionError(error);
      }
      return result;
    } finally {
      clearInterval(memoryCheck);
    }
  }

  /**
   * Returns the next message of an environment, besides those that `write` takes. Kills it and throws FunctionError if none arrives in
   * time. Throws if it dies.
   */
  #receive(child: ChildProcess, seconds: number, write?: WriteChunk): Promise<Message> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        child.off('message', onMessage).off('exit', onExit);
        act();
      };
      const answer = (message: object) => {
        if (child.connected) child.send(message);
      };
      const onMessage = (message: Message) => {
        if (message.chunk === undefined) return settle(() => resolve(message));
        write?.(Buffer.from(message.chunk, 'base64')).then(
          () => answer({ next: true }),
          () => answer({ gone: true }),
        );
      };
      const onExit = () => settle(() => reject(new FunctionError('The process ended')));
      const timer = setTimeout(() => {
        settle(() => reject(new FunctionError(`No answer in ${seconds} s`)));
        killGroup(child);
      }, seconds * 1000);
      child.on('message', onMessage).on('exit', onExit);
    });
  }
}
