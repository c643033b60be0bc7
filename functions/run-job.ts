import { answerRequests, maxJobBytes } from '../shared/conversation/answer-requests.ts';
import { countAnswers, getFileSize, isOver } from '../shared/domain/job.ts';
import { isActive } from '../shared/store/api-keys/api-key-lookup.ts';
import * as jobs from '../shared/store/jobs/jobs.ts';
import { buildEventWrite, type Cause } from '../shared/store/journal.ts';
import { type NewRow, parseJobKey } from '../shared/store/table/keys.ts';
import { toUserLabel } from '../shared/telemetry/log-line.ts';
import { createStreamHandler } from '../shared/triggers/stream.ts';

/** Gives each new job, and each that has not ended in its turn before, a turn of a minute. */
export const handler = createStreamHandler('run-job', async (rows, requestId) => {
  const outcomes: string[] = [];
  for (const row of rows) outcomes.push(await takeTurn(row, requestId));
  return { outcomes };
});

/** Answers requests of a job for a minute, or ends the job if its creator was an API key that no longer works. Returns the outcome for the log. */
async function takeTurn({ key }: NewRow, requestId: string): Promise<string> {
  const named = parseJobKey(key);
  if (!named) return 'not awaited';
  const { owner, id } = named;
  const job = await jobs.claim(owner, id, key.sk);
  if (!job) return 'not awaited';

  const { user_id: userId, actor } = job;
  const [requests, earlier, isAllowed] = await Promise.all([
    isOver(job) ? [] : jobs.loadRequests(owner, id),
    jobs.loadAnswers(owner, job),
    actor.kind !== 'api_key' || isActive(owner, actor.id),
  ]);
  const cause: Cause = { owner, userId, actor, requestId };
  const asker: Parameters<typeof answerRequests>[0] = {
    owner,
    tell: (type, subjectId, data) => buildEventWrite(cause, type, subjectId, data),
    audit: (event, facts) =>
      console.info({
        audit: event,
        request_id: requestId,
        user: toUserLabel(owner),
        ...(actor.kind === 'api_key' && { api_key: actor.id }),
        job: id,
        ...facts,
      }),
  };
  const answered = new Set(earlier.map(({ customId }) => customId));
  const waiting = isAllowed ? requests.filter(({ custom_id }) => !answered.has(custom_id)) : [];
  const answers = await answerRequests(asker, waiting, maxJobBytes - getFileSize(earlier));

  if (answers.length < waiting.length)
    return (await jobs.continueLater(owner, job, answers)) ? 'continues' : 'overtaken';
  const all = [...earlier, ...answers];
  const done = buildEventWrite(cause, 'job.done', id, countAnswers(all));
  return (await jobs.end(owner, job, all, [done])) ? 'ended' : 'overtaken';
}
