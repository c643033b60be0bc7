import type { FunctionCall } from '../../../../shared/domain/chat/completion.ts';
import type { ChatRequest } from '../../api/types.ts';
import { trial as text } from '../../strings/try.ts';
import type { Answer } from './read-answer.ts';

type Message = ChatRequest['messages'][number];

/** A question and its answer. */
export interface Turn {
  id: string;
  question: string;
  /** The answer as far as it has come; undefined until it begins. */
  answer: Answer | undefined;
  state: 'asked' | 'done' | 'stopped' | 'failed';
  error?: unknown;
}

/** A conversation with an assistant. */
export interface Conversation {
  id: string;
  /** The assistant's first message. Null if it has none, undefined if only the service knows it yet. */
  greeting: string | null | undefined;
  turns: readonly Turn[];
}

/** What the answer to a question depends on, besides the conversation. */
export interface Settings {
  /** Id of the assistant and the version, as the API takes them. */
  model: string;
  variables: Record<string, string>;
  /** The assistant's first message, if it is known without the service. */
  greeting: string | null | undefined;
}

/** Maximum number of messages in a request. */
export const maxMessages = 200;

export const createConversation = (): Conversation => ({ id: crypto.randomUUID(), greeting: undefined, turns: [] });

/** Adds a question. The first one fixes the greeting. */
export const addQuestion = (
  { id, greeting, turns }: Conversation,
  question: string,
  settings: Settings,
): Conversation => ({
  id,
  greeting: turns.length === 0 ? settings.greeting : greeting,
  turns: [...turns, { id: crypto.randomUUID(), question, answer: undefined, state: 'asked' }],
});

/** Changes one turn. Other turns stay the same objects. */
export const updateTurn = (conversation: Conversation, id: string, fields: Partial<Turn>): Conversation => ({
  ...conversation,
  turns: conversation.turns.map((turn) => (turn.id === id ? { ...turn, ...fields } : turn)),
});

/** Removes the last question, to ask it again. */
export const dropLast = (conversation: Conversation): Conversation => ({
  ...conversation,
  turns: conversation.turns.slice(0, -1),
});

/** Lists the calls that a turn leaves to a worker. A stopped answer may have half a call. */
const listCalls = ({ state, answer }: Turn): FunctionCall[] => (state === 'done' ? (answer?.calls ?? []) : []);

/** Builds the messages of a turn. None if it has no answer: vendors refuse a question without one before the next. */
function toMessages(turn: Turn): Message[] {
  const calls = listCalls(turn);
  const content = turn.answer?.text || null;
  if (turn.state === 'failed' || (content === null && calls.length === 0)) return [];
  return [
    { role: 'user', content: turn.question },
    { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) },
    ...calls.map(({ id }): Message => ({ role: 'tool', tool_call_id: id, content: text.notRun })),
  ];
}

/** Builds the messages before the next question. */
const listMessages = ({ greeting, turns }: Conversation): Message[] => [
  ...(greeting ? [{ role: 'assistant' as const, content: greeting }] : []),
  ...turns.flatMap(toMessages),
];

/** True if the API takes no further question. */
export const isFull = (conversation: Conversation): boolean => listMessages(conversation).length >= maxMessages;

/** Builds the request for an answer to the last question. The service stores the conversation. */
export const buildRequest = (conversation: Conversation, { model, variables }: Settings) => ({
  model,
  messages: [
    ...listMessages(dropLast(conversation)),
    { role: 'user' as const, content: conversation.turns.at(-1)?.question ?? '' },
  ],
  stream: true,
  stream_options: { include_usage: true },
  variables,
  session_id: conversation.id,
  store: true,
});
