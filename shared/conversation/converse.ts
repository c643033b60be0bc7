import type { IncomingMessage } from 'node:http';
import {
  addUsage,
  type Chunk,
  type Completion,
  type FunctionCall,
  findChoice,
  hasContent,
  pickDelta,
  readStep,
  type Step,
  StepBuilder,
  type Usage,
} from '../domain/chat/completion.ts';
import { askByTool, toJsonChunks, toJsonCompletion } from '../domain/chat/json-answer.ts';
import { forbidRetry, VendorUnavailable } from '../errors.ts';
import type { ToolResult } from '../schemas/chat.ts';
import type { OwnTools } from './own-tools.ts';
import { readChunks, readCompletion, requestCompletion, toNoCompletion, type VendorAccess } from './vendor.ts';

/** Steps of one answer: each asks the model once. In the last, it may not call tools any more. */
const maxSteps = 8;

/** Maximum size of all messages in which the model calls tools, as JSON in characters. Each step sends them again. */
const maxCallsCharacters = 1_000_000;

/** Maximum size of the results of all tools in one answer, as JSON in characters. Each step sends them again. */
const maxResultsCharacters = 1_000_000;

/**
 * Time for all steps of an answer, in milliseconds. The tools of the last step may take ten seconds more, and what follows them has five
 * (`streamSeconds` of the routes).
 */
export const answerTimeoutMs = 105_000;

/** A conversation that waits for the model's answer. */
export interface Conversation {
  vendor: VendorAccess;
  /** Everything that the vendor gets, without `messages`. */
  parameters: Record<string, unknown>;
  messages: readonly object[];
  /** Tools that the service runs. Without them, all calls come back. */
  tools?: OwnTools;
  /** Ends the request to the vendor. No search starts after it. */
  signal: AbortSignal;
}

/** An answer of the model, with the steps that led to it. */
export interface Answer {
  /** Text of the answer, or null. */
  content: string | null;
  /** Calls of tools that the client has to run. */
  calls: FunctionCall[];
  finishReason: string;
  usage: Usage;
  steps: number;
  toolResults: ToolResult[];
}

