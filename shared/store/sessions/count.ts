/**
 * Builds the update of a day's session count. It expires with the sessions of that day, at `expiresAt` in seconds since
 * 1970.
 */
export const buildCountUpdate = (by: number, expiresAt: number | undefined) => ({
  UpdateExpression: `ADD sessions :by ${expiresAt === undefined ? 'REMOVE expires_at' : 'SET expires_at = :expiry'}`,
  ExpressionAttributeValues: { ':by': by, ...(expiresAt !== undefined && { ':expiry': expiresAt }) },
});
