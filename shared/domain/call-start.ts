/** Start of the year 2000, in milliseconds since 1970. An earlier time comes from a clock that was never set. */
const earliestStart = Date.UTC(2000, 0, 1);

/** True if a call that was saved at `savedAt` can have started at `start`. Both are in milliseconds since 1970. */
export const isPossibleStart = (start: number, savedAt: number): boolean => start >= earliestStart && start < savedAt;
