import { parse, v5 as uuidv5 } from 'uuid';
import { instantOf, timingOf, written } from '../instant.ts';
import type { Log } from '../schemas/log.ts';
import { type Item, readItem } from './transcript-item.ts';

/** The time of an item on both scales, where the start of the call leads from the one to the other. */
function timeOf(item: Item, start: number | undefined): Pick<Log, 'timestamp' | 'offset_seconds'> {
  const { at, offset } = timingOf(item);
  if (start === undefined) return { timestamp: written(at), offset_seconds: offset ?? null };
  return {
    timestamp: written(at ?? (offset === undefined ? undefined : start + Math.round(offset * 1000))),
    offset_seconds: offset ?? (at === undefined ? null : (at - start) / 1000),
  };
}

/**
 * The items of a transcript as they are shown, in order, one log an item. Logs are derived on every read: an id is the
 * UUID version 5 of the item's index in the namespace of its session, so it stays the same.
 */
export function shownLogs(sessionId: string, items: readonly object[], startedAt: string | null): Log[] {
  const namespace = parse(sessionId);
  const start = instantOf(startedAt);
  return (items as readonly Item[]).map((item, index) => {
    const id = uuidv5(String(index), namespace);
    return { id, index, ...readItem(item), ...timeOf(item, start), raw: item };
  });
}

/** An item's own id. A bare number counts the items of a call, and would make one call of all that begin alike. */
const ownId = ({ id }: Item): string | undefined =>
  typeof id === 'string' && id.trim() !== '' && !/^\d{1,9}$/.test(id) ? id : undefined;

/**
 * What tells a call from others of the same assistant, room and participant: when it started, or the first item's own id
 * or absolute time. Undefined where there is none of these, or no item: such a call is always a new one.
 */
export function anchorOf(startedAt: string | undefined, items: readonly object[]): string | undefined {
  const first = items[0] as Item | undefined;
  if (!first) return undefined;
  const start = written(instantOf(startedAt));
  if (start) return `start:${start}`;
  const id = ownId(first);
  if (id) return `id:${id}`;
  const at = written(timingOf(first).at);
  return at ? `at:${at}` : undefined;
}

const maxPreview = 140;

/**
 * The beginning of the caller's first words in one line: greetings make all calls look alike. Where the caller said nothing, of
 * what was said first. Instructions to the model are said to nobody.
 */
export function previewOf(logs: readonly Log[]): string | null {
  const messages = logs.filter(({ type, role, content }) => type === 'message' && role !== 'system' && content?.trim());
  const said = messages.find(({ role }) => role === 'user') ?? messages[0];
  if (!said?.content) return null;
  const line = said.content.trim().replace(/\s+/g, ' ');
  return [...line.slice(0, 2 * maxPreview)].slice(0, maxPreview).join('').trimEnd();
}
