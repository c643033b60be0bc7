import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { inject } from 'vitest';

// Property tests of one run draw their inputs by its seed, so that the run can be repeated.
fc.configureGlobal({ seed: createHash('sha256').update(inject('seed')).digest().readInt32BE() });
