import type { FunctionStarts } from './functions.ts';
import type { ColdStarts, WarmCalls } from './measure.ts';
import type { ProbeResult } from './probe.ts';
import type { Endpoint, Stack } from './stacks.ts';

/** Measurement of a process that handled many calls. */
export interface SoakResult {
  stack: Stack;
  endpoint: Endpoint;
  calls: number;
  probed: ProbeResult;
}

/** All measurements of `npm run bench`. */
export interface Results {
  /** Date, commit, machine and load. */
  measuredOn: string;
  cold: ColdStarts[];
  warm: WarmCalls[];
  soaked: SoakResult[];
  functions: FunctionStarts[];
}
