import type { Log } from '../schemas/log.ts';

export type Item = Record<string, unknown>;

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);
const isBoolean = (value: unknown) => typeof value === 'boolean';
const isLabel = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || Number.isFinite(value);
const isPresent = (value: unknown): value is NonNullable<unknown> => value !== undefined && value !== null;

/** Returns the first value that fits, by source and then by key. */
function findValue<T>(
  sources: readonly Item[],
  keys: readonly string[],
  fits: (value: unknown) => value is T,
): T | null {
  for (const source of sources) {
    for (const key of keys) {
      const value = source[key];
      if (fits(value)) return value;
    }
  }
  return null;
}

/** Returns the first name or id under these keys. */
function findLabel(sources: readonly Item[], keys: readonly string[]): string | null {
  const label = findValue(sources, keys, isLabel);
  return label === null ? null : String(label);
}

const contentKeys = ['content', 'message', 'text', 'transcript', 'value'];

/** Maximum nesting of content parts. Vendors nest two or three levels; deeper text is only in `raw`. */
const maxDepth = 8;

/** Joins the parts of a content, one per line, like LiveKit's `text_content`. Null if it has no text, for example an image. */
function toText(content: unknown, depth: number): string | null {
  if (typeof content === 'string') return content;
  if (typeof content === 'number' || typeof content === 'boolean') return String(content);
  if (depth === 0) return null;
  if (isItem(content)) return findContent(content, depth - 1);
  if (!Array.isArray(content)) return null;
  const texts = content.map((part) => toText(part, depth - 1)).filter((text) => text !== null);
  return texts.length > 0 ? texts.join('\n') : null;
}

/** Returns the first non-empty text under the keys that vendors use. */
function findContent(item: Item, depth = maxDepth): string | null {
  let empty: string | null = null;
  for (const key of contentKeys) {
    const text = toText(item[key], depth);
    if (text) return text;
    empty ??= text;
  }
  return empty;
}

type Kind = Pick<Log, 'type' | 'role'>;
const functionCall: Kind = { type: 'function_call', role: 'assistant' };
const functionOutput: Kind = { type: 'function_call_output', role: 'tool' };

/** Types and roles that vendors use. LiveKit marks a function call by type, the others by role. */
const kinds = new Map<string, Kind>(
  (
    [
      [{ type: 'message', role: 'assistant' }, 'assistant', 'agent', 'bot', 'ai', 'model'],
      [{ type: 'message', role: 'user' }, 'user', 'human', 'caller', 'customer'],
      [{ type: 'message', role: 'system' }, 'system', 'developer'],
      [functionCall, 'function_call', 'tool_call', 'tool_calls', 'tool_call_invocation'],
      [functionOutput, 'function_call_output', 'tool_call_result', 'tool_result', 'tool'],
    ] as const
  ).flatMap(([kind, ...words]) => words.map((word) => [word, kind] as const)),
);

const normalizeWord = (value: unknown): string => (typeof value === 'string' ? value.trim().toLowerCase() : '');
const findKind = (value: unknown) => kinds.get(normalizeWord(value));

/** First function call and result of a turn, for vendors that list several in one turn (ElevenLabs, Vapi, OpenAI). */
interface Turn {
  call: Item | undefined;
  result: Item | undefined;
}

function findFirst(list: unknown): Item | undefined {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return isItem(first) ? first : undefined;
}

/** Classifies an item. A turn with text is a message, even if it calls a function. Without a speaker it is an event. */
function classifyItem(item: Item, content: string | null, turn: Turn): Kind {
  const typed = findKind(item.type);
  const speaker = findKind(item.role) ?? findKind(item.speaker) ?? findKind(item.from);
  if (typed && typed.type !== 'message') return typed;
  if (speaker && speaker.type !== 'message') return speaker;
  if (!content && turn.call) return functionCall;
  if (!content && turn.result) return functionOutput;

  const type = normalizeWord(item.type);
  const isMessage = type === '' ? speaker || content !== null : type === 'message' || (speaker && content !== null);
  return { type: isMessage ? 'message' : 'event', role: speaker?.role ?? 'other' };
}

/**
 * Lists the objects that may describe a function call: the item, its call (OpenAI nests it once more) and its result.
 */
const listSources = (item: Item, { call, result }: Turn): Item[] => [item, call, call?.function, result].filter(isItem);

const labels = {
  name: ['name', 'tool_name'],
  event: ['name', 'type', 'role'],
  callId: ['call_id', 'callId', 'tool_call_id', 'toolCallId'],
};

/**
 * Parses the fields of a log that depend on its item alone. Uses the first of several function calls; `raw` has them
 * all.
 */
export function parseItem(item: Item) {
  const turn = {
    call: findFirst(item.tool_calls ?? item.toolCalls),
    result: findFirst(item.tool_results ?? item.toolResults),
  };
  const content = findContent(item);
  const { type, role } = classifyItem(item, content, turn);
  const sources = listSources(item, turn);
  const nestedSources = sources.slice(1);
  return {
    type,
    role,
    content,
    interrupted: findValue([item], ['interrupted'], isBoolean),
    name: findLabel(sources, type === 'event' ? labels.event : labels.name),
    call_id: findLabel(sources, labels.callId) ?? findLabel(nestedSources, ['request_id', 'id']),
    arguments: findValue(sources, ['arguments', 'args', 'params_as_json'], isPresent),
    output:
      findValue(sources, ['output', 'result', 'result_value'], isPresent) ??
      (role === 'tool' ? findValue([item], contentKeys, isPresent) : null),
    is_error:
      findValue(sources, ['is_error', 'isError'], isBoolean) ?? (isBoolean(item.successful) ? !item.successful : null),
  };
}
