import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Milliseconds, on the wall and of the processor: the neighbours on a shared machine change the second one least. */
export interface Took {
  wall: number;
  processor: number;
}

/** Requests that are sent by turns, again and again: first to warm up, then in blocks, each of which is measured. */
export interface Loop {
  events: unknown[];
  /** What may be answered. */
  status: number[];
  warmUp: number;
  blocks: number;
  calls: number;
}

export interface Asked {
  /** A bundle's file, ESM where it ends in `.mjs`. */
  entry: string;
  first: unknown;
  loops?: Loop[];
  /** Bundles that are loaded after it, CommonJS, and asked by turns with it. */
  others?: string[];
  environment: Record<string, string>;
  memoryMb?: number;
  /** The folder of a control group of Linux, whose share of the processor it has once it has loaded. */
  group?: string | undefined;
  /** Whether what it logs is wanted, and not thrown away unread. */
  keepsLog?: boolean;
}

export interface Probed {
  /** Of the first answer, undefined where that is none to HTTP. */
  statusCode?: number;
  /** Until it would ask for its first event. */
  load: Took;
  /** From there to the first answer. */
  answer: Took;
  /** Both. */
  cold: Took;
  /** Resident, in megabytes, after the load and at the end. */
  loadedMb: number;
  residentMb: number;
  /** Microseconds of the processor a call: of each loop, each bundle, each block. */
  looped: number[][][];
  /** What it has logged, where that is wanted. */
  log: string;
}

const program = join(import.meta.dirname, 'probe.mjs');

/** Loads a bundle in a fresh process, and has it answer. Throws where it dies. */
export async function probe({
  entry,
  first,
  loops = [],
  others = [],
  environment,
  memoryMb = 512,
  group,
  keepsLog = false,
}: Asked): Promise<Probed> {
  const child = spawn(process.execPath, [`--max-old-space-size=${memoryMb}`, program], {
    env: environment,
    stdio: ['pipe', keepsLog ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  child.stdin?.end(JSON.stringify({ entry, first, loops, others, group }));
  const [told, complaint, log] = await Promise.all([
    text(child.stdio[3] as Readable),
    text(child.stderr as Readable),
    child.stdout ? text(child.stdout) : '',
    once(child, 'close'),
  ]);
  if (!told) throw new Error(`${entry} gave no answer:\n${complaint}`);
  return { ...JSON.parse(told), log };
}
