import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Wall time and CPU time in milliseconds. Other load on a shared machine affects CPU time least. */
export interface Times {
  wall: number;
  processor: number;
}

/** Repeated requests: first to warm up, then in measured blocks. */
export interface Loop {
  events: unknown[];
  /** Expected statuses. */
  status: number[];
  warmUp: number;
  blocks: number;
  calls: number;
}

export interface ProbeOptions {
  /** File of the bundle. ESM if it ends in `.mjs`. */
  entry: string;
  first: unknown;
  loops?: Loop[];
  /** CommonJS bundles that are loaded later and take turns with it in the loops. */
  others?: string[];
  environment: Record<string, string>;
  memoryMb?: number;
  /** Folder of a Linux control group that the process joins after the load, to limit its CPU share. */
  group?: string | undefined;
  /** True to return the log of the process instead of discarding it. */
  capturesLog?: boolean;
}

export interface ProbeResult {
  /** Status of the first response; undefined if it is not an HTTP response. */
  statusCode?: number;
  /** Time from the start until the process would request its first event. */
  load: Times;
  /** Time from the load to the first response. */
  answer: Times;
  /** Sum of `load` and `answer`. */
  cold: Times;
  /** Resident memory after the load. */
  loadedMb: number;
  /** Resident memory at the end. */
  residentMb: number;
  /** CPU microseconds per call, by loop, bundle and block. */
  looped: number[][][];
  /** Log of the process, if captured. */
  log: string;
}

const programPath = join(import.meta.dirname, 'probe.mjs');

/** Loads a bundle in a fresh process and sends it requests. Throws if the process dies. */
export async function probe({
  entry,
  first,
  loops = [],
  others = [],
  environment,
  memoryMb = 512,
  group,
  capturesLog: keepsLog = false,
}: ProbeOptions): Promise<ProbeResult> {
  const child = spawn(process.execPath, [`--max-old-space-size=${memoryMb}`, programPath], {
    env: environment,
    stdio: ['pipe', keepsLog ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  child.stdin?.end(JSON.stringify({ entry, first, loops, others, group }));
  const [output, errorOutput, log] = await Promise.all([
    text(child.stdio[3] as Readable),
    text(child.stderr as Readable),
    child.stdout ? text(child.stdout) : '',
    once(child, 'close'),
  ]);
  if (!output) throw new Error(`${entry} returned no result:\n${errorOutput}`);
  return { ...JSON.parse(output), log };
}
