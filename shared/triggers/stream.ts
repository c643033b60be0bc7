import type { Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { NewRow } from '../store/table/keys.ts';
import { resetMeter } from '../telemetry/meter.ts';
import { startTaskLog } from './task-log.ts';

const toNewRow = ({
  dynamodb: { Keys = {}, ApproximateCreationDateTime: seconds = 0 } = {},
}: DynamoDBRecord): NewRow => ({
  key: { pk: Keys.pk?.S ?? '', sk: Keys.sk?.S ?? '' },
  addedAt: seconds * 1000,
});

/**
 * Creates a Lambda handler for rows that the table's stream reports as new. The stream delivers them again if `run` throws. It gets them
 * with the id of the invocation, and returns fields for the log line.
 */
export const createStreamHandler =
  (name: string, run: (rows: NewRow[], requestId: string) => Promise<object>) =>
  async ({ Records }: DynamoDBStreamEvent, context: Context): Promise<void> => {
    resetMeter();
    const rows = Records.map(toNewRow);
    const log = startTaskLog(context, { task: name, rows: rows.length });
    try {
      log(await run(rows, context.awsRequestId));
    } catch (error) {
      log(error as Error);
      throw error;
    }
  };
