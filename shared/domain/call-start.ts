/** Start of the year 2000, in milliseconds since 1970. A clock that says less was never set. */
const earliestStart = Date.UTC(2000, 0, 1);

/** True if a call that was saved at a moment can have started at another, both in milliseconds since 1970. */
export const isPossibleStart = (start: number, savedAt: number): boolean => start >= earliestStart && start < savedAt;
