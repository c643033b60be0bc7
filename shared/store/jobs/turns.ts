import { randomUUID } from 'node:crypto';
import { getTimeIn } from '../../domain/time.ts';
import { toDue, type WaitingRow } from '../due.ts';
import { toJobKey, toJobTurnKey } from '../table/keys.ts';
import { daySeconds, getUnixSeconds } from '../table/table.ts';
import { type Write, writeIf } from '../table/writes.ts';

/** Time after which `sweep` gives a job another turn, if none has ended until then, in seconds. */
const patienceSeconds = 30 * 60;

/** Returns the attributes of a job that has to have a turn within half an hour. */
export const toNextDue = (owner: string) => toDue(owner, getTimeIn(patienceSeconds));

/** Builds the row that makes the table's stream run a job again, behind all others that wait. */
export const buildTurnWrite = (owner: string, id: string): Write => ({
  Put: { Item: { ...toJobTurnKey(owner, id, randomUUID()), expires_at: getUnixSeconds(2 * daySeconds) } },
});

/** Gives a job another turn that had none for half an hour: its last run failed for good. One round trip. */
export async function remindJob({ owner, id, due }: WaitingRow): Promise<string> {
  const postpone: Write = {
    Update: {
      Key: toJobKey(owner, id),
      UpdateExpression: 'SET due = :next',
      ConditionExpression: 'due = :due',
      ExpressionAttributeValues: { ':next': toNextDue(owner).due, ':due': due },
    },
  };
  return (await writeIf(postpone, buildTurnWrite(owner, id))) ? 'job continued' : 'settled';
}
