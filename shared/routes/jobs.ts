import { listUnusedFields } from '../domain/job.ts';
import { route } from '../route.ts';
import { JobId, JobRequests, OneJob } from '../schemas/job.ts';

export const create = /* @__PURE__ */ route(() => ({
  id: 'jobs/create',
  method: 'POST',
  path: '/batch/chat/completions',
  scope: 'chat',
  summary: 'Ask assistants many questions at once',
  description:
    'Each request has the body of `POST /chat/completions`, where `stream`, `store` and `session_id` mean nothing. They are answered ten at a time, within 20 hours. ' +
    '`GET /batch/status/{job_id}` says how far they are, and has the address of the answers. The event `job.done` says that all are ' +
    'answered. Each request counts by itself; a job that exceeds a limit is refused as a whole.',
  body: JobRequests,
  listIgnored: listUnusedFields,
  mayBeLossy: true,
  maxBodyBytes: 5 * 1024 * 1024,
  returns: OneJob,
  creates: true,
  errors: ['Conflict'],
  tells: ['job.created'],
  quota: 'completions',
  needs: { rows: { jobs: ['PutItem'], once: ['GetItem', 'PutItem'] }, files: { jobs: ['PutObject'] } },
}));

export const get = /* @__PURE__ */ route(() => ({
  id: 'jobs/get',
  method: 'GET',
  path: '/batch/status/{job_id}',
  scope: 'chat',
  summary: 'See how far a job is, and get its answers',
  description:
    'When the job is done, `answers.url` is the address of a file, from which anybody can get it for 15 minutes. Each line is one answer: ' +
    '`custom_id`, and in `response` the status and body that `POST /chat/completions` gives. A job and its answers are kept for 30 days.',
  params: JobId,
  returns: OneJob,
  secret: true,
  errors: ['NotFound'],
  needs: { rows: { jobs: ['GetItem'] }, files: { jobs: ['GetObject'] } },
}));
