/** What keeps a file from being read: a name for machines, and a sentence that tells its owner what to do. */
export const reasons = {
  encrypted: 'The file is protected by a password: save it without one, then upload it again',
  damaged: 'The file is damaged: open and save it again, then upload the new file',
  empty: 'The file is empty: upload one that has content',
  no_text: 'No text was found in the file: upload one that has text, or a sharper picture of it',
  too_many_pages: 'The file has more than 2,000 pages: split it, then upload its parts',
  too_large: 'The file is too large: split it, then upload its parts',
  too_deep: 'The file is nested more than 2,000 levels deep: flatten it, then upload it again',
} as const satisfies Record<string, string>;

export type Reason = keyof typeof reasons;

/** A file that cannot be read. Its message is for its owner; what a library threw is the `cause`, for the log only. */
export class Unreadable extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, message: string = reasons[reason], options?: ErrorOptions) {
    super(message, options);
    this.name = 'Unreadable';
    this.reason = reason;
  }
}
