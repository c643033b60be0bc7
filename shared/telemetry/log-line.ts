/**
 * Writes a JSON log line with its fields at the root, where CloudWatch's embedded metric format requires them. Lambda's
 * JSON log format would nest the fields of a `console` call below `message`. Lambda passes on a line that is already
 * JSON, and reads its `timestamp` and `level`.
 */
export const writeLogLine = (requestId: string, fields: object): void => {
  const line = { timestamp: new Date().toISOString(), level: 'INFO', requestId, ...fields };
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

/** Shortens a user's key for logs: long enough to distinguish users, too short to look up rows. */
export const toUserLabel = (key: string): string => key.slice(0, 12);
