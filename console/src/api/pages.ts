/**
 * How much of a list is read at once: little at first, so that it is soon there, then more, since whoever scrolls on wants
 * to get somewhere, and all that was read is read again when it changes.
 */
export const limitAt = (cursor: string | undefined): number => (cursor === undefined ? 50 : 200);

/** Where the next page begins, out of the `Link` header (RFC 8288) of a listing; undefined on the last page. */
export function nextCursor(headers: Headers): string | undefined {
  for (const link of headers.get('link')?.split(/,\s*(?=<)/) ?? []) {
    const [, target = '', parameters = ''] = /^\s*<([^>]*)>(.*)$/.exec(link) ?? [];
    if (!/;\s*rel="?next"?\s*(?:;|$)/.test(parameters)) continue;
    return new URLSearchParams(target.slice(target.indexOf('?') + 1)).get('cursor') ?? undefined;
  }
  return undefined;
}
