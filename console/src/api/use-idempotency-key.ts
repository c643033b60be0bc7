import { useState } from 'react';
import { createIdempotencyKeys } from '../../../clients/typescript/src/idempotency.ts';

/** Returns a function that gives a body its `Idempotency-Key`, the same one while the body stays the same. */
export const useIdempotencyKey = (): ((body: object) => string) => useState(createIdempotencyKeys)[0];
