import { type Answer, answerTimeoutMs, begin, complete } from '../../shared/conversation/converse.ts';
import { streamEvents, streamOne } from '../../shared/conversation/stream-events.ts';
import { findVendorLease, openVendorLease } from '../../shared/conversation/vendor-lease.ts';
import { writeText } from '../../shared/conversation/write-text.ts';
import { toCompletionData } from '../../shared/domain/chat/answer.ts';
import { buildQuestion, listCitations } from '../../shared/domain/chat/cited-answer.ts';
import { buildParameters } from '../../shared/domain/chat/vendors.ts';
import { buildFilter, buildTooLarge } from '../../shared/domain/passage-search.ts';
import type { ApiError } from '../../shared/errors.ts';
import { streamEndpoint } from '../../shared/http/stream-endpoint.ts';
import { answer } from '../../shared/routes/search.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import { readForCall } from '../../shared/store/call-config.ts';
import * as journal from '../../shared/store/journal.ts';
import { getMany } from '../../shared/store/knowledge-bases/knowledge-bases.ts';
import { searchKnowledgeBases } from '../../shared/store/knowledge-bases/passages.ts';

const toErrorData = ({ detail }: ApiError) => ({ detail });

const live = { version: 'live', room: undefined } as const;
const locs = { version: ['body'], assistant: ['body', 'assistant_id'] };

/** Answers a question from the knowledge of an assistant, by its language model, as a whole or in pieces. Asks no model if nothing is found. */
export const handler = streamEndpoint(answer, async ({ body, user, audit, tell, count }) => {
  const startedAt = Date.now();
  const { assistant_id, query, limit, filters } = body;
  const { stored: assistant, version } = await readForCall(user.key, assistant_id, live, locs);
  const [attached, lease] = await Promise.all([
    getMany(user.key, Object.keys(assistant.attachments)),
    findVendorLease(user.key, assistant),
  ]);
  const wanted = [...attached.values()].filter(buildFilter(filters));
  const found = await searchKnowledgeBases(user.key, wanted, query, limit, () => buildTooLarge(body));
  if (found.passages.length === 0) {
    const nothing = { answer: null, citations: [], ...found, usage: null };
    return body.stream ? { stream: streamOne(nothing) } : { body: toEnvelope('Nothing found', nothing) };
  }

  await count();
  const vendor = await openVendorLease({ owner: user.key, audit, tell }, assistant.id, lease);
  const ended = new AbortController();
  const conversation = {
    vendor,
    parameters: buildParameters(assistant.llm, {}),
    messages: buildQuestion(query, found.passages),
    signal: AbortSignal.any([ended.signal, AbortSignal.timeout(answerTimeoutMs)]),
  };
  const finish = async (said: Answer) => {
    const facts = toCompletionData({ assistant, version }, said, null, Date.now() - startedAt);
    await journal.record(tell('completion.done', assistant.id, facts));
    const text = said.content ?? '';
    return { answer: text, citations: listCitations(text, found.passages), ...found, usage: said.usage };
  };

  if (body.stream) return streamEvents(writeText(await begin(conversation), finish), toErrorData, () => ended.abort());
  const { answer: said } = await complete(conversation);
  return { body: toEnvelope('Question answered', await finish(said)) };
});
