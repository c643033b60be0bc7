/**
 * Returns the page size for a cursor: a small first page that shows fast, then large ones, because fewer pages mean
 * fewer requests when the list is refetched.
 */
export const getPageSize = (cursor: string | undefined): number => (cursor === undefined ? 50 : 200);

/** Returns the cursor of the next page from the `Link` header (RFC 8288); undefined on the last page. */
export function parseNextCursor(headers: Headers): string | undefined {
  for (const link of headers.get('link')?.split(/,\s*(?=<)/) ?? []) {
    const [, target = '', parameters = ''] = /^\s*<([^>]*)>(.*)$/.exec(link) ?? [];
    if (!/;\s*rel="?next"?\s*(?:;|$)/.test(parameters)) continue;
    return new URLSearchParams(target.slice(target.indexOf('?') + 1)).get('cursor') ?? undefined;
  }
  return undefined;
}
