import { answerChat, prepareAnswer, type StoreChat } from '../../shared/conversation/answer-chat.ts';
import { begin } from '../../shared/conversation/converse.ts';
import { streamEvents } from '../../shared/conversation/stream-events.ts';
import { writeChunks } from '../../shared/conversation/write-chunks.ts';
import { toOpenAiError } from '../../shared/domain/chat/openai-error.ts';
import type { ApiError } from '../../shared/errors.ts';
import { streamEndpoint } from '../../shared/http/stream-endpoint.ts';
import { create } from '../../shared/routes/completions.ts';

const toErrorData = (error: ApiError) => ({ error: toOpenAiError(error) });

/** Loads what few chats need: most are not stored. */
const storeChat: StoreChat = async (...turn) =>
  (await import('../../shared/conversation/store-chat.ts')).storeChat(...turn);

/** Answers a conversation with an assistant, as a whole or in pieces. Stores it if the client wants that. */
export const handler = streamEndpoint(create, async ({ body, user, audit, tell, count }) => {
  const asker = { owner: user.key, audit, tell, count };
  if (!body.stream) return { body: (await answerChat(asker, body, storeChat)).completion };
  const ended = new AbortController();
  const { conversation, finish } = await prepareAnswer(asker, body, storeChat, ended.signal);
  const pieces = await begin(conversation, body.stream_options);
  return streamEvents(writeChunks(pieces, body, finish), toErrorData, () => ended.abort());
});
