import type { Log } from '../schemas/log.ts';

export type Item = Record<string, unknown>;

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);
const isBoolean = (value: unknown) => typeof value === 'boolean';
const isLabel = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || Number.isFinite(value);
const isPresent = (value: unknown): value is NonNullable<unknown> => value !== undefined && value !== null;

/** The first value of its kind, by place and then by name. */
function find<T>(places: readonly Item[], keys: readonly string[], fits: (value: unknown) => value is T): T | null {
  for (const place of places) {
    for (const key of keys) {
      const value = place[key];
      if (fits(value)) return value;
    }
  }
  return null;
}

/** A name or an id. */
function labelOf(places: readonly Item[], keys: readonly string[]): string | null {
  const label = find(places, keys, isLabel);
  return label === null ? null : String(label);
}

const contentKeys = ['content', 'message', 'text', 'transcript', 'value'];

/** Parts of a content are nested two or three levels deep; what hides deeper is left to `raw`. */
const maxDepth = 8;

/** The text of a content: its parts one a line, as LiveKit's `text_content` has them. Null where there is none, as in a picture. */
function textOf(content: unknown, depth: number): string | null {
  if (typeof content === 'string') return content;
  if (typeof content === 'number' || typeof content === 'boolean') return String(content);
  if (depth === 0) return null;
  if (isItem(content)) return contentOf(content, depth - 1);
  if (!Array.isArray(content)) return null;
  const texts = content.map((part) => textOf(part, depth - 1)).filter((text) => text !== null);
  return texts.length > 0 ? texts.join('\n') : null;
}

/** What was said: the first text that is not empty under the names that vendors give it. */
function contentOf(item: Item, depth = maxDepth): string | null {
  let empty: string | null = null;
  for (const key of contentKeys) {
    const text = textOf(item[key], depth);
    if (text) return text;
    empty ??= text;
  }
  return empty;
}

type Kind = Pick<Log, 'type' | 'role'>;
const call: Kind = { type: 'function_call', role: 'assistant' };
const output: Kind = { type: 'function_call_output', role: 'tool' };

/** The words of the vendors: LiveKit tells a call by its type, the others by its role. */
const kinds = new Map<string, Kind>(
  (
    [
      [{ type: 'message', role: 'assistant' }, 'assistant', 'agent', 'bot', 'ai', 'model'],
      [{ type: 'message', role: 'user' }, 'user', 'human', 'caller', 'customer'],
      [{ type: 'message', role: 'system' }, 'system', 'developer'],
      [call, 'function_call', 'tool_call', 'tool_calls', 'tool_call_invocation'],
      [output, 'function_call_output', 'tool_call_result', 'tool_result', 'tool'],
    ] as const
  ).flatMap(([kind, ...words]) => words.map((word) => [word, kind] as const)),
);

const wordOf = (value: unknown): string => (typeof value === 'string' ? value.trim().toLowerCase() : '');
const kindNamed = (value: unknown) => kinds.get(wordOf(value));

/** The first call and the first result of a turn that holds a list of them, as those of ElevenLabs, Vapi and OpenAI do. */
interface Turn {
  call: Item | undefined;
  result: Item | undefined;
}

function firstOf(list: unknown): Item | undefined {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return isItem(first) ? first : undefined;
}

/** A turn that says something is a message, even one that calls a function. What nobody says is an event. */
function kindOf(item: Item, content: string | null, turn: Turn): Kind {
  const typed = kindNamed(item.type);
  const speaker = kindNamed(item.role) ?? kindNamed(item.speaker) ?? kindNamed(item.from);
  if (typed && typed.type !== 'message') return typed;
  if (speaker && speaker.type !== 'message') return speaker;
  if (!content && turn.call) return call;
  if (!content && turn.result) return output;

  const type = wordOf(item.type);
  const said = type === '' ? speaker || content !== null : type === 'message' || (speaker && content !== null);
  return { type: said ? 'message' : 'event', role: speaker?.role ?? 'other' };
}

/** Where an item tells of a function: in itself, in its turn's call (OpenAI nests that once more) and result. */
const placesOf = (item: Item, { call, result }: Turn): Item[] => [item, call, call?.function, result].filter(isItem);

const labels = {
  name: ['name', 'tool_name'],
  event: ['name', 'type', 'role'],
  own: ['call_id', 'callId', 'tool_call_id', 'toolCallId'],
};

/** All of a log that is in its item alone. Of several calls in one turn the first is told; `raw` has them all. */
export function readItem(item: Item) {
  const turn = {
    call: firstOf(item.tool_calls ?? item.toolCalls),
    result: firstOf(item.tool_results ?? item.toolResults),
  };
  const content = contentOf(item);
  const { type, role } = kindOf(item, content, turn);
  const places = placesOf(item, turn);
  const nested = places.slice(1);
  return {
    type,
    role,
    content,
    interrupted: find([item], ['interrupted'], isBoolean),
    name: labelOf(places, type === 'event' ? labels.event : labels.name),
    call_id: labelOf(places, labels.own) ?? labelOf(nested, ['request_id', 'id']),
    arguments: find(places, ['arguments', 'args', 'params_as_json'], isPresent),
    output:
      find(places, ['output', 'result', 'result_value'], isPresent) ??
      (role === 'tool' ? find([item], contentKeys, isPresent) : null),
    is_error:
      find(places, ['is_error', 'isError'], isBoolean) ?? (isBoolean(item.successful) ? !item.successful : null),
  };
}
