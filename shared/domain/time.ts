/** Returns the time in some seconds from now, RFC 3339 in UTC with milliseconds. */
export const getTimeIn = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
