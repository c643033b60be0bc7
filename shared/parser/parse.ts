import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type ErrorPlace, failures, type ReadResult } from '../domain/read-result.ts';
import type { Hint } from '../domain/reading.ts';
import { decodeAnswer } from './answer.ts';
import { measureUsage } from './usage.ts';

/** Bounds of one parser. */
export interface ParserLimits {
  /** CPU time without progress, in seconds: a page, or a whole document that has none. */
  stallSeconds: number;
  /** Resident memory in megabytes. */
  memoryMb: number;
}

/**
 * The largest documents that people write take 4 s a step, and 800 MB. Of the 1,769 MB of the function, what remains is for itself,
 * and for what a parser takes between two looks at it.
 */
const usualLimits: ParserLimits = { stallSeconds: 15, memoryMb: 1_300 };

/** Interval at which a parser is measured, in milliseconds. It can fill some 100 MB meanwhile. */
const intervalMs = 50;

/** Largest output. All of the text that a document may have makes a tenth of it. */
const maxOutputBytes = 100_000_000;

/** The parser: beside the bundle of the function, which is CommonJS and has no `import.meta`; as a source among the sources. */
const program = import.meta.dirname ? join(import.meta.dirname, 'program.ts') : join(__dirname, 'parser.mjs');
const readable = import.meta.dirname ? join(import.meta.dirname, '../..') : dirname(program);

/** A parser reads its own program, and nothing else: no other file, no other process, no code made of text. */
export const confined = ['--permission', `--allow-fs-read=${readable}/*`, '--disallow-code-generation-from-strings'];

/** Names of variables that Node needs to start on Lambda. The credentials of the function are not among them. */
const inherited = ['LD_LIBRARY_PATH', 'TZ'];

/** Thrown where a parser has failed by itself, whatever the document: a bug of ours, or a file that is not there. */
class ParserFailed extends Error {
  constructor({ name, where }: ErrorPlace) {
    super(`The parser failed with ${name} at ${where.join(' at ')}`);
    this.name = 'ParserFailed';
  }
}

function startParser({ memoryMb }: ParserLimits): ChildProcessByStdio<Writable, Readable, null> {
  const env = Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  const flags = [...confined, `--max-old-space-size=${memoryMb}`];
  return spawn(process.execPath, [...flags, program], { env, stdio: ['pipe', 'pipe', 'ignore'] });
}

/**
 * Reads a document in a process of its own, which has no credentials, and is killed where it exceeds its limits or the deadline,
 * in milliseconds since 1970: the document is then too complex or too slow. Throws where the parser fails for another reason.
 */
export async function parseDocument(
  bytes: Uint8Array,
  { file_name, content_type }: Hint,
  deadline: number,
  limits: ParserLimits = usualLimits,
): Promise<ReadResult> {
  const parser = startParser(limits);
  const guard = guardParser(parser, deadline, limits);
  const output: Buffer[] = [];
  let size = 0;
  parser.stdout.on('data', (chunk: Buffer) => {
    guard.onProgress();
    output.push(chunk);
    size += chunk.length;
    if (size > maxOutputBytes) guard.end('too_complex');
  });
  parser.stdin.on('error', () => {}); // a parser that ends before it has read everything tells so by its end
  parser.stdin.write(`${JSON.stringify({ file_name, content_type })}\n`);
  parser.stdin.end(bytes);
  try {
    const [code, signal] = (await once(parser, 'close')) as [number | null, NodeJS.Signals | null];
    if (guard.verdict) return { reason: failures[guard.verdict] };
    // Out of memory: V8 has aborted, or the kernel has chosen it.
    if (signal) return { reason: failures.too_complex };
    if (code !== 0) throw new Error(`The parser ended with exit code ${code}`);
  } finally {
    guard.stop();
  }
  const answer = decodeAnswer(Buffer.concat(output));
  if ('failure' in answer) throw new ParserFailed(answer.failure);
  return answer;
}

/** Kills a parser at the deadline, and where it stalls or takes too much memory; and with this process, if that exits. */
function guardParser(parser: ChildProcess, deadline: number, { stallSeconds, memoryMb }: ParserLimits) {
  const startedAt = performance.now();
  let cpuMs = 0;
  let cpuMsAtProgress = 0;
  const look = () => {
    const usage = measureUsage(parser.pid);
    // Without `/proc` the clock has to do, and of memory V8's own bound.
    cpuMs = usage?.cpuMs ?? performance.now() - startedAt;
    if (Date.now() > deadline) guard.end('too_slow');
    if (cpuMs - cpuMsAtProgress > stallSeconds * 1000) guard.end('too_complex');
    if (usage && usage.memoryMb > memoryMb) guard.end('too_complex');
  };
  const kill = () => parser.kill('SIGKILL');
  const interval = setInterval(look, intervalMs);
  process.once('exit', kill);
  const guard = {
    /** Why the parser was killed. */
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
