import { readText } from '../domain/chat/completion.ts';
import type { Answer, Piece } from './converse.ts';
import { toEvent } from './stream-events.ts';

/** Writes the text of an answer as events of its pieces, and then what `finish` returns of the complete answer. */
export async function* writeText(
  pieces: AsyncIterable<Piece>,
  finish: (answer: Answer) => Promise<object>,
): AsyncGenerator<string> {
  for await (const piece of pieces) {
    const text = 'chunk' in piece && readText(piece.chunk);
    if (text) yield toEvent({ text });
    if ('answer' in piece) yield toEvent(await finish(piece.answer));
  }
}
