/** How a day's count of sessions goes up or down, in an update. It expires with the sessions of its day: seconds since 1970. */
export const counting = (by: number, expiresAt: number | undefined) => ({
  UpdateExpression: `ADD sessions :by ${expiresAt === undefined ? 'REMOVE expires_at' : 'SET expires_at = :expiry'}`,
  ExpressionAttributeValues: { ':by': by, ...(expiresAt !== undefined && { ':expiry': expiresAt }) },
});
