import { hash } from 'node:crypto';
import { type Fault, PreconditionFailed } from '../errors.ts';

/**
 * The entity tag of an assistant: its revision, which only edits raise, and a digest of what is attached,
 * so that a cached copy goes stale when either changes.
 */
export function entityTag(revision: number, attached: unknown): string {
  const digest = hash('sha256', JSON.stringify(attached), 'base64url').slice(0, 8);
  return `"${revision}-${digest}"`;
}

/**
 * What `If-Match` demands: one of these revisions, or nothing (as `*` does, since what does not exist cannot be edited).
 * Never empty; revisions start at 1, so 0 is one that nothing has.
 */
export interface Precondition {
  revisions?: number[];
}

const tagList = /^\s*(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*\s*$/;

/**
 * Reads `If-Match` (RFC 9110, section 13.1.1). Weak tags count, since proxies that compress weaken them.
 * A well-formed tag that is not ours demands a revision that nothing has.
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

/** Throws PreconditionFailed where the revision is none that the client demands. */
export function demand({ revisions }: Precondition, revision: number): void {
  if (revisions && !revisions.includes(revision)) throw new PreconditionFailed();
}

/** Whether `If-None-Match` names this tag: the weak comparison of RFC 9110, section 13.1.2. */
export function sameTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((sent) => sent.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(tag.replace(/^W\//, ''));
}
