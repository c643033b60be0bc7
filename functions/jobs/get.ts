import { toPublicJob } from '../../shared/domain/job.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { get } from '../../shared/routes/jobs.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as jobs from '../../shared/store/jobs/jobs.ts';

/** Returns how far a job is, with the address of its answers if it is done. */
export const handler = endpoint(get, async ({ params, user }) => {
  const job = await jobs.get(user.key, params.job_id);
  const url = job.ended_at === null ? undefined : await jobs.createAnswersUrl(user.key, job.id);
  return { body: toEnvelope('Job found', toPublicJob(job, url)) };
});
