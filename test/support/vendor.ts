import type { Answer } from './receiver.ts';

/** A function call of a model. */
export interface ModelCall {
  id?: string;
  name: string;
  arguments: object | string;
}

const toText = (given: object | string) => (typeof given === 'string' ? given : JSON.stringify(given));

const usage = {
  prompt_tokens: 20,
  completion_tokens: 5,
  total_tokens: 25,
  prompt_tokens_details: { cached_tokens: 8 },
};

/** Answer of a vendor: a text, or calls of functions. The keys of `extra` are added. */
export interface ModelAnswer {
  text?: string;
  calls?: ModelCall[];
  extra?: object;
}

const toCalls = (calls: readonly ModelCall[]) =>
  calls.map(({ id, name, arguments: given }, index) => ({
    id: id ?? `call_${index}`,
    type: 'function',
    function: { name, arguments: toText(given) },
  }));

/** Answers with a whole completion. */
export const answerOnce =
  ({ text, calls = [], extra = {} }: ModelAnswer): Answer =>
  (response) => {
    const message = {
      role: 'assistant',
      content: text ?? null,
      ...(calls.length > 0 && { tool_calls: toCalls(calls) }),
    };
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        id: 'chatcmpl-of-the-vendor',
        object: 'chat.completion',
        created: 1,
        model: 'the-model',
        choices: [{ index: 0, message, finish_reason, logprobs: null }],
        usage,
        ...extra,
      }),
    );
  };

const toChunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'chatcmpl-of-the-vendor',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'the-model',
  choices: [{ index: 0, delta, finish_reason }],
});

const toEvent = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

/** Returns the events of a streamed answer: text in pieces of three characters, or of `size`, calls split within their arguments. */
export function listEvents({ text = '', calls = [] }: ModelAnswer, size = 3): string[] {
  const pieces = [...(text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? [])].map((content) => toChunk({ content }));
  const callPieces = toCalls(calls).flatMap(({ function: { name, arguments: given }, ...call }, index) => [
    toChunk({ tool_calls: [{ index, ...call, function: { name, arguments: '' } }] }),
    toChunk({ tool_calls: [{ index, function: { arguments: given.slice(0, 5) } }] }),
    toChunk({ tool_calls: [{ index, function: { arguments: given.slice(5) } }] }),
  ]);
  return [
    toEvent(toChunk({ role: 'assistant', content: '' })),
    ...[...pieces, ...callPieces].map(toEvent),
    toEvent(toChunk({}, calls.length > 0 ? 'tool_calls' : 'stop')),
    toEvent({ ...toChunk({}), choices: [], usage }),
    'data: [DONE]\n\n',
  ];
}

export const eventStream = { 'content-type': 'text/event-stream' };

/** Answers with pieces of a stream, as they are. */
export const stream =
  (...pieces: (string | Buffer)[]): Answer =>
  (response) => {
    response.writeHead(200, eventStream);
    for (const piece of pieces) response.write(piece);
    response.end();
  };

/** Answers as the request wants it: whole or streamed. */
export const answerModel =
  (answer: ModelAnswer): Answer =>
  (response, request, number) =>
    (JSON.parse(request.body).stream ? stream(...listEvents(answer)) : answerOnce(answer))(response, request, number);

/** Answers each request by the next of several answers, the last one again and again. */
export const inTurn =
  (...answers: Answer[]): Answer =>
  (response, request, number) =>
    answers[Math.min(number, answers.length - 1)]?.(response, request, number);
