import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { FileHint } from '../domain/index-document.ts';
import { type ErrorLocation, failureReasons, type IngestionResult } from '../domain/ingestion-result.ts';
import { decodeResult } from './result-codec.ts';
import { measureUsage } from './usage.ts';

/** Limits of one parser process. */
export interface ParserLimits {
  /** CPU time without progress, in seconds. A step is one page, or the whole document if it has no pages. */
  stallSeconds: number;
  /** Resident memory, in megabytes. */
  memoryMb: number;
  /** Number of pieces in which the parser writes its output. Each takes some 650 bytes of memory, however short it is. */
  outputPieces: number;
}

/**
 * Limits in production. The largest legitimate documents take 4 s per step and 1,083 MB. The function has 1,769 MB; the rest is for the
 * function itself, and for memory that a parser allocates between two checks.
 */
const defaultLimits: ParserLimits = { stallSeconds: 15, memoryMb: 1_300, outputPieces: 100_000 };

/** Interval of the usage checks, in milliseconds. A check takes 0.02 ms. Between two of them, a parser can allocate about 40 MB. */
const checkIntervalMs = 20;

/** Exit code of Node if nothing is left to do while the program still waits: it would wait in every attempt. */
const unsettledExitCode = 13;

/** Limit of the output of a parser, in bytes. Ten times the text that a document may have. */
const maxOutputBytes = 100_000_000;

/** Path of the parser: next to the function's bundle, which is CommonJS without `import.meta`, or the source file in development. */
const programPath = import.meta.dirname ? join(import.meta.dirname, 'program.ts') : join(__dirname, 'parser.mjs');
const readableFolder = import.meta.dirname ? join(import.meta.dirname, '../..') : dirname(programPath);

/** Node flags that confine a parser: it can read its program, but no other file, start no process, and run no generated code. */
export const confinementFlags = [
  '--permission',
  `--allow-fs-read=${readableFolder}/*`,
  '--no-experimental-sqlite', // it opens any file, whatever the permissions
  '--disallow-code-generation-from-strings',
  '--freeze-flags-after-init', // some flags of V8 give code access to all memory
];

// Without a listener, Node opens a debugger for this signal, which a parser may send after all.
process.on('SIGUSR1', () => {});

/** Environment variables that Node needs to start on Lambda. They exclude the function's credentials. */
const inheritedVariables = ['LD_LIBRARY_PATH', 'TZ'];

/** Failure of the parser itself, not of the document: a bug, or a missing file. */
class ParserFailed extends Error {
  constructor({ name, where }: ErrorLocation) {
    super(`The parser failed with ${name} at ${where.join(' at ')}`);
    this.name = 'ParserFailed';
  }
}

function startParser({ memoryMb }: ParserLimits): ChildProcessByStdio<Writable, Readable, null> {
  const env = Object.fromEntries(
    inheritedVariables.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  const flags = [...confinementFlags, `--max-old-space-size=${memoryMb}`];
  return spawn(process.execPath, [...flags, programPath], { env, stdio: ['pipe', 'pipe', 'ignore'] });
}

/**
 * Parses a document in a child process without credentials. Kills the process if it exceeds its limits or the deadline (milliseconds
 * since 1970), and returns `too_complex` or `too_slow`. Throws if the parser fails for another reason.
 */
export async function parseDocument(
  bytes: Uint8Array,
  { file_name, content_type, languages }: FileHint,
  deadline: number,
  changedLimits: Partial<ParserLimits> = {},
): Promise<IngestionResult> {
  const limits = { ...defaultLimits, ...changedLimits };
  const parser = startParser(limits);
  const guard = guardParser(parser, deadline, limits);
  const output: Buffer[] = [];
  let size = 0;
  parser.stdout.on('data', (chunk: Buffer) => {
    guard.onProgress();
    output.push(chunk);
    size += chunk.length;
    if (size > maxOutputBytes || output.length > limits.outputPieces) guard.end('too_complex');
  });
  parser.stdin.on('error', () => {}); // a parser that exits before it has read everything is handled below
  parser.stdin.write(`${JSON.stringify({ file_name, content_type, languages })}\n`);
  parser.stdin.end(bytes);
  try {
    const [code, signal] = (await once(parser, 'close')) as [number | null, NodeJS.Signals | null];
    if (guard.verdict) return { reason: failureReasons[guard.verdict] };
    // Out of memory (V8 aborted, or the kernel killed the process), or a library waits for itself.
    if (signal || code === unsettledExitCode) return { reason: failureReasons.too_complex };
    if (code !== 0) throw new Error(`The parser ended with exit code ${code}`);
  } finally {
    guard.stop();
  }
  const result = decodeResult(Buffer.concat(output));
  if ('failure' in result) throw new ParserFailed(result.failure);
  return result;
}

/** Kills a parser at the deadline, when it stalls, when it uses too much memory, or when this process exits. */
function guardParser(parser: ChildProcess, deadline: number, { stallSeconds, memoryMb }: ParserLimits) {
  const startedAt = performance.now();
  let cpuMs = 0;
  let cpuMsAtProgress = 0;
  const checkUsage = () => {
    const usage = measureUsage(parser.pid);
    // Without `/proc`, wall time replaces CPU time, and only V8's limit bounds the memory.
    cpuMs = usage?.cpuMs ?? performance.now() - startedAt;
    if (Date.now() > deadline) guard.end('too_slow');
    if (cpuMs - cpuMsAtProgress > stallSeconds * 1000) guard.end('too_complex');
    if (usage && usage.memoryMb > memoryMb) guard.end('too_complex');
  };
  const kill = () => parser.kill('SIGKILL');
  const interval = setInterval(checkUsage, checkIntervalMs);
  process.once('exit', kill);
  const guard = {
    /** Reason why the parser was killed. */
    verdict: undefined as 'too_complex' | 'too_slow' | undefined,
    end(verdict: 'too_complex' | 'too_slow') {
      guard.verdict ??= verdict;
      kill();
    },
    onProgress() {
      cpuMsAtProgress = cpuMs;
    },
    stop() {
      clearInterval(interval);
      process.off('exit', kill);
    },
  };
  return guard;
}
