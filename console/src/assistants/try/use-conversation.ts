import { useEffect, useRef, useState } from 'react';
import {
  addQuestion,
  buildRequest,
  type Conversation,
  createConversation,
  dropLast,
  type Settings,
  type Turn,
  updateTurn,
} from './conversation.ts';
import { ask, readGreeting } from './queries.ts';
import type { Answer } from './read-answer.ts';

interface ConversationState {
  conversation: Conversation;
  isAnswering: boolean;
  ask: (question: string) => void;
  /** Asks the last question again, in place of its answer. */
  repeat: () => void;
  /** Ends the answer that is coming. Keeps what has come. */
  stop: () => void;
  /** Begins a new conversation. */
  restart: () => void;
}

/** Manages a conversation with an assistant. Answers one question at a time. */
export function useConversation(settings: Settings): ConversationState {
  const [conversation, setConversation] = useState(createConversation);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  /** Shows the greeting that the service rendered. */
  async function loadGreeting(id: string, sessionId: string): Promise<void> {
    const greeting = await readGreeting(sessionId).catch(() => undefined); // the conversation goes on without it
    setConversation((current) => (current.id === id ? { ...current, greeting } : current));
  }

  async function answer(asked: Conversation): Promise<void> {
    const control = new AbortController();
    running.current = control;
    const update = (fields: Partial<Turn>) =>
      setConversation((current) => updateTurn(current, asked.turns.at(-1)?.id ?? '', fields));
    let last: Answer | undefined;
    try {
      for await (last of ask(buildRequest(asked, settings), control.signal)) update({ answer: last });
      update({ state: 'done' });
      if (asked.greeting === undefined && last?.sessionId) void loadGreeting(asked.id, last.sessionId);
    } catch (error) {
      update(control.signal.aborted ? { state: 'stopped' } : { state: 'failed', error });
    } finally {
      if (running.current === control) running.current = undefined;
    }
  }

  const start = (before: Conversation, question: string) => {
    // The second click of a double click comes before the next render.
    if (running.current) return;
    const asked = addQuestion(before, question, settings);
    setConversation(asked);
    void answer(asked);
  };
  const stop = () => {
    running.current?.abort();
    running.current = undefined;
  };
  const last = conversation.turns.at(-1);
  return {
    conversation,
    isAnswering: last?.state === 'asked',
    ask: (question) => start(conversation, question),
    repeat: () => last && start(dropLast(conversation), last.question),
    stop,
    restart: () => {
      stop();
      setConversation(createConversation());
    },
  };
}
