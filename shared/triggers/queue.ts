import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { NotAwaited } from '../store/knowledge-bases/knowledge-bases.ts';
import { resetMeter } from '../telemetry/meter.ts';
import { getDeadline } from './deadline.ts';
import { startTaskLog } from './task-log.ts';

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

/** Thrown by a task that has to run again later, with fields of its log line. The queue delivers its message again; this is not an error. */
export class Postponed extends Error {
  readonly facts: object;
  constructor(facts: object) {
    super('Postponed');
    this.facts = facts;
  }
}

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

/** Runs a task and logs it, without the content of the message. Returns false if the message must be retried. */
async function runTask(
  name: string,
  run: (task: Task) => Promise<object>,
  record: SQSRecord,
  context: Context,
): Promise<boolean> {
  const attempt = Number(record.attributes.ApproximateReceiveCount);
  const log = startTaskLog(context, { message_id: record.messageId, task: name, attempt });
  try {
    const { detail } = JSON.parse(record.body);
    log(await run({ detail, attempt, deadline: getDeadline(context), requestId: context.awsRequestId }));
    return true;
  } catch (error) {
    if (error instanceof NotAwaited) {
      log({ outcome: 'not awaited' });
      return true;
    }
    log(error instanceof Postponed ? { ...error.facts, outcome: 'postponed' } : (error as Error));
    return false;
  }
}
