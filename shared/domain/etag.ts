import { hash } from 'node:crypto';
import { type Fault, PreconditionFailed } from '../errors.ts';

/**
 * Returns the entity tag of a thing: its revision, which only edits increment, and a digest of the rest of its representation,
 * such as attached knowledge bases. A change of either makes a cached copy stale.
 */
export function toEtag(revision: number, others: unknown): string {
  // The 3 is the format of the response: a cached copy without `live` is stale.
  const digest = hash('sha256', JSON.stringify([3, others]), 'base64url').slice(0, 8);
  return `"${revision}-${digest}"`;
}

/** Returns the entity tag of the live versions of an assistant, which no other route accepts. */
export const toLiveEtag = (liveRevision: number, others: unknown): string =>
  toEtag(liveRevision, others).replace('"', '"live-');

/**
 * Revisions that `If-Match` accepts, never an empty list. Undefined without the header, and for `*`, since an edit
 * fails anyway if nothing exists. 0 matches nothing, since revisions start at 1.
 */
export interface Precondition {
  revisions?: number[];
  /** The same of the tags of live versions (`toLiveEtag`). */
  liveRevisions?: number[];
}

const tagList = /^\s*(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*\s*$/;

/**
 * Parses `If-Match` (RFC 9110, section 13.1.1). Accepts weak tags, since proxies that compress weaken tags.
 * A well-formed tag of another format becomes revision 0, which matches nothing.
 */
export function parsePrecondition(ifMatch: string | undefined): Precondition | { fault: Fault } {
  if (ifMatch === undefined || ifMatch.trim() === '*') return {};
  if (ifMatch.length > 400 || !tagList.test(ifMatch)) {
    const msg = 'Send the ETag that you read, in its quotes, or *';
    return { fault: { loc: ['header', 'if-match'], msg, type: 'etag_parsing' } };
  }
  const tags = [...ifMatch.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => tag);
  const listNumbers = (pattern: RegExp) => [...new Set(tags.map((tag) => Number(pattern.exec(tag)?.[1] ?? 0)))];
  return { revisions: listNumbers(/^(\d{1,15})-/), liveRevisions: listNumbers(/^live-(\d{1,15})-/) };
}

/** Throws PreconditionFailed if the client does not accept this revision. */
export function checkPrecondition({ revisions }: Precondition, revision: number): void {
  if (revisions && !revisions.includes(revision)) throw new PreconditionFailed();
}

/** True if `If-None-Match` contains this tag, by the weak comparison of RFC 9110, section 13.1.2. */
export function hasMatchingEtag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((sent) => sent.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(tag.replace(/^W\//, ''));
}
