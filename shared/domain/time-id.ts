import { hash } from 'node:crypto';

/** Ids that sort by time: UUIDs of version 7. Their first 48 bits are milliseconds since 1970. */

/** True for a UUID in lower case, as the service writes them. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** Returns the time of an id, in milliseconds since 1970. */
export const getIdTime = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

/** Returns an id that sorts before (with `0`) or after (with `f`) all ids of a millisecond. */
export function toIdBound(milliseconds: number, fill: '0' | 'f'): string {
  const time = Math.floor(Math.max(0, Math.min(milliseconds, 0xffff_ffff_ffff)))
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-${fill.repeat(4)}-${fill.repeat(4)}-${fill.repeat(12)}`;
}

/** Returns the id of what follows from an event, which is always the same (UUID of version 8). It sorts with the event's. */
export function deriveId(id: string, name: string): string {
  const digest = hash('sha256', `${id} ${name}`);
  return `${id.slice(0, 13)}-8${digest.slice(0, 3)}-a${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}
