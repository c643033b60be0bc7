import { hash } from 'node:crypto';
import { type Fault, PreconditionFailed } from '../errors.ts';

/**
 * Returns the entity tag of an assistant: its revision, which only edits increment, and a digest of its attached
 * knowledge bases. A change of either makes a cached copy stale.
 */
export function toEtag(revision: number, attached: unknown): string {
  const digest = hash('sha256', JSON.stringify(attached), 'base64url').slice(0, 8);
  return `"${revision}-${digest}"`;
}

/**
 * Revisions that `If-Match` accepts, never an empty list. Undefined without the header, and for `*`, since an edit
 * fails anyway if nothing exists. 0 matches nothing, since revisions start at 1.
 */
export interface Precondition {
  revisions?: number[];
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
  const revisions = [...ifMatch.matchAll(/"([^"]*)"/g)].map(([, tag]) =>
    Number(/^(\d{1,15})-/.exec(tag ?? '')?.[1] ?? 0),
  );
  return { revisions: [...new Set(revisions)] };
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
