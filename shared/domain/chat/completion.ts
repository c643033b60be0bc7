import { isObject } from '../tools/parameters.ts';

/** Parts of OpenAI's chat completions that the service reads. The rest passes unread. */

/** A call of a function, as a model asks for it. Other fields, such as signatures of thoughts, go back to the vendor. */
export interface FunctionCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  [field: string]: unknown;
}

/** Piece of a function call. Pieces of one call have the same `index`. */
interface FunctionCallDelta {
  index?: number;
  id?: string;
  function?: { name?: string; arguments?: string };
  [field: string]: unknown;
}

/** Numbers by name, some of them in groups. */
export interface Usage {
  [name: string]: unknown;
}

interface Answer {
  role?: string;
  content?: unknown;
  tool_calls?: FunctionCall[] | null;
  [field: string]: unknown;
}

export interface Completion {
  choices?: { message?: Answer; finish_reason?: string | null; [field: string]: unknown }[];
  usage?: Usage | null;
  [field: string]: unknown;
}

interface Delta {
  content?: unknown;
  tool_calls?: FunctionCallDelta[] | null;
  [field: string]: unknown;
}

export interface Chunk {
  choices?: { delta?: Delta; finish_reason?: string | null; [field: string]: unknown }[];
  usage?: Usage | null;
  error?: { message?: unknown } | null;
  [field: string]: unknown;
}

/** Calls that one step may ask for. */
const maxCalls = 128;

/** Fields that are kept of a streamed answer and of each of its calls, other than those that the service reads. Also of a usage and its groups. */
const maxFields = 20;

/** Size of these fields of all calls of a streamed answer, as JSON in characters. Signatures of thoughts take some thousands. */
const maxFieldsCharacters = 1_000_000;

/** Answer of a model in one step. */
export interface Step {
  /** The message, as it goes back to the model with the results of its tools. */
  message: Answer & { role: 'assistant' };
  text: string | null;
  calls: FunctionCall[];
  finishReason: string | null;
  usage: Usage;
}

/** Returns the first choice of a completion. Undefined if it is no object. */
export function findChoice<T>(choices: readonly T[] | undefined): T | undefined {
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isObject(first) ? (first as T) : undefined;
}

/** Returns the delta of a choice. Empty if it is no object: a text would become one with a field for each character. */
export const pickDelta = (choice: { delta?: unknown } | undefined): Delta =>
  isObject(choice?.delta) ? choice.delta : {};

/** Sets a field, unless it would be one more than those that are kept. */
function keep<T>(fields: Map<string, T>, name: string, value: T): void {
  if (fields.has(name) || fields.size < maxFields) fields.set(name, value);
}

/** Adds up the usage of several steps: its numbers, and those of its groups. Leaves out the rest. */
export function addUsage(one: Usage, other: Usage, isGroup = false): Usage {
  const sum = new Map(Object.entries(one));
  for (const [name, value] of Object.entries(other)) {
    const before = sum.get(name);
    if (typeof value === 'number') keep(sum, name, (typeof before === 'number' ? before : 0) + value);
    else if (isObject(value) && !isGroup) keep(sum, name, addUsage(isObject(before) ? before : {}, value, true));
  }
  return Object.fromEntries(sum);
}

/** Returns a text as it is, nothing as no text, and anything else that a vendor may send in its place as JSON. */
export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);

/** True if something in the list of an answer's calls is one, of a function or of another type. */
const isCall = (call: unknown): call is Record<string, unknown> =>
  isObject(call) && (isObject(call.function) || typeof call.type === 'string');

function toCall(call: Record<string, unknown>): FunctionCall {
  if (!isObject(call.function)) return call as unknown as FunctionCall;
  const { name, arguments: given } = call.function;
  const asked = { ...call.function, name: asText(name), arguments: asText(given ?? {}) };
  return { ...call, id: asText(call.id), type: 'function', function: asked };
}

/** Returns the calls in an answer that make sense, up to 128. A vendor may answer anything. */
export const pickCalls = (calls: unknown): FunctionCall[] =>
  (Array.isArray(calls) ? calls : []).filter(isCall).slice(0, maxCalls).map(toCall);

/** Returns the pieces of calls that make sense. */
export const pickPieces = (pieces: unknown): FunctionCallDelta[] =>
  Array.isArray(pieces) ? pieces.filter(isObject) : [];

