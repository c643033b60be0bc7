/**
 * Formats the time, RFC 3339, for which a row of an owner waits: `<owner>#<time>`. The owner comes first, so that many rows of one can be
 * skipped.
 */
export const formatDue = (owner: string, time: string): string => `${owner}#${time}`;

/** Returns the time of a formatted one. Rows of earlier releases have the time alone. */
export const parseDueTime = (due: string): string => due.slice(due.indexOf('#') + 1);
