import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { logLine } from './log-line.ts';
import { meter, resetMeter } from './meter.ts';
import { described } from './middleware/error-response.ts';
import { TooEarly } from './store/erasure.ts';
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

let cold = true;

/** A function that does the messages of a queue, one after the other. Those that fail come again (partial batch failures). */
export const queueFunction =
  (name: string, run: (task: Task) => Promise<object>) =>
  async ({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
    for (const record of Records) {
      const done = await attempt(name, run, record, context);
      if (!done) batchItemFailures.push({ itemIdentifier: record.messageId });
    }
    return { batchItemFailures };
  };

/** Does a message, and writes one structured line of it: never what the message is about. Gives whether it is done with. */
async function attempt(
  name: string,
  run: (task: Task) => Promise<object>,
  record: SQSRecord,
  context: Context,
): Promise<boolean> {
  const startedAt = performance.now();
  const message = {
    message_id: record.messageId,
    task: name,
    attempt: Number(record.attributes.ApproximateReceiveCount),
  };
  resetMeter();
  const log = (facts: object) => {
    logLine(context.awsRequestId, {
      ...message,
      ...facts,
      duration_ms: Math.round(performance.now() - startedAt),
      cold_start: cold,
      round_trips: meter.roundTrips,
      read_units: meter.readUnits,
      write_units: meter.writeUnits,
    });
    cold = false;
  };
  try {
    const { detail } = JSON.parse(record.body);
    const deadline = Date.now() + context.getRemainingTimeInMillis() - reserveMs;
    log(await run({ detail, attempt: message.attempt, deadline }));
    return true;
  } catch (error) {
    if (error instanceof NotAwaited) {
      log({ outcome: 'not awaited' });
      return true;
    }
    if (error instanceof TooEarly) {
      log({ outcome: 'too early' });
      return false;
    }
    console.error({ ...message, error: described(error) });
    log({ error: error instanceof Error ? error.name : 'unknown' });
    return false;
  }
}
