import { buildJob, toPublicJob } from '../../shared/domain/job.ts';
import { countedEndpoint } from '../../shared/http/endpoint.ts';
import { create } from '../../shared/routes/jobs.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as jobs from '../../shared/store/jobs/jobs.ts';

/** Stores requests to assistants, which `run-job` answers. */
export const handler = countedEndpoint(
  create,
  async ({ body: { requests }, user, actor, tell, count, rememberResult }) => {
    const job = buildJob(requests.length, user.id, actor);
    const result = { body: toEnvelope('Job created', toPublicJob(job)), created: `/batch/status/${job.id}` };
    await count(requests.length);
    await jobs.insert(user.key, job, requests, [
      tell('job.created', job.id, { requests: requests.length }),
      ...rememberResult(result),
    ]);
    return result;
  },
);
