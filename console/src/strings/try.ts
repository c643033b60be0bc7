import { label, type Share, shares } from './live.ts';

const count = (number: number, one: string, many: string) =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** Texts of trying an assistant in text. */
export const trial = {
  title: 'Try',
  version: 'Version',
  draft: 'Draft',
  live: (versions: readonly Share[]) => `Live ${shares(versions)}`,
  label,
  restart: 'New conversation',

  // Variables
  variables: 'Variables',
  fillIn: 'Fill in the variables',

  // The conversation
  conversation: 'Conversation',
  empty: 'Ask what a caller would ask. Your vendors charge for the answers.',
  you: 'You',
  assistant: 'Assistant',
  waiting: 'Answering …',
  silence: 'Nothing was said',
  stopped: 'Stopped',
  regenerate: 'Regenerate',
  openCall: 'Open among the calls',

  // What stands behind an answer
  milliseconds: (ms: number) => `${Math.round(ms).toLocaleString('en')} ms`,
  tokens: (tokens: number) => count(tokens, 'token', 'tokens'),
  results: (results: number) => count(results, 'tool call', 'tool calls'),
  passages: (passages: number) => count(passages, 'passage', 'passages'),
  firstWord: (ms: string) => `The first word came after ${ms}.`,
  called: (name: string) => `Called ${name}`,
  failed: 'Failed',
  arguments: 'Arguments',
  output: 'Result',
  place: (file: string, page: number | null) => (page === null ? file : `${file}, page ${page}`),

  // Calls of tools that need a call
  would: {
    transfer: () => 'The call would be transferred',
    end_call: () => 'The call would end',
    other: (name: string) => `The call would run ${name}`,
  },
  notRun: 'Not run: this is a conversation in text.',

  // The field
  message: 'Message',
  hint: 'Enter sends, Shift and Enter break the line.',
  send: 'Send',
  stop: 'Stop',
  save: 'Save',
  saveFirst: 'Save to try your changes.',
  broken: 'The draft has a mistake. Fix it to try it.',
  full: (messages: number) => `A conversation has at most ${messages} messages.`,

  // Errors
  toCredentials: 'Go to credentials',
  noKey: {
    title: 'The key of the language model is missing',
    advice: 'Save one for its vendor, then try again.',
  },
  brokenKey: 'The key of the language model cannot be used',
  vendorFailure: {
    vendor_error: 'The language model’s vendor refused the request',
    vendor_busy: 'The language model’s vendor is busy',
    vendor_unavailable: 'The language model’s vendor gave no answer',
    unknown_vendor: 'The language model’s vendor is unknown',
    forbidden_address: 'The language model’s address cannot be used',
  } as Record<string, string>,
} as const;
