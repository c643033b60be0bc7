import type { JWTPayload } from 'jose';
import { UserError } from '../../../terminal/user-error.ts';

/** Collects claims. A name with several values gets a list. */
export function collectClaims(entries: Iterable<readonly [name: string, value: string]>): JWTPayload {
  const values = Map.groupBy(entries, ([name]) => name);
  return Object.fromEntries(
    [...values].map(([name, same]) => [name, same.length === 1 ? same[0]?.[1] : same.map(([, value]) => value)]),
  );
}

/** Parses arguments such as `org_id=acme`. Throws UserError. */
export function parseClaims(texts: readonly string[] = []): JWTPayload {
  return collectClaims(
    texts.map((text): [string, string] => {
      const end = text.indexOf('=');
      if (end < 1) throw new UserError(`--claim must be <name>=<value>, for example --claim org_id=acme: ${text}`);
      return [text.slice(0, end), text.slice(end + 1)];
    }),
  );
}
