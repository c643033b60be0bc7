import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { serializeError } from './http/middleware/error-response.ts';
import { TooEarly } from './store/knowledge-bases/erasure.ts';
import { NotProcessing } from './store/knowledge-bases/knowledge-bases.ts';
import { writeLogLine } from './telemetry/log-line.ts';
import { meter, resetMeter } from './telemetry/meter.ts';

/** A queue message to process. */
export interface Task {
  /** Detail of the EventBridge event. */
  detail: Record<string, unknown>;
  /** Number of this delivery, starting at 1. */
  attempt: number;
  /** Id of the function's invocation. */
  requestId: string;
  /** Latest time to finish the task, in milliseconds since 1970. */
  deadline: number;
}

/** Part of the function's timeout that is reserved for finishing a task after its deadline, in milliseconds. */
const shutdownReserveMs = 15_000;

let isColdStart = true;

/**
 * Creates a Lambda handler that runs all messages of an event concurrently. Failed ones are retried (partial batch
 * failures).
 */
export const createQueueHandler =
  (name: string, run: (task: Task) => Promise<object>) =>
  async ({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    resetMeter();
    const done = await Promise.all(Records.map((record) => runTask(name, run, record, context)));
    const failed = Records.filter((_, i) => !done[i]);
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

/**
 * Runs a task and writes one log line, without the content of the message. The line has the cost since the previous
 * line, so that the lines of an event add up. Returns false if the message must be retried.
 */
async function runTask(
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
  const log = (facts: object) => {
    writeLogLine(context.awsRequestId, {
      ...message,
      ...facts,
      duration_ms: Math.round(performance.now() - startedAt),
      cold_start: isColdStart,
      round_trips: meter.roundTrips,
      read_units: meter.readUnits,
      write_units: meter.writeUnits,
    });
    resetMeter();
    isColdStart = false;
  };
  try {
    const { detail } = JSON.parse(record.body);
    const deadline = Date.now() + context.getRemainingTimeInMillis() - shutdownReserveMs;
    log(await run({ detail, attempt: message.attempt, deadline, requestId: context.awsRequestId }));
    return true;
  } catch (error) {
    if (error instanceof NotProcessing) {
      log({ outcome: 'not awaited' });
      return true;
    }
    if (error instanceof TooEarly) {
      log({ outcome: 'too early' });
      return false;
    }
    console.error({ ...message, error: serializeError(error) });
    log({ error: error instanceof Error ? error.name : 'unknown' });
    return false;
  }
}
