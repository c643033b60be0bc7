import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  addQuestion,
  buildRequest,
  type Conversation,
  createConversation,
  dropLast,
  isFull,
  maxMessages,
  type Settings,
  type Turn,
  updateTurn,
} from '../../../console/src/assistants/try/conversation.ts';
import type { Answer } from '../../../console/src/assistants/try/read-answer.ts';
import { ChatRequest } from '../../../shared/schemas/chat.ts';

const settings: Settings = {
  model: '0197a1ff-b532-7ba7-bc64-139a946a54bb@draft',
  variables: { customer: 'Ada' },
  greeting: 'Good day!',
};

const buildAnswer = (fields: Partial<Answer>): Answer => ({
  text: '',
  results: [],
  calls: [],
  passages: [],
  ms: 1,
  ...fields,
});
const call = { id: 'c1', type: 'function' as const, function: { name: 'open_door', arguments: '{}' } };

/** Asks a question and sets what became of it. */
function tell(conversation: Conversation, question: string, fields: Partial<Turn>): Conversation {
  const asked = addQuestion(conversation, question, settings);
  return updateTurn(asked, asked.turns.at(-1)?.id ?? '', fields);
}
const done = (answer: Partial<Answer>): Partial<Turn> => ({ state: 'done', answer: buildAnswer(answer) });
const listMessages = (conversation: Conversation) =>
  buildRequest(addQuestion(conversation, 'And now?', settings), settings).messages.slice(0, -1);

describe('a request for an answer', () => {
  test('is valid, streams, and stores the conversation under its id', () => {
    const conversation = addQuestion(createConversation(), 'Hello', settings);
    const request = buildRequest(conversation, settings);
    expect(v.parse(ChatRequest, request)).toMatchObject({
      model: settings.model,
      messages: [
        { role: 'assistant', content: 'Good day!' },
        { role: 'user', content: 'Hello' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      variables: { customer: 'Ada' },
      session_id: conversation.id,
      store: true,
    });
  });

  test('has what was said, without questions that were not answered', () => {
    let conversation = tell(createConversation(), 'One', done({ text: 'First' }));
    conversation = tell(conversation, 'Two', { state: 'failed', answer: buildAnswer({ text: 'Half' }) });
    conversation = tell(conversation, 'Three', { state: 'stopped' });
    conversation = tell(conversation, 'Four', { state: 'stopped', answer: buildAnswer({ text: 'So', calls: [call] }) });
    expect(listMessages(conversation)).toEqual([
      { role: 'assistant', content: 'Good day!' },
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'First' },
      { role: 'user', content: 'Four' },
      { role: 'assistant', content: 'So' },
    ]);
  });

  test('answers each call of a tool that only a worker can run', () => {
    expect(listMessages(tell(createConversation(), 'Open', done({ calls: [call] }))).slice(2)).toEqual([
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'Not run: this is a conversation in text.' },
    ]);
  });
});

describe('a conversation', () => {
  test('keeps the greeting that it began with', () => {
    const begun = addQuestion(createConversation(), 'One', { ...settings, greeting: undefined });
    expect(begun.greeting).toBeUndefined();
    const learned = { ...begun, greeting: 'Good day, Ada!' };
    expect(addQuestion(learned, 'Two', settings).greeting).toBe('Good day, Ada!');
    expect(addQuestion(dropLast(learned), 'One', settings).greeting).toBe('Good day!');
  });

  test('changes one turn, and leaves the others as they are', () => {
    const before = tell(tell(createConversation(), 'One', done({ text: '1' })), 'Two', done({ text: '2' }));
    const after = updateTurn(before, before.turns[1]?.id ?? '', { state: 'failed' });
    expect(after.turns.map(({ state }) => state)).toEqual(['done', 'failed']);
    expect(after.turns[0]).toBe(before.turns[0]);
  });

  test.each([null, 'Good day!'])(
    'is full when the next question is one too many for the API (greeting: %s)',
    (greeting) => {
      let conversation = createConversation();
      let count = 0;
      for (; !isFull(conversation); count++) {
        const asked = addQuestion(conversation, 'More', { ...settings, greeting });
        expect(v.safeParse(ChatRequest, buildRequest(asked, settings)).success).toBe(true);
        conversation = updateTurn(asked, asked.turns.at(-1)?.id ?? '', done({ text: 'Yes' }));
      }
      expect(count).toBe(100);
      const beyond = buildRequest(addQuestion(conversation, 'More', settings), settings);
      expect(beyond.messages.length).toBeGreaterThan(maxMessages);
      expect(v.safeParse(ChatRequest, beyond).success).toBe(false);
    },
  );
});
