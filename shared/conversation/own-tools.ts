import { randomUUID } from 'node:crypto';
import type { StoredAssistant } from '../domain/assistant.ts';
import type { FunctionCall } from '../domain/chat/completion.ts';
import { parseJson } from '../domain/parse-json.ts';
import { checkArguments, createCheckBudget } from '../domain/tools/arguments.ts';
import { getParameters } from '../domain/tools/functions.ts';
import { isObject } from '../domain/tools/parameters.ts';
import { ApiError } from '../errors.ts';
import { limitConcurrency } from '../limit-concurrency.ts';
import type { ToolResult } from '../schemas/chat.ts';
import type { FoundPassage } from '../schemas/knowledge-base.ts';
import type { ToolAnswer } from '../schemas/runtime-config.ts';
import type { Tool } from '../schemas/tool.ts';
import type { Search } from '../store/knowledge-bases/passages.ts';
import { type HttpToolRun, runHttpTool } from './run-http-tool.ts';

/** Calls of one step that are run. The others fail. */
const maxCallsPerStep = 16;

/** Searches of one answer that are run. The others fail. Each may take 0.4 s of CPU time. */
const maxSearches = 16;

type OwnTool = Extract<Tool, { type: 'search' | 'http' }>;

const isOwn = (tool: Tool): tool is OwnTool => tool.type === 'search' || tool.type === 'http';

/** Returns a tool as language models take it. */
export const toModelTool = (tool: Tool) => ({
  type: 'function',
  function: { name: tool.name, description: tool.description, parameters: getParameters(tool) },
});

/** Result of a tool: its output, and the passages of a search. */
interface Output {
  output: unknown;
  is_error: boolean;
  passages?: FoundPassage[];
}

const toFailure = (message: string): Output => ({ output: { error: message }, is_error: true });

/** A request that a tool has sent, for the audit log. */
export type ToolRun = Pick<HttpToolRun, 'credential'> & Pick<ToolAnswer, 'status' | 'error'>;

/** The tools of an assistant that the service itself runs. */
export class OwnTools {
  readonly #owner: string;
  readonly #assistant: StoredAssistant;
  readonly #tools: Map<string, OwnTool>;
  readonly #checkBudget = createCheckBudget();
  #searches = 0;
  /** Lets each search look at the time after those before it. */
  readonly #searchInTurn = limitConcurrency(1);
  /** Search of the current step. Documents may be deleted before the next one. */
  #searchAttached: Search | undefined;
  readonly #onRun: (run: ToolRun) => void;
  /** True if a tool has run: a repeat of the request would have its effects again. */
  hasRun = false;
  /** Passages that searches have found, without repeats. */
  readonly passages: FoundPassage[] = [];
  readonly #knownPassages = new Set<string>();

  /** `tools` have their texts filled in. */
  constructor(owner: string, assistant: StoredAssistant, tools: readonly Tool[], onRun: (run: ToolRun) => void) {
    this.#owner = owner;
    this.#assistant = assistant;
    this.#onRun = onRun;
    this.#tools = new Map(tools.filter(isOwn).map((tool) => [tool.name, tool]));
  }

  has(call: FunctionCall): boolean {
    return this.#tools.has(call.function?.name);
  }

  get isEmpty(): boolean {
    return this.#tools.size === 0;
  }

  /** Runs the calls of one step concurrently. The failure of a tool is a result, which the model reads. No search starts after `signal`. */
  async run(calls: readonly FunctionCall[], signal: AbortSignal): Promise<ToolResult[]> {
    this.#searchAttached = undefined;
    const runs = await Promise.allSettled(
      calls.map(async (call, i) => {
        const startedAt = Date.now();
        const given = parseArguments(call.function.arguments);
        const { passages = [], ...result } =
          i < maxCallsPerStep
            ? await this.#runOne(call, given, signal)
            : toFailure(`Call at most ${maxCallsPerStep} tools at once`);
        this.#addPassages(passages);
        const {
          id: call_id,
          function: { name },
        } = call;
        return {
          call_id,
          name,
          arguments: given ?? call.function.arguments,
          ...result,
          duration_ms: Date.now() - startedAt,
        };
      }),
    );
    return runs.map((one) => {
      if (one.status === 'rejected') throw one.reason; // once no call runs any more
      return one.value;
    });
  }

  #addPassages(found: readonly FoundPassage[]): void {
    for (const passage of found) {
      const { knowledge_base_id, page, text } = passage;
      const key = JSON.stringify([knowledge_base_id, page, text]);
      if (!this.#knownPassages.has(key)) this.passages.push(passage);
      this.#knownPassages.add(key);
    }
  }

  async #runOne(call: FunctionCall, given: Record<string, unknown> | undefined, signal: AbortSignal): Promise<Output> {
    const tool = this.#tools.get(call.function.name);
    if (!tool || !given) return toFailure('The arguments should be a JSON object, nested at most 100 levels deep');
    try {
      return tool.type === 'search' ? await this.#search(tool.limit, given, signal) : await this.#request(tool, given);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return toFailure(error.detail.map(({ loc, msg }) => `${loc.slice(2).join('.')} ${msg}`.trim()).join('; '));
    }
  }

  async #search(limit: number, { query }: Record<string, unknown>, signal: AbortSignal): Promise<Output> {
    if (typeof query !== 'string' || query.trim() === '') return toFailure('query should be text');
    this.#searches += 1;
    if (this.#searches > maxSearches) return toFailure(`Search at most ${maxSearches} times in one answer`);
    const { createSearch } = await import('../store/knowledge-bases/passages.ts'); // few chats search
    this.#searchAttached ??= createSearch(this.#owner, Object.keys(this.#assistant.attachments));
    const search = this.#searchAttached;
    const passages = await this.#searchInTurn(async () =>
      signal.aborted ? undefined : search(query.slice(0, 2_000), limit),
    );
    if (!passages) return toFailure('The time for the answer is over');
    const output = { passages: passages.map(({ file_name, page, text }) => ({ file_name, page, text })) };
    return { output, is_error: false, passages };
  }

  async #request(tool: Extract<OwnTool, { type: 'http' }>, given: Record<string, unknown>): Promise<Output> {
    // A key of our own: models may number the calls of every conversation alike.
    const call = { arguments: given, call_id: randomUUID() };
    this.hasRun = true;
    checkArguments(tool.parameters, given, this.#checkBudget);
    const { answer, credential } = await runHttpTool(this.#owner, { tool, call });
    const { status, result, error, truncated } = answer;
    this.#onRun({ credential, status, error });
    const is_error = status === null || status >= 400;
    return { output: { status, result, ...(error && { error }), ...(truncated && { truncated }) }, is_error };
  }
}

/** Parses the arguments that a model wrote. Undefined if they are no object, or nested more than 100 levels deep. No text means no arguments. */
function parseArguments(text: unknown): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = typeof text === 'string' && text.trim() !== '' ? parseJson(text) : text || {};
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
