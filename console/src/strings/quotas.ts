import type { Quota } from '../../../shared/quotas.ts';

const count = new Intl.NumberFormat('en');

/** Texts of limits per day. */
export const quotas = {
  title: 'Limits of today',
  name: {
    completions: 'Answers in text',
    search_answers: 'Answers from documents',
    tool_calls: 'Tool calls of workers',
    web_calls: 'Calls from a browser',
    uploads: 'Uploads',
  } satisfies Record<Quota, string>,
  use: (used: number, limit: number) => `${count.format(used)} of ${count.format(limit)}`,
  near: 'Nearly used up.',
  reached: 'Used up: further requests are refused.',
  resets: 'Starts anew',

  // Limits of an API key
  forKey: 'Limits per day',
  forKeyHelp: 'What the key may spend in a day (UTC), besides your own limits. Empty: no limit of its own.',
  ofKey: (quota: Quota, limit: number) => `${quotas.name[quota]}: ${count.format(limit)} a day`,
} as const;
