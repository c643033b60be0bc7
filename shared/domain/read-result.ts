import type { Reason } from '../schemas/common.ts';

/** A document that was read: its search index, and facts about it. */
export interface Readable {
  content_type: string;
  char_count: number;
  chunk_count: number;
  index: Uint8Array;
}

/** A document that cannot be read, and why. */
export interface NotReadable {
  content_type?: string | undefined;
  reason: Reason;
  /** Error of a library, for the log: it may be our bug. */
  cause?: ErrorPlace | undefined;
}

export type ReadResult = Readable | NotReadable;

/** Name of an error, and the first lines of its stack. Its message is left out: a library's may quote the document. */
export interface ErrorPlace {
  name: string;
  where: string[];
}

export function toErrorPlace({ name, stack = '' }: Error): ErrorPlace {
  const [, ...where] = stack.split('\n    at ', 4);
  return { name, where };
}

/** Reasons why a document failed, besides those of `shared/reading/unreadable.ts`. */
export const failures = {
  unsupported: {
    type: 'unsupported',
    msg: 'The file is of a kind that is not read: upload a PDF, DOCX, text, Markdown, HTML, CSV or JSON file, or an image',
  },
  too_large: { type: 'too_large', msg: 'A file may have at most 50 MB: split it, then upload its parts' },
  replaced: {
    type: 'replaced',
    msg: 'Another file came by the same form while this one was read: delete it, then upload the right one',
  },
  too_complex: {
    type: 'too_complex',
    msg: 'Reading the file takes more memory or time than there is: split it, or save it in a simpler form, then upload it again',
  },
  too_slow: { type: 'too_slow', msg: 'Reading the file took too long: split it, then upload its parts' },
  internal: { type: 'internal', msg: 'Reading the file failed on our side: delete it, then upload it again' },
} as const satisfies Record<string, Reason>;
