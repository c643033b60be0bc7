import type { Context } from 'aws-lambda';
import { writeLogLine } from '../telemetry/log-line.ts';
import { meter, resetMeter } from '../telemetry/meter.ts';
import { serializeError } from '../telemetry/serialize-error.ts';

let isColdStart = true;

/**
 * Starts the log of a task that no request waits for. The returned function writes its one log line, with the cost since
 * the previous line, so that the lines of an invocation add up. A failed task is also logged with its error.
 */
export function startTaskLog(context: Context, task: object): (outcome: object | Error) => void {
  const startedAt = performance.now();
  return (outcome) => {
    const hasFailed = outcome instanceof Error;
    if (hasFailed) console.error({ ...task, error: serializeError(outcome) });
    writeLogLine(context.awsRequestId, {
      ...task,
      ...(hasFailed ? { error: outcome.name } : outcome),
      duration_ms: Math.round(performance.now() - startedAt),
      cold_start: isColdStart,
      round_trips: meter.roundTrips,
      read_units: meter.readUnits,
      write_units: meter.writeUnits,
    });
    resetMeter();
    isColdStart = false;
  };
}
