/**
 * User agents of the requests to addresses that clients name, or at which they reached this API. Clients cannot change them. The services
 * of the local host refuse them.
 */
export const userAgents = {
  webhooks: 'voice-assistants-webhooks',
  tools: 'voice-assistants-tools',
  completions: 'voice-assistants-completions',
  mcp: 'voice-assistants-mcp',
} as const;
