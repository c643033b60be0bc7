import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { meter, resetMeter } from './meter.ts';
import { described } from './middleware/error-response.ts';
import { NotAwaited } from './store/knowledge-bases.ts';

/** A message, and what is left to do it. */
export interface Task {
  /** The event that EventBridge passed on. */
  detail: Record<string, unknown>;
  /** From 1; the last one is followed by none. */
  attempt: number;
  /** Milliseconds since 1970, by which it must be done. */
  deadline: number;
}

/** What is left of the function's time for the end of a task, in milliseconds. */
const reserveMs = 15_000;

/** A function that does the messages of a queue, one after the other. Those that fail come again (partial batch failures). */
export const queueFunction =
  (name: string, run: (task: Task) => Promise<object>) =>
  async ({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
    for (const record of Records) {
      const done = await attempt(name, run, record, Date.now() + context.getRemainingTimeInMillis() - reserveMs);
      if (!done) batchItemFailures.push({ itemIdentifier: record.messageId });
    }
    return { batchItemFailures };
  };

async function attempt(
  name: string,
  run: (task: Task) => Promise<object>,
  record: SQSRecord,
  deadline: number,
): Promise<boolean> {
  const startedAt = performance.now();
  const log = { message_id: record.messageId, task: name, attempt: Number(record.attributes.ApproximateReceiveCount) };
  resetMeter();
  try {
    const { detail } = JSON.parse(record.body);
    const facts = await run({ detail, attempt: log.attempt, deadline });
    console.info({
      ...log,
      ...facts,
      duration_ms: Math.round(performance.now() - startedAt),
      round_trips: meter.roundTrips,
    });
    return true;
  } catch (error) {
    if (error instanceof NotAwaited) return true; // nobody waits for it any more
    console.error({ ...log, error: described(error) });
    return false;
  }
}
