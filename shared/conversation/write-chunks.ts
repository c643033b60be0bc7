import { createAnswerId } from '../domain/chat/answer.ts';
import type { ChatFacts, ChatRequest } from '../schemas/chat.ts';
import type { Answer, Piece } from './converse.ts';
import { toEvent } from './stream-events.ts';

/**
 * Writes the pieces of an answer as events of OpenAI's Chat Completions. `finish` gets the answer when it is complete, and returns what its
 * last piece says of it.
 */
export async function* writeChunks(
  pieces: AsyncIterable<Piece>,
  body: ChatRequest,
  finish: (answer: Answer) => Promise<ChatFacts>,
): AsyncGenerator<string> {
  const fields = { ...createAnswerId(body.model), object: 'chat.completion.chunk' };
  const toChunk = (delta: object, finish_reason: string | null = null) => ({
    ...fields,
    choices: [{ index: 0, delta, finish_reason }],
  });
  yield toEvent(toChunk({ role: 'assistant', content: '' }));
  for await (const piece of pieces) {
    if ('chunk' in piece) yield toEvent({ ...piece.chunk, ...fields });
    else if ('toolResults' in piece)
      for (const tool of piece.toolResults) yield toEvent({ ...toChunk({}), voice_assistants: { tool } });
    else {
      const facts = await finish(piece.answer);
      yield toEvent({ ...toChunk({}, piece.answer.finishReason), voice_assistants: facts });
      const { usage } = piece.answer;
      if (body.stream_options?.include_usage) yield toEvent({ ...fields, choices: [], usage });
    }
  }
  yield 'data: [DONE]\n\n';
}