/** Returns the text of a content, which some vendors send in parts. Null if it has none. */
function toText(content: unknown): string | null {
  if (typeof content === 'string') return content;
  const parts = (Array.isArray(content) ? content : []).map((part) => (isObject(part) ? part.text : part));
  return parts.filter((text) => typeof text === 'string').join('') || null;
}

/** Returns the text of a piece of an answer. Null if it has none. */
export const readText = ({ choices }: Chunk): string | null => toText(pickDelta(findChoice(choices)).content);

/** Reads a complete answer. Undefined for anything else. */
export function readStep({ choices, usage }: Completion): Step | undefined {
  const choice = findChoice(choices);
  if (!isObject(choice?.message)) return undefined;
  const { message, finish_reason = null } = choice;
  return {
    message: { ...message, role: 'assistant', content: message?.content ?? null },
    text: toText(message?.content),
    calls: pickCalls(message?.tool_calls),
    finishReason: typeof finish_reason === 'string' ? finish_reason : null,
    usage: isObject(usage) ? usage : {},
  };
}

/** Call whose pieces are still coming. */
interface UnfinishedCall {
  id: string;
  name: string;
  arguments: string;
  fields: Map<string, unknown>;
}

/** Puts the pieces of a streamed answer together. */
export class StepBuilder {
  #content = '';
  readonly #calls: UnfinishedCall[] = [];
  /** Places of the calls by their index in the stream. */
  readonly #places = new Map<number, number>();
  /** Other texts, such as `reasoning_content`, which some vendors want back with the results of tools. */
  readonly #texts = new Map<string, string>();
  #fieldsCharacters = 0;
  #finishReason: string | null = null;
  #usage: Usage = {};

  add({ choices, usage }: Chunk): void {
    if (isObject(usage)) this.#usage = usage;
    const choice = findChoice(choices);
    if (typeof choice?.finish_reason === 'string') this.#finishReason = choice.finish_reason;
    const delta = pickDelta(choice);
    this.#content += toText(delta.content) ?? '';
    for (const [name, value] of Object.entries(delta))
      if (typeof value === 'string' && name !== 'role' && name !== 'content')
        keep(this.#texts, name, (this.#texts.get(name) ?? '') + value);
    for (const piece of pickPieces(delta.tool_calls)) this.#addCall(piece);
  }

  /** Adds a piece of a call. One with another id than the call at its index begins a new call: some vendors number them all 0. */
  #addCall({ index, id, type: _, function: piece, ...fields }: FunctionCallDelta): void {
    const last = this.#calls.length - 1;
    const known = Number.isInteger(index) ? this.#places.get(Number(index)) : id === undefined ? last : undefined;
    const isOther = known !== undefined && id && this.#calls[known]?.id && id !== this.#calls[known].id;
    const place = known === undefined || known < 0 || isOther ? this.#calls.length : known;
    if (place >= maxCalls) return;
    if (Number.isInteger(index)) this.#places.set(Number(index), place);
    const call = this.#calls[place] ?? { id: '', name: '', arguments: '', fields: new Map() };
    const { name = '', arguments: given = '' } = isObject(piece) ? piece : {};
    this.#calls[place] = call;
    call.id = asText(id || call.id);
    call.name += asText(name);
    call.arguments += asText(given);
    for (const [field, value] of Object.entries(fields)) {
      this.#fieldsCharacters += JSON.stringify(value).length;
      if (this.#fieldsCharacters <= maxFieldsCharacters) keep(call.fields, field, value);
    }
  }

  build(): Step {
    const content = this.#content || null;
    return {
      message: { ...Object.fromEntries(this.#texts), role: 'assistant', content },
      text: content,
      calls: this.#calls.map(({ id, name, arguments: given, fields }) => ({
        ...Object.fromEntries(fields),
        id,
        type: 'function',
        function: { name, arguments: given },
      })),
      finishReason: this.#finishReason,
      usage: this.#usage,
    };
  }
}

/** True if a piece of an answer has something for the client other than calls of tools. */
export function hasContent({ tool_calls: _, role: __, ...delta }: Delta): boolean {
  return Object.values(delta).some((value) => value !== null && value !== undefined && value !== '');
}
