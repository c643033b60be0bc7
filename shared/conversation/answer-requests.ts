import { setTimeout as sleep } from 'node:timers/promises';
import { type AnswerLine, toFailedAnswer, toLine } from '../domain/job.ts';
import { ApiError, toApiError } from '../errors.ts';
import type { RequestOfJob } from '../schemas/job.ts';
import { serializeError } from '../telemetry/serialize-error.ts';
import { answerChat } from './answer-chat.ts';
import type { Asker } from './asker.ts';

/** Number of requests that are answered at the same time. */
const concurrency = 10;

/** Time to start requests, in milliseconds. Then other jobs have their turn. */
const turnMs = 60_000;

/** Number of times that a request is sent while the vendor is busy or away, and the time for it in milliseconds. */
const maxTries = 5;
const maxTryingMs = 60_000;

/** Maximum size of one answer and of all answers of a job as JSON, in bytes, so that they fit into the function's memory. */
const maxLineBytes = 200_000;
export const maxJobBytes = 50_000_000;

/** Returns the pause before a request is sent again, in milliseconds. Undefined if that is not allowed, or would be of no use. */
function findPause({ headers }: ApiError, tries: number): number | undefined {
  const seconds = headers['retry-after'];
  if (seconds === undefined || tries === maxTries) return undefined;
  return (Number(seconds) || 10) * 1000 * 2 ** (tries - 1);
}

/** Answers one request. An error becomes its answer, also one of writing the answer. */
async function answerRequest(asker: Asker, { custom_id, body }: RequestOfJob): Promise<AnswerLine> {
  const stopAt = Date.now() + maxTryingMs;
  for (let tries = 1; ; tries++) {
    try {
      const { completion } = await answerChat(asker, body);
      return toLine({ custom_id, response: { status_code: 200, body: completion } });
    } catch (error) {
      const known = toApiError(error);
      if (known.cause) console.error({ event: 'no answer', error: serializeError(known) });
      const pause = known === error ? findPause(known, tries) : undefined;
      if (pause === undefined || Date.now() + pause > stopAt) return toLine(toFailedAnswer(custom_id, known));
      await sleep(pause);
    }
  }
}

function buildTooLarge(custom_id: string): AnswerLine {
  const msg = `A job keeps answers of ${maxLineBytes / 1000} KB, and ${maxJobBytes / 1_000_000} MB in all: ask by itself`;
  return toLine(toFailedAnswer(custom_id, new ApiError('TooLarge', [{ loc: ['service'], msg, type: 'too_large' }])));
}

/** Answers requests, ten at a time, and begins none after a minute. Returns the answers. `room` is their maximum size in bytes. */
export async function answerRequests(
  asker: Asker,
  requests: readonly RequestOfJob[],
  room: number,
): Promise<AnswerLine[]> {
  const stopAt = Date.now() + turnMs;
  const answers: AnswerLine[] = [];
  const waiting = requests.values();
  let left = room;
  const work = async () => {
    for (const request of waiting) {
      const line = await answerRequest(asker, request);
      const bytes = Buffer.byteLength(line.json);
      const fits = bytes <= maxLineBytes && bytes <= left;
      if (fits) left -= bytes;
      answers.push(fits ? line : buildTooLarge(line.customId));
      if (Date.now() > stopAt) return;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return answers;
}
