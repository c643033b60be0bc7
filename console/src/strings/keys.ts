import type { Scope } from '../../../shared/scopes.ts';

/** Texts of the API keys' page. */
export const keys = {
  title: 'API keys',
  description:
    'Workers and programs use these keys to act on your behalf, within what each key may do. Give each of them its own.',
  create: 'New API key',
  noneTitle: 'No API keys yet',
  none: 'A worker that answers calls needs one: to read how it should speak, and to save what was said.',
  list: 'Your API keys, newest first',
  column: {
    name: 'Name',
    scopes: 'Permissions',
    state: 'State',
    created: 'Created',
    used: 'Last used',
    expires: 'Expires',
    actions: 'Actions',
  },
  actionsLabel: (name: string, masked: string) => `Actions for ${name}, ${masked}`,
  usedNote: 'Exact to the hour',
  state: { active: 'Active', replaced: 'Being replaced', expired: 'Expired' },
  scope: {
    read: { name: 'Read', help: 'Assistants, knowledge, calls and masked credentials.' },
    write: { name: 'Write', help: 'Make, change and delete assistants, knowledge, credentials and calls.' },
    logs: { name: 'Save calls', help: 'What was said, after each call. Workers need it.' },
    runtime: {
      name: 'Take calls',
      help: 'Read an assistant with the keys of its vendors, in plain text. Workers need it; nobody else should have it.',
    },
    chat: { name: 'Chat', help: 'Talk to assistants in text. It costs money at your vendors.' },
    events: { name: 'See activity', help: 'Read who changed what, and when.' },
    webhooks: {
      name: 'Manage webhooks',
      help: 'Send events, with transcripts if wanted, to any address. Few programs should have it.',
    },
  } satisfies Record<Scope, { name: string; help: string }>,

  // Creating a key
  name: 'Name',
  nameHelp: 'Who will use it, such as “Worker in Frankfurt”.',
  scopes: 'Permissions',
  expiry: 'Expires',
  expiryChoice: {
    never: 'Never',
    month: 'In 30 days',
    quarter: 'In 90 days',
    year: 'In a year',
    date: 'Custom date',
  },
  day: 'Last day',
  scopeNeeded: 'Choose at least one',
  dayNeeded: 'Choose today or a later day',
  make: 'Create key',

  // Shown once
  secret: {
    title: 'API key',
    issued: 'This is the key. Copy it now: it cannot be shown again, by anyone.',
    issuedHelp: 'Only a hash of it is kept. If you lose it, rotate it or create another.',
    copy: 'Copy the key',
    stored: 'I have put it where it will be used',
    done: 'Done',
    lost: 'The key was created, but the response was lost, and it can’t be shown again. Rotate it to get a new one.',
  },

  // Replacing and revoking
  rotate: 'Rotate',
  rotateTitle: (name: string) => `Rotate “${name}”`,
  rotateText:
    'You get a new key with the same name, permissions, limits and lifetime. The old one keeps working for a while, so that you can switch over.',
  grace: 'Keep the old key valid for',
  graceChoice: { 0: 'No time at all', 3600: 'An hour', 86400: 'A day', 604800: 'A week' },
  graceHelp: 'If the old key has leaked, do not rotate it: revoke it, since anyone who has it could keep using it.',
  rotateIt: 'Rotate the key',
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeText: (masked: string) =>
    `The key that ends in ${masked} stops working within a minute, for good. It disappears from this list.`,
  revoked: 'Key revoked. It stops working within a minute.',
} as const;
