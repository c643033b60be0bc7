/** User agents of the requests to addresses that clients name. Clients cannot change them. The services of the local host refuse them. */
export const userAgents = {
  webhooks: 'voice-assistants-webhooks',
  tools: 'voice-assistants-tools',
  completions: 'voice-assistants-completions',
} as const;
