/**
 * User agents of the requests to addresses that clients name, or at which they reached this API. Clients cannot change them. The services
 * of the local host refuse them, and this API all but those of `mcp`.
 */
export const userAgents = {
  webhooks: 'voice-assistants-webhooks',
  tools: 'voice-assistants-tools',
  completions: 'voice-assistants-completions',
  mcp: 'voice-assistants-mcp',
} as const;

const looping: readonly (string | undefined)[] = [userAgents.webhooks, userAgents.tools, userAgents.completions];

/** Returns true if a request to this API came from the service itself because a client named the address. */
export const isLoop = (userAgent: string | undefined): boolean => looping.includes(userAgent);
