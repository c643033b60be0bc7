import { parse, v5 as uuidv5 } from 'uuid';
import type { Log } from '../schemas/log.ts';
import { formatTimestamp, parseTimestamp, parseTiming } from '../timestamp.ts';
import { type Item, parseItem } from './transcript-item.ts';

/** Returns timestamp and offset of an item. The start of the call, if known, converts one into the other. */
function toLogTime(item: Item, start: number | undefined): Pick<Log, 'timestamp' | 'offset_seconds'> {
  const { at, offset } = parseTiming(item);
  if (start === undefined) return { timestamp: formatTimestamp(at), offset_seconds: offset ?? null };
  return {
    timestamp: formatTimestamp(at ?? (offset === undefined ? undefined : start + Math.round(offset * 1000))),
    offset_seconds: offset ?? (at === undefined ? null : (at - start) / 1000),
  };
}

/**
 * Converts the items of a transcript to logs, in order. Logs are not stored: their ids stay stable because they are the
 * version 5 UUID of the item's index in the namespace of the session.
 */
export function toLogs(sessionId: string, items: readonly object[], startedAt: string | null): Log[] {
  const namespace = parse(sessionId);
  const start = parseTimestamp(startedAt);
  return (items as readonly Item[]).map((item, index) => {
    const id = uuidv5(String(index), namespace);
    return { id, index, ...parseItem(item), ...toLogTime(item, start), raw: item };
  });
}

/** Returns the id of an item. Ignores a bare number, which counts items and would be equal in every call. */
const findOwnId = ({ id }: Item): string | undefined =>
  typeof id === 'string' && id.trim() !== '' && !/^\d{1,9}$/.test(id) ? id : undefined;

/**
 * Returns the value that distinguishes a call from others of the same assistant, room and participant: its start, else
 * id or timestamp of the first item. Undefined without any of these, or without items.
 */
export function findAnchor(startedAt: string | undefined, items: readonly object[]): string | undefined {
  const first = items[0] as Item | undefined;
  if (!first) return undefined;
  const start = formatTimestamp(parseTimestamp(startedAt));
  if (start) return `start:${start}`;
  const id = findOwnId(first);
  if (id) return `id:${id}`;
  const at = formatTimestamp(parseTiming(first).at);
  return at ? `at:${at}` : undefined;
}

const maxPreviewLength = 140;

/**
 * Returns the beginning of the caller's first message as one line, since all calls start with the same greeting. Falls
 * back to the first message. Skips system messages.
 */
export function buildPreview(logs: readonly Log[]): string | null {
  const messages = logs.filter(({ type, role, content }) => type === 'message' && role !== 'system' && content?.trim());
  const message = messages.find(({ role }) => role === 'user') ?? messages[0];
  if (!message?.content) return null;
  const line = message.content.toWellFormed().trim().replace(/\s+/g, ' ');
  return [...line.slice(0, 2 * maxPreviewLength)].slice(0, maxPreviewLength).join('').trimEnd();
}
