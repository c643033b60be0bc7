import { buildJob, toPublicJob } from '../../shared/domain/job.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { create } from '../../shared/routes/jobs.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as jobs from '../../shared/store/jobs/jobs.ts';

/** Stores requests to assistants, which `run-job` answers. */
export const handler = jsonEndpoint(create, async ({ body: { requests }, user, actor, tell, rememberResult }) => {
  const job = buildJob(requests.length, user.id, actor);
  const result = { body: toEnvelope('Job created', toPublicJob(job)), created: `/batch/status/${job.id}` };
  await jobs.insert(user.key, job, requests, [
    tell('job.created', job.id, { requests: requests.length }),
    ...rememberResult(result),
  ]);
  return result;
});
