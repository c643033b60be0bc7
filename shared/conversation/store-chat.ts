import { v7 as uuidv7 } from 'uuid';
import { addUsageEntry, buildTranscript, countKnown, toSpoken, toUsageEntry } from '../domain/chat/transcript.ts';
import { type StoredCall, toNewCall } from '../domain/session.ts';
import type { Item } from '../domain/transcript-item.ts';
import type { ChatRequest } from '../schemas/chat.ts';
import type { Session } from '../schemas/session.ts';
import * as assistants from '../store/assistants.ts';
import * as sessions from '../store/sessions/sessions.ts';
import type { Write } from '../store/table/writes.ts';
import type { Chat } from './chat.ts';
import type { Answer } from './converse.ts';

/** A turn of a chat that is complete. */
export interface FinishedTurn {
  chat: Chat;
  body: ChatRequest;
  greeting: string | null;
  answer: Answer;
  /** When the request came, in milliseconds since 1970. */
  startedAt: number;
}

/**
 * Saves a chat as a session of the channel `text`, with all its turns. `buildExtraWrites` gets the session. Five round trips, and those to
 * S3 if the transcript is large. Throws Conflict, or Unavailable.
 */
export async function storeChat(
  owner: string,
  { chat, body, greeting, answer, startedAt }: FinishedTurn,
  buildExtraWrites: (session: Session) => Write[],
): Promise<Session> {
  const { assistant, version } = chat;
  const newId = uuidv7();
  const conversationId = body.session_id ?? newId;
  const identity = JSON.stringify(['text', assistant.id, conversationId]);
  const messages = toSpoken(body.messages);
  const [{ name, prices }, earlier] = await Promise.all([
    assistants.getForLogs(owner, assistant.id),
    body.session_id ? findEarlier(owner, identity, messages) : undefined,
  ]);
  const now = Date.now();
  const savedAt = new Date(now).toISOString();
  const times = { startedAt: new Date(startedAt).toISOString(), endedAt: savedAt };
  const items = buildTranscript((earlier?.items ?? []) as Item[], {
    ...answer,
    messages,
    greeting,
    ...times,
  });
  const { llm_provider, model } = assistant.llm;
  return sessions.save(owner, {
    identity,
    items,
    newId,
    savedAt,
    toCall: (session_id, { assistant_name = null, created_at }) => {
      const isLonger = session_id === earlier?.session.session_id;
      const usage = addUsageEntry(
        isLonger ? earlier?.details.usage : [],
        toUsageEntry(answer.usage, llm_provider, model),
      );
      const log = {
        ...toParticipants(body),
        assistant_id: assistant.id,
        room_name: body.call.room_name || conversationId,
        transcript: items as Record<string, unknown>[],
        started_at: isLonger ? earlier?.session.started_at : times.startedAt,
        ended_at: savedAt,
        usage,
        assistant_version: version,
        cost: null,
        direction: null,
      };
      return toNewCall(log, prices, { session_id, assistant_name: name ?? assistant_name, created_at }, 'text');
    },
    buildExtraWrites: (session) => buildExtraWrites(session),
  });
}

/** Finds what was saved of a conversation before: the longest telling that the messages go on with. */
async function findEarlier(
  owner: string,
  identity: string,
  messages: readonly Item[],
): Promise<StoredCall | undefined> {
  for await (const call of sessions.listExtensible(owner, identity))
    if (countKnown(call.items as Item[], messages) !== undefined) return call;
  return undefined;
}

/** Returns who takes part, as a call log has it. */
const toParticipants = ({ call }: ChatRequest) => ({
  participant_name: call.participant_name ?? null,
  from: call.from ?? null,
  to: call.to ?? null,
});
