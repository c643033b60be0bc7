import { listDue } from '../shared/store/due.ts';
import { failOverdue } from '../shared/store/knowledge-bases/documents.ts';
import { attempt, createScheduleHandler } from '../shared/triggers/schedule.ts';

/** Acts on the rows whose time has come: documents that were not uploaded or parsed in time become failed. */
export const handler = createScheduleHandler('sweep', async ({ deadline, requestId }) => {
  const outcomes: Record<string, number> = {};
  for await (const key of listDue(new Date())) {
    if (Date.now() > deadline) break;
    const outcome = await attempt(() => failOverdue(key, requestId));
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return { outcomes };
});
