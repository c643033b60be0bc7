import type { FunctionCold } from './functions.ts';
import type { Cold, Warm } from './measure.ts';
import type { Probed } from './probe.ts';
import type { Endpoint, Stack } from './stacks.ts';

/** A process that has answered very many calls. */
export interface Soaked {
  stack: Stack;
  endpoint: Endpoint;
  calls: number;
  probed: Probed;
}

/** All that `npm run bench` has measured. */
export interface Results {
  /** Machine, day, commit, load. */
  measuredOn: string;
  cold: Cold[];
  warm: Warm[];
  soaked: Soaked[];
  functions: FunctionCold[];
}
