import {
  asText,
  type Chunk,
  type Completion,
  type FunctionCall,
  findChoice,
  pickCalls,
  pickDelta,
  pickPieces,
} from './completion.ts';

/**
 * JSON answers of vendors that do not follow `response_format`: its schema becomes the parameters of a tool that the model must call, and
 * the arguments of that call become the content of the answer.
 */

/** Name of the tool. */
const toolName = 'respond';

type Payload = Record<string, unknown>;

/** Replaces `response_format` by a tool. Undefined if the payload asks for no JSON. */
export function askByTool({ response_format, ...payload }: Payload): Payload | undefined {
  const { type, json_schema } = (response_format ?? {}) as { type?: unknown; json_schema?: { schema?: unknown } };
  if (type !== 'json_schema' && type !== 'json_object') return undefined;
  const parameters = json_schema?.schema ?? { type: 'object' };
  const respond = { type: 'function', function: { name: toolName, description: 'Answers.', parameters } };
  const others = Array.isArray(payload.tools) ? payload.tools : [];
  const isOnly = others.length === 0 || payload.tool_choice === 'none';
  return {
    ...payload,
    tools: [...others, respond],
    parallel_tool_calls: false,
    tool_choice: isOnly ? { type: 'function', function: { name: toolName } } : 'required',
  };
}

const isAnswer = (call: Partial<FunctionCall>) => call.function?.name === toolName;

/** Turns the call of the tool in a complete answer into content. */
export function toJsonCompletion(completion: Completion): Completion {
  const choice = findChoice(completion.choices);
  const call = pickCalls(choice?.message?.tool_calls).find(isAnswer);
  if (!choice || !call) return completion;
  const { tool_calls: _, ...message } = choice.message ?? {};
  const answer = { ...choice, message: { ...message, content: call.function.arguments }, finish_reason: 'stop' };
  return { ...completion, choices: [answer] };
}

/** Turns the call of the tool in a streamed answer into content. */
export async function* toJsonChunks(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  let place: number | undefined;
  for await (const chunk of chunks) {
    const choice = findChoice(chunk.choices);
    const { tool_calls, ...delta } = pickDelta(choice);
    const pieces = pickPieces(tool_calls);
    place ??= pieces.find((piece) => piece.function?.name === toolName)?.index;
    if (!choice || place === undefined) {
      yield chunk;
      continue;
    }
    const content = pieces
      .filter(({ index }) => index === place)
      .map((piece) => asText(piece.function?.arguments))
      .join('');
    const finish_reason = choice.finish_reason === 'tool_calls' ? 'stop' : choice.finish_reason;
    yield { ...chunk, choices: [{ ...choice, delta: { ...delta, ...(content && { content }) }, finish_reason }] };
  }
}