/** Asks the model step by step, and runs the tools that it calls in between. */
class Progress {
  readonly #conversation: Conversation;
  readonly #messages: object[];
  readonly toolResults: ToolResult[] = [];
  /** Text that the model said before it called tools. */
  text = '';
  usage: Usage = {};
  steps = 0;
  #callsCharacters = 0;
  #resultsCharacters = 0;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
    this.#messages = [...conversation.messages];
  }

  /** Sends the next request. Returns its answer when it begins, and whether JSON was asked for by a tool. */
  async ask(): Promise<{ response: IncomingMessage; byTool: boolean }> {
    const { vendor, parameters, signal } = this.#conversation;
    this.steps += 1;
    const { tool_choice: _, ...later } = parameters; // a required tool would be called in every step
    const isLast = this.steps === maxSteps && parameters.tools !== undefined;
    const payload = {
      ...(this.steps === 1 ? parameters : later),
      ...(isLast && { tool_choice: 'none' }),
      messages: this.#messages,
    };
    const changed = vendor.hasResponseFormat ? undefined : askByTool(payload);
    const response = await requestCompletion(vendor, changed ?? payload, signal);
    return { response, byTool: changed !== undefined };
  }

  /** Returns the calls of a step that the client has to run: those that the service does not. */
  listTheirs({ calls }: Step): FunctionCall[] {
    return calls.filter((call) => !this.#conversation.tools?.has(call));
  }

  /**
   * Runs the tools of a step, if all are of the service. Returns their results, or undefined if the step is the answer. Throws
   * VendorUnavailable if the calls of all steps are too large.
   */
  async advance(step: Step): Promise<ToolResult[] | undefined> {
    this.usage = addUsage(this.usage, step.usage);
    const { tools, vendor, signal } = this.#conversation;
    if (!tools || step.calls.length === 0 || this.listTheirs(step).length > 0 || this.steps === maxSteps)
      return undefined;
    const message = { ...step.message, tool_calls: step.calls };
    this.#callsCharacters += JSON.stringify(message).length;
    if (this.#callsCharacters > maxCallsCharacters)
      throw forbidRetry(new VendorUnavailable(`${vendor.name} called tools with more than 1,000,000 characters`));
    const run = await tools.run(step.calls, signal);
    this.text += step.text ?? '';
    this.#messages.push(message);
    const results = run.map((result) => this.#addResult(result));
    this.toolResults.push(...results);
    return results;
  }

  /** Adds a result to the messages, and returns it. Replaces its output if it is too large beside the earlier ones. */
  #addResult(result: ToolResult): ToolResult {
    let added = result;
    let content = JSON.stringify(result.output);
    if (this.#resultsCharacters + content.length > maxResultsCharacters) {
      const output = { error: 'The results of all tools have more than 1,000,000 characters: ask for less' };
      added = { ...result, output, is_error: true };
      content = JSON.stringify(output);
    } else {
      this.#resultsCharacters += content.length;
    }
    this.#messages.push({ role: 'tool', tool_call_id: result.call_id, content });
    return added;
  }

  /** Returns the answer that a step is. Its calls are only those that the client has to run: the model asks for the others again. */
  finish(step: Step): Answer {
    const calls = this.listTheirs(step);
    const wasCall = step.finishReason === 'tool_calls' || step.finishReason === null;
    const finishReason = calls.length > 0 ? 'tool_calls' : wasCall ? 'stop' : String(step.finishReason);
    const { usage, steps, toolResults } = this;
    const content = this.text + (step.text ?? '') || null;
    return { content, calls, finishReason, usage, steps, toolResults };
  }
}

/** Gets the whole answer, with the vendor's completion. Throws the errors of `requestCompletion`. */
export async function complete(conversation: Conversation): Promise<{ completion: Completion; answer: Answer }> {
  const progress = new Progress(conversation);
  for (;;) {
    const { response, byTool } = await progress.ask();
    const read = await readCompletion(response, conversation.vendor, conversation.signal);
    const completion = byTool ? toJsonCompletion(read) : read;
    const step = readStep(completion);
    if (!step) throw toNoCompletion(read, conversation.vendor);
    if (await progress.advance(step)) continue;
    const answer = progress.finish(step);
    const { tool_calls: _, ...message } = step.message;
    const choice = findChoice(completion.choices);
    // JSON has to stay JSON.
    const said = progress.text && !conversation.parameters.response_format ? { content: answer.content } : {};
    const shown = { ...message, ...said, ...(answer.calls.length > 0 && { tool_calls: answer.calls }) };
    const choices = [{ ...choice, index: 0, message: shown, finish_reason: answer.finishReason }];
    return { completion: { ...completion, choices, usage: answer.usage }, answer };
  }
}

/** One element of a streamed answer: a piece from the vendor, the result of a tool, or at the end the answer. */
export type Piece = { chunk: Chunk } | { toolResults: ToolResult[] } | { answer: Answer };

/**
 * Begins a streamed answer. Resolves when the vendor begins to answer, or throws what `requestCompletion` throws; the stream throws the
 * same later. Pieces come as the vendor sends them, except calls of tools, which may be of the service. `options` are OpenAI's
 * `stream_options`.
 */
export async function begin(conversation: Conversation, options?: object | null): Promise<AsyncGenerator<Piece>> {
  const { vendor, parameters } = conversation;
  const streamOptions = vendor.hasStreamOptions && { stream_options: { ...options, include_usage: true } };
  const progress = new Progress({ ...conversation, parameters: { ...parameters, stream: true, ...streamOptions } });
  const first = await progress.ask();
  return stream(conversation, progress, first);
}

async function* stream(
  { vendor, tools, signal }: Conversation,
  progress: Progress,
  first: { response: IncomingMessage; byTool: boolean },
): AsyncGenerator<Piece> {
  const passesCalls = tools?.isEmpty ?? true;
  let { response, byTool } = first;
  for (;;) {
    const read = readChunks(response, vendor, signal);
    const builder = new StepBuilder();
    let last: Chunk = {};
    for await (const chunk of byTool ? toJsonChunks(read) : read) {
      builder.add(chunk);
      last = chunk;
      const shown = hideEnd(chunk, passesCalls);
      if (shown) yield { chunk: shown };
    }
    const step = builder.build();
    if (step.finishReason === null) throw new VendorUnavailable(`${vendor.name} broke off: try again`);
    const results = await progress.advance(step);
    if (!results) {
      const answer = progress.finish(step);
      if (!passesCalls && answer.calls.length > 0) yield { chunk: toCallsChunk(last, answer.calls) };
      yield { answer };
      return;
    }
    yield { toolResults: results };
    ({ response, byTool } = await progress.ask());
  }
}

/** Returns a chunk without its end, its usage and, unless wanted, its calls, which come when the answer is complete. Undefined if nothing is left. */
function hideEnd(chunk: Chunk, withCalls: boolean): Chunk | undefined {
  const { usage: _, choices, ...rest } = chunk;
  const choice = findChoice(choices);
  if (!choice) return undefined;
  const { tool_calls, ...delta } = pickDelta(choice);
  const calls = withCalls && tool_calls ? { tool_calls } : {};
  if (!hasContent(delta) && !('tool_calls' in calls)) return undefined;
  return { ...rest, choices: [{ ...choice, delta: { ...delta, ...calls }, finish_reason: null }] };
}

/** Builds the chunk with the calls that the client has to run. */
const toCallsChunk = ({ usage: _, choices: __, ...rest }: Chunk, calls: readonly FunctionCall[]): Chunk => ({
  ...rest,
  choices: [{ index: 0, delta: { tool_calls: calls.map((call, index) => ({ index, ...call })) }, finish_reason: null }],
});
