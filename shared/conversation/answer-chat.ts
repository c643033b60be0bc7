import { toChatFacts, toCompletion, toCompletionData } from '../domain/chat/answer.ts';
import { forbidRetry } from '../errors.ts';
import type { ChatCompletion, ChatFacts, ChatRequest } from '../schemas/chat.ts';
import type { Session } from '../schemas/session.ts';
import * as journal from '../store/journal.ts';
import type { Write } from '../store/table/writes.ts';
import type { Asker } from './asker.ts';
import { openChat, readChat } from './chat.ts';
import { type Answer, type Conversation, complete } from './converse.ts';
import type { ToolRun } from './own-tools.ts';
import type { FinishedTurn } from './store-chat.ts';

/** Saves a turn that is complete, if the request wants that (store-chat.ts). */
export type StoreChat = (
  owner: string,
  turn: FinishedTurn,
  buildExtraWrites: (session: Session) => Write[],
) => Promise<Session>;

/** An answer that may begin, and the work after it is complete: write the event, save the chat, and report what was done. */
export interface PreparedAnswer {
  conversation: Conversation;
  finish(answer: Answer): Promise<ChatFacts>;
}

/**
 * Reads what the answer to a request needs, and decrypts the key of the vendor. `ended` ends the request to the vendor. Throws what
 * `readChat` and `openChat` throw.
 */
export async function prepareAnswer(
  asker: Asker,
  body: ChatRequest,
  storeChat?: StoreChat,
  ended: AbortSignal = new AbortController().signal,
): Promise<PreparedAnswer> {
  const startedAt = Date.now();
  const { owner, tell, audit } = asker;
  const chat = await readChat(owner, body);
  const { assistant } = chat;
  const auditTool = (run: ToolRun) => audit('tool', { assistant: assistant.id, ...run });
  const { greeting, conversation } = await openChat(asker, chat, body, ended, auditTool);

  const finish = async (answer: Answer) => {
    const done = (sessionId: string | null) =>
      tell('completion.done', assistant.id, toCompletionData(chat, answer, sessionId, Date.now() - startedAt));
    const isStored = body.store ?? typeof body.session_id === 'string';
    const turn = { chat, body, greeting, answer, startedAt };
    const session = isStored ? await storeChat?.(owner, turn, (saved) => [done(saved.session_id)]) : undefined;
    if (!session) await journal.record(done(null));
    return toChatFacts(chat, answer, conversation.tools.passages, session?.session_id ?? null);
  };
  return { conversation, finish };
}

/**
 * Answers a request as a whole. Returns the completion, and the model's answer in it. Throws what `prepareAnswer`, `complete` and
 * `storeChat` throw; an error that follows the run of a tool forbids a retry.
 */
export async function answerChat(
  asker: Asker,
  body: ChatRequest,
  storeChat?: StoreChat,
): Promise<{ completion: ChatCompletion; answer: Answer }> {
  const { conversation, finish } = await prepareAnswer(asker, body, storeChat);
  try {
    const { completion, answer } = await complete(conversation);
    return { completion: toCompletion(completion, body.model, await finish(answer)), answer };
  } catch (error) {
    throw conversation.tools?.hasRun ? forbidRetry(error) : error;
  }
}
