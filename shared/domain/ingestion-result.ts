import type { Reason } from '../schemas/common.ts';

/** A parsed document: its search index, and facts about it. */
export interface IndexedDocument {
  content_type: string;
  char_count: number;
  chunk_count: number;
  /** What its owner should know, such as parts that were left out. */
  warnings: Reason[];
  index: Uint8Array;
}

/** Reason why a document cannot be parsed. */
export interface IngestionFailure {
  content_type?: string | undefined;
  reason: Reason;
  /** Error of a library, for the log, since it may be our bug. */
  cause?: ErrorLocation | undefined;
}

export type IngestionResult = IndexedDocument | IngestionFailure;

/**
 * Name of an error, and the first lines of its stack. Without the message, since a library's may quote the document.
 */
export interface ErrorLocation {
  name: string;
  where: string[];
}

export function toErrorLocation({ name, message, stack = '' }: Error): ErrorLocation {
  const start = stack.indexOf(message);
  // The message may have lines like those of a stack. One that was changed since is still in the stack, but not found.
  const [, ...where] = start < 0 ? [] : stack.slice(start + message.length).split('\n    at ', 4);
  return { name, where };
}

/** Reasons why ingestion fails, in addition to those of `shared/reading/unreadable.ts`. */
export const failureReasons = {
  too_large: { type: 'too_large', msg: 'A file may have at most 50 MB: split it, then upload its parts' },
  replaced: {
    type: 'replaced',
    msg: 'Another file was uploaded with the same form while this one was read: delete it, then upload the right one',
  },
  too_complex: {
    type: 'too_complex',
    msg: 'Reading the file needs too much memory or time: split it, or save it in a simpler form, then upload it again',
  },
  too_slow: { type: 'too_slow', msg: 'Reading the file took too long: split it, then upload its parts' },
  internal: { type: 'internal', msg: 'Reading the file failed on our side: delete it, then upload it again' },
} as const satisfies Record<string, Reason>;
