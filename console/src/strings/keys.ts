import type { Scope } from '../../../shared/scopes.ts';
import type { ExpiryChoice } from '../keys/expiry.ts';
import type { KeyState } from '../keys/key-state.ts';

/** The page of the API keys. */
export const keys = {
  title: 'API keys',
  description: 'Your workers and programs act as you by such a key, within what it may do. Give each of them its own.',
  create: 'New API key',
  noneTitle: 'No API keys yet',
  none: 'A worker that answers calls needs one: to read how it should speak, and to save what was said.',
  list: 'Your API keys, newest first',
  column: {
    name: 'Name',
    scopes: 'May',
    state: 'State',
    created: 'Created',
    used: 'Last used',
    expires: 'Expires',
    actions: 'Actions',
  },
  actionsOf: (name: string, masked: string) => `Actions for ${name}, ${masked}`,
  usedNote: 'Exact to the hour',
  state: { active: 'Active', replaced: 'Being replaced', expired: 'Expired' } satisfies Record<KeyState, string>,
  scope: {
    read: { name: 'Read', help: 'Assistants, knowledge, calls, and credentials as far as you see them.' },
    write: { name: 'Change', help: 'Make, change and delete assistants, knowledge, credentials and calls.' },
    logs: { name: 'Save calls', help: 'What was said, after each call. Workers need it.' },
    runtime: {
      name: 'Take calls',
      help: 'Read an assistant with the keys of its vendors, in clear. Workers need it; nobody else should have it.',
    },
  } satisfies Record<Scope, { name: string; help: string }>,

  // Making one
  name: 'Name',
  nameHelp: 'Who will use it, such as “Worker in Frankfurt”.',
  scopes: 'It may',
  expiry: 'Expires',
  expiryChoice: {
    never: 'Never',
    month: 'In 30 days',
    quarter: 'In 90 days',
    year: 'In a year',
    date: 'On a day that I choose',
  } satisfies Record<ExpiryChoice, string>,
  day: 'Last day',
  scopeNeeded: 'Choose at least one: a key that may do nothing is of no use',
  dayNeeded: 'Choose today or a day to come',
  make: 'Make the key',

  // Shown once
  issued: 'This is the key. Copy it now: it cannot be shown again, by anyone.',
  issuedHelp: 'Only a hash of it is kept. Who loses a key makes another, or rotates it.',
  copyKey: 'Copy the key',
  stored: 'I have put it where it will be used',
  done: 'Done',
  lost: 'The key is made, but it was in an answer that got lost on the way, and it is shown only once. Rotate it to get another.',

  // Replacing and revoking
  rotate: 'Rotate',
  rotateTitle: (name: string) => `Rotate “${name}”`,
  rotateText:
    'You get a new key with the same name, rights and span of life. The old one goes on for a while, until all who use it have the new one.',
  grace: 'The old key stays good for',
  graceChoice: { 0: 'No time at all', 3600: 'An hour', 86400: 'A day', 604800: 'A week' },
  graceHelp: 'If the old key has leaked, do not rotate it: revoke it, since whoever has it could use it meanwhile.',
  rotateIt: 'Rotate the key',
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeText: (masked: string) =>
    `Whoever uses the key that ends in ${masked} is refused, within a minute and for good. It goes from this list.`,
  revoked: 'The key is revoked. That holds within a minute.',
} as const;
