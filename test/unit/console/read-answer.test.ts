import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../clients/typescript/src/api-error.ts';
import { readEvents } from '../../../clients/typescript/src/events.ts';
import {
  describeFailure,
  isKeyFailure,
  listVariableFaults,
} from '../../../console/src/assistants/try/describe-failure.ts';
import { type Answer, readAnswer } from '../../../console/src/assistants/try/read-answer.ts';
import { listEvents } from '../../support/vendor.ts';

/** Returns a stream of bytes in pieces of a size. */
const toStream = (text: string, size = 7) => {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (let from = 0; from < bytes.length; from += size) controller.enqueue(bytes.slice(from, from + size));
      controller.close();
    },
  });
};

async function readAll(body: ReadableStream<Uint8Array> | null): Promise<Answer[]> {
  let ms = 0;
  const answers: Answer[] = [];
  for await (const answer of readAnswer(readEvents(body), () => ++ms)) answers.push(answer);
  return answers;
}

const toEvent = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const tool = { call_id: 'c1', name: 'find', arguments: {}, output: 7, is_error: false, duration_ms: 3 };
const passage = { knowledge_base_id: 'k', file_name: 'hours.txt', page: null, text: 'At nine.', score: 1 };

describe('a streamed answer', () => {
  test('grows with each event, however its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.integer({ min: 1, max: 50 }),
        async (text, size) => {
          const stream = toStream(`: waiting\n\n${listEvents({ text }).join('')}`, size);
          const answers = await readAll(stream);
          const texts = answers.map((answer) => answer.text);
          expect(texts.at(-1)).toBe(text);
          expect(texts.every((one, index) => one.startsWith(texts[index - 1] ?? ''))).toBe(true);
          expect(answers.at(-1)?.tokens).toBe(25);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('tells when its first text and its last piece came', async () => {
    const answers = await readAll(toStream(listEvents({ text: 'One, two.' }).join('')));
    expect(answers[0]).not.toHaveProperty('firstMs');
    expect(answers.at(-1)).toMatchObject({ firstMs: 2, ms: answers.length });
  });

  test('has tools as they ran, and at the end what the service did', async () => {
    const facts = { assistant_id: 'a', version: 7, session_id: 's', tool_results: [tool], passages: [passage] };
    const events = [{ voice_assistants: { tool } }, { voice_assistants: facts }].map(toEvent);
    const [first, last] = await readAll(toStream(`${events.join('')}data: [DONE]\n\n`));
    expect(first).toMatchObject({ results: [tool], passages: [] });
    expect(first).not.toHaveProperty('version');
    expect(last).toMatchObject({ results: [tool], passages: [passage], version: 7, sessionId: 's' });
  });

  test('joins the pieces of calls', async () => {
    const calls = [
      { name: 'open_door', arguments: { side: 'north' } },
      { name: 'end_call', arguments: {} },
    ];
    const answers = await readAll(toStream(listEvents({ calls }).join('')));
    expect(answers.at(-1)?.calls.map((call) => call.function)).toEqual([
      { name: 'open_door', arguments: '{"side":"north"}' },
      { name: 'end_call', arguments: '{}' },
    ]);
  });

  test('fails with the error that the service tells, or if it ends too early', async () => {
    const error = { message: 'Overloaded', type: 'server_error', code: 'vendor_busy' };
    const failure = readAll(toStream(toEvent({ error })));
    await expect(failure).rejects.toMatchObject({ faults: [{ msg: 'Overloaded', type: 'vendor_busy' }] });
    await expect(readAll(toStream(listEvents({ text: 'Half' }).slice(0, -1).join('')))).rejects.toThrow('broke off');
    await expect(readAll(null)).rejects.toThrow('broke off');
  });
});

const refuse = (status: number, type: string, loc = ['service', 'vendor']) =>
  new ApiError(status, [{ loc, msg: 'Says why', type }]);

describe('a failure', () => {
  test('of the vendor is told as such', () => {
    expect(describeFailure(refuse(502, 'vendor_unavailable'))).toMatchObject({
      title: 'The language model’s vendor gave no answer',
      details: ['Says why'],
    });
    expect(describeFailure(refuse(429, 'too_many_requests')).title).toBe('Too many requests');
    expect(describeFailure(new ApiError(0, [])).title).toBe('The service cannot be reached');
  });

  test.each([
    [424, 'missing', true],
    [424, 'undecryptable', true],
    [424, 'vendor_error', false],
    [422, 'missing', false],
  ])('%i %s concerns a key: %s', (status, type, expected) => {
    expect(isKeyFailure(refuse(status, type))).toBe(expected);
  });

  test('names the variables that are missing', () => {
    const error = refuse(422, 'missing', ['body', 'variables', 'customer']);
    expect(listVariableFaults(error, ['customer', 'place'])).toEqual({ customer: 'Says why' });
    expect(listVariableFaults(refuse(422, 'missing', ['body', 'messages']), ['customer'])).toEqual({});
    expect(listVariableFaults(undefined, ['customer'])).toEqual({});
  });
});
