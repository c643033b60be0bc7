import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the template says of a function, resolved for this machine. */
export interface FunctionSpec {
  name: string;
  /** The route's id. */
  description: string;
  /** The bundle's entry file. */
  entry: string;
  environment: Record<string, string>;
  memoryMb: number;
  timeoutSeconds: number;
}

/** Why an invocation gave no answer: the process died (also of its memory), or took too long. */
export class FunctionError extends Error {}

interface Message {
  ready?: true;
  result?: unknown;
  error?: string;
}

const runtime = join(import.meta.dirname, 'runtime.mjs');
const maxConcurrency = 8;
const idleMs = 60_000;
const initSeconds = 10;

/** Kills an environment, with all processes that it has started. */
function killAll({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

/** Resident memory of a process in megabytes, where the system tells (Linux). */
function residentMb(pid: number | undefined): number {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 2 ** 20;
  } catch {
    return 0;
  }
}

/**
 * Runs one function as Lambda does: each execution environment is a process that handles one event at a time. More events at
 * once start more of them, a crash or a time-out kills one, idle ones go. `log` gets what they print.
 */
export class FunctionRunner {
  readonly spec: FunctionSpec;
  readonly #log: (chunk: Buffer) => void;
  readonly #idle: { child: ChildProcess; reaper: NodeJS.Timeout }[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #children = new Set<ChildProcess>();
  #busy = 0;
  #stopped = false;

  constructor(spec: FunctionSpec, log: (chunk: Buffer) => void) {
    this.spec = spec;
    this.#log = log;
  }

  /** Starts one environment ahead of the first event. Throws FunctionError where the bundle does not load. */
  async warm(): Promise<void> {
    this.#release(await this.#start());
  }

  /** Handles an event. Throws FunctionError. */
  async invoke(event: unknown): Promise<unknown> {
    if (this.#busy >= maxConcurrency) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#busy += 1;
    try {
      if (this.#stopped) throw new FunctionError('The host stops');
      const child = this.#take() ?? (await this.#start());
      const result = await this.#handle(child, event);
      this.#release(child);
      return result;
    } finally {
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Kills all environments. Events that wait, or come later, are not handled. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { reaper } of this.#idle) clearTimeout(reaper);
    const gone = [...this.#children].map((child) => new Promise((resolve) => child.once('exit', resolve)));
    for (const child of this.#children) killAll(child);
    await Promise.all(gone);
  }

  #take(): ChildProcess | undefined {
    for (;;) {
      const free = this.#idle.pop();
      clearTimeout(free?.reaper);
      if (!free || free.child.connected) return free?.child; // one that has died may not be known yet
    }
  }

  #release(child: ChildProcess): void {
    const reaper = setTimeout(() => {
      this.#forgetIdle(child);
      child.kill();
    }, idleMs);
    reaper.unref();
    this.#idle.push({ child, reaper });
  }

  #forgetIdle(child: ChildProcess): void {
    const free = this.#idle.findIndex((idle) => idle.child === child);
    if (free >= 0) this.#idle.splice(free, 1);
  }

  async #start(): Promise<ChildProcess> {
    const { entry, environment, memoryMb } = this.spec;
    const child = fork(runtime, [entry], {
      env: environment,
      execArgv: [`--max-old-space-size=${memoryMb}`],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true, // a group of its own: what the function has started is killed with it
    });
    this.#children.add(child);
    let lastWords = '';
    child.stdout?.on('data', this.#log);
    child.stderr?.on('data', (chunk) => {
      lastWords = `${lastWords}${chunk}`.slice(-2_000);
      this.#log(chunk);
    });
    child.on('error', () => killAll(child)); // its channel broke; `exit` follows, and tells
    child.on('exit', () => {
      this.#children.delete(child);
      this.#forgetIdle(child);
    });
    await this.#message(child, initSeconds).catch((error) => {
      const [reason = error.message] = /^\w*Error.*$/m.exec(lastWords) ?? [];
      throw new FunctionError(`The function ${this.spec.description} does not start: ${reason}`);
    });
    return child;
  }

  async #handle(child: ChildProcess, event: unknown): Promise<unknown> {
    const { timeoutSeconds, memoryMb } = this.spec;
    const memory = setInterval(() => {
      if (residentMb(child.pid) > memoryMb) killAll(child);
    }, 200);
    try {
      const answer = this.#message(child, timeoutSeconds);
      child.send({ event, awsRequestId: randomUUID(), deadline: Date.now() + timeoutSeconds * 1000 });
      const { result, error } = await answer;
      if (error !== undefined) {
        child.kill(); // after an unhandled error Lambda starts afresh too
        throw new FunctionError(error);
      }
      return result;
    } finally {
      clearInterval(memory);
    }
  }

  /** The next message of an environment; when none comes in time, or it dies, it is killed and FunctionError thrown. */
  #message(child: ChildProcess, seconds: number): Promise<Message> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        child.off('message', onMessage).off('exit', onExit);
        act();
      };
      const onMessage = (message: Message) => settle(() => resolve(message));
      const onExit = () => settle(() => reject(new FunctionError('The process ended')));
      const timer = setTimeout(() => {
        settle(() => reject(new FunctionError(`No answer in ${seconds} s`)));
        killAll(child);
      }, seconds * 1000);
      child.on('message', onMessage).on('exit', onExit);
    });
  }
}
