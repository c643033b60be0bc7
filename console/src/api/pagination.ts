/**
 * Returns the page size for a cursor: a small first page that shows fast, then large ones, because fewer pages mean
 * fewer requests when the list is refetched.
 */
export const getPageSize = (cursor: string | undefined): number => (cursor === undefined ? 50 : 200);
