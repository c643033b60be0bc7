import { ApiError, createUnreachableError } from '../../../../clients/typescript/src/api-error.ts';
import { readEvents } from '../../../../clients/typescript/src/events.ts';
import { api } from '../../api/client.ts';
import type { ChatRequest } from '../../api/types.ts';
import { type Answer, readAnswer } from './read-answer.ts';

/** Asks an assistant, and yields its answer as it comes. Throws ApiError, or what `signal` was aborted with. */
export async function* ask(body: ChatRequest, signal: AbortSignal): AsyncGenerator<Answer> {
  const startedAt = performance.now();
  const { data } = await api.POST('/chat/completions', { body, parseAs: 'stream', signal });
  try {
    yield* readAnswer(readEvents(data), () => performance.now() - startedAt);
  } catch (error) {
    throw signal.aborted || error instanceof ApiError ? error : createUnreachableError(error);
  }
}

/** Reads the assistant's first message in a stored conversation; null if the caller spoke first. Throws ApiError. */
export async function readGreeting(session_id: string): Promise<string | null> {
  const { data } = await api.GET('/logs/chat-logs/{session_id}', { params: { path: { session_id } } });
  const [first] = data.data.logs;
  return first?.role === 'assistant' ? first.content : null;
}
