import type { Api } from './api.ts';
import { ApiError } from './api-error.ts';
import { readEvents } from './events.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];

/** Part of a call of a function, as OpenAI streams it. */
export interface CallPiece {
  index: number;
  id?: string;
  type?: 'function';
  function?: { name?: string; arguments?: string };
}

/** Piece of a streamed answer: OpenAI's, with a tool that ran, or what the service did for the answer. */
export interface CompletionPiece {
  choices: {
    index: number;
    delta: { role?: string; content?: string | null; tool_calls?: CallPiece[] };
    finish_reason: string | null;
  }[];
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number } | null;
  voice_assistants?: { tool: Schemas['ToolResult'] } | Schemas['ChatFacts'];
}

interface Failure {
  error?: { message: string; code: string | null };
}

/** Creates the error for an answer that ended before its end marker. */
const createBrokenError = (options?: ErrorOptions) =>
  new ApiError(
    0,
    [{ loc: ['service'], msg: 'The answer broke off: ask again', type: 'stream_ended' }],
    undefined,
    options,
  );

/**
 * Parses the events of a streamed answer. Throws ApiError if the stream has an error event, or ends before its end marker: then the
 * answer is incomplete.
 */
export async function* readPieces<Piece extends object = CompletionPiece>(
  events: AsyncIterable<string>,
): AsyncGenerator<Piece> {
  for await (const data of events) {
    if (data === '[DONE]') return;
    const { error, ...piece }: Piece & Failure = JSON.parse(data);
    if (error)
      throw new ApiError(502, [{ loc: ['service'], msg: error.message, type: error.code ?? 'vendor_unavailable' }]);
    yield piece as unknown as Piece;
  }
  throw createBrokenError();
}

/**
 * Asks an assistant, and yields its answer piece by piece. Throws ApiError, or what `signal` was aborted with. The body is that of
 * `POST /chat/completions`.
 */
export async function* streamCompletion(
  api: Api,
  body: Schemas['ChatRequest'],
  { signal }: { signal?: AbortSignal } = {},
): AsyncGenerator<CompletionPiece> {
  const { data } = await api.POST('/chat/completions', {
    body: { ...body, stream: true },
    parseAs: 'stream',
    ...(signal && { signal }),
  });
  try {
    yield* readPieces(readEvents(data));
  } catch (error) {
    throw signal?.aborted || error instanceof ApiError ? error : createBrokenError({ cause: error });
  }
}
