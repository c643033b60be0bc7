/**
 * Returns the number of functions that one owner can occupy, of those that handle a FIFO queue: a third, so that the
 * others keep the rest.
 */
export const getLanesPerOwner = (maxConcurrency: number): number => Math.max(1, Math.floor(maxConcurrency / 3));
