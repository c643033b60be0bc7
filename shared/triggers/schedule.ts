import type { Context } from 'aws-lambda';
import { resetMeter } from '../telemetry/meter.ts';
import { serializeError } from '../telemetry/serialize-error.ts';
import { getDeadline } from './deadline.ts';
import { startTaskLog } from './task-log.ts';

/** A run of a scheduled function. */
export interface ScheduledRun {
  /** Id of the function's invocation. */
  requestId: string;
  /** Time to stop, in milliseconds since 1970. */
  deadline: number;
}

/** Runs one part of a scheduled task, so that its failure does not stop the others. Logs a failure and returns its name. */
export async function attempt<T>(run: () => Promise<T>): Promise<T | string> {
  try {
    return await run();
  } catch (error) {
    console.error({ error: serializeError(error) });
    return error instanceof Error ? error.name : 'Error';
  }
}

/** Creates a Lambda handler that a schedule runs. `run` returns the fields of its log line. */
export const createScheduleHandler =
  (name: string, run: (scheduled: ScheduledRun) => Promise<object>) =>
  async (_event: unknown, context: Context): Promise<void> => {
    resetMeter();
    const log = startTaskLog(context, { task: name });
    const deadline = getDeadline(context);
    try {
      log(await run({ requestId: context.awsRequestId, deadline }));
    } catch (error) {
      log(error as Error);
      throw error;
    }
  };
