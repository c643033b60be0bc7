import type { Context } from 'aws-lambda';

/** Part of a function's timeout that is reserved for finishing what has begun before the deadline, in milliseconds. */
const reserveMs = 15_000;

/** Returns the time at which a function stops to begin work, in milliseconds since 1970. */
export const getDeadline = (context: Context): number => Date.now() + context.getRemainingTimeInMillis() - reserveMs;
