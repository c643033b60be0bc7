/**
 * Writes a line with its fields at the root, where the embedded metric format wants them: `console` would put them below
 * `message`, as Lambda's JSON format has it. What is JSON already, Lambda takes as it is, and reads `timestamp` and `level`.
 */
export const logLine = (requestId: string, fields: object): void => {
  const line = { timestamp: new Date().toISOString(), level: 'INFO', requestId, ...fields };
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

/** Shortens a user's key for logs: enough to tell users apart, too little to find rows by. */
export const userLabel = (key: string): string => key.slice(0, 12);
