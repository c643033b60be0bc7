import { createResender, lateEvent } from '../shared/delivery/resend-event.ts';
import { takeTurns } from '../shared/domain/take-turns.ts';
import { listDue } from '../shared/store/due.ts';
import { remindJob } from '../shared/store/jobs/turns.ts';
import { failOverdue } from '../shared/store/knowledge-bases/documents.ts';
import { deleteVersions } from '../shared/store/versions/deletion.ts';
import { remindDelivery, remindReplay, remindWebhook } from '../shared/store/webhooks/reminders.ts';
import { attempt, createScheduleHandler } from '../shared/triggers/schedule.ts';

/** Number of rows that are acted on at once. */
const concurrency = 20;

/** Creates the actions on a row that is due, by its kind. Each returns its outcome. */
const createActions = () => ({
  DELETION: deleteVersions,
  KB: failOverdue,
  DELIVERY: remindDelivery,
  REPLAY: remindReplay,
  WEBHOOK: remindWebhook,
  JOB: remindJob,
  UNSENT: createResender(),
});

/**
 * Acts on the rows that are due: documents that were not uploaded or parsed in time become failed, what is to
 * be delivered gets a message, the versions of deleted assistants are deleted, jobs that stand still go on, and events that could not be
 * sent are sent again. Does nothing for rows that the service did not write where they are. Fails in the end if an event waits for a
 * quarter of an hour, which sets off an alarm.
 */
export const handler = createScheduleHandler('sweep', async ({ deadline, requestId }) => {
  const outcomes: Record<string, number> = {};
  const actions = createActions();
  await takeTurns(await listDue(new Date()), { concurrency, deadline }, async (rows) => {
    const outcome = await attempt(async () => {
      const { value: row, done } = await rows.next();
      if (done) return undefined;
      return row ? actions[row.kind](row, requestId) : 'misplaced';
    });
    if (outcome) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    return outcome !== undefined;
  });
  if (outcomes[lateEvent])
    throw new Error(`Events cannot be sent, for a quarter of an hour and more: ${outcomes[lateEvent]}`);
  return { outcomes };
});
