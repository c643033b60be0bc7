import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Key } from '../store/table/keys.ts';
import { resetMeter } from '../telemetry/meter.ts';
import { startTaskLog } from './task-log.ts';

/** A row that was added to the table. */
export interface NewRow {
  key: Key;
  /** Time at which it was added, in milliseconds since 1970. */
  addedAt: number;
}

/** Outcome of a batch: the rows to deliver again, if any, and fields for the log line. */
export interface BatchOutcome {
  failed: NewRow[];
  facts: object;
}

const toNewRow = ({
  dynamodb: { Keys = {}, ApproximateCreationDateTime: seconds = 0 } = {},
}: DynamoDBRecord): NewRow => ({
  key: { pk: Keys.pk?.S ?? '', sk: Keys.sk?.S ?? '' },
  addedAt: seconds * 1000,
});

/**
 * Creates a Lambda handler for rows that the table's stream reports as new. The stream delivers a batch again from its
 * first failed row, so `run` sees the rows after it again, and all of them if it throws. It also gets the id of the invocation.
 */
export const createStreamHandler =
  (name: string, run: (rows: NewRow[], requestId: string) => Promise<BatchOutcome>) =>
  async ({ Records }: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> => {
    resetMeter();
    const rows = Records.map(toNewRow);
    const log = startTaskLog(context, { task: name, rows: rows.length });
    try {
      const { failed, facts } = await run(rows, context.awsRequestId);
      log(facts);
      const first = rows.findIndex((row) => failed.includes(row));
      const itemIdentifier = Records[first]?.dynamodb?.SequenceNumber;
      return { batchItemFailures: itemIdentifier === undefined ? [] : [{ itemIdentifier }] };
    } catch (error) {
      log(error as Error);
      throw error;
    }
  };
