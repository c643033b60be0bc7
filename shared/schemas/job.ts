import * as v from 'valibot';
import { define } from '../define.ts';
import { ChatRequest } from './chat.ts';
import { Envelope, List, Name, object, rule, Timestamp, Uuid } from './common.ts';

/** Maximum number of requests of a job. */
export const maxRequests = 1_000;

/** One request of a job, with an id of the client's choice that names its answer. */
const RequestOfJob = /* @__PURE__ */ define(() => object({ custom_id: Name(200), body: ChatRequest }));
export type RequestOfJob = v.InferOutput<typeof RequestOfJob>;

const hasDistinctIds = (requests: RequestOfJob[]) =>
  new Set(requests.map(({ custom_id }) => custom_id)).size === requests.length;

/** Requests to assistants that are answered one after the other. */
export const JobRequests = /* @__PURE__ */ define(() =>
  object({
    requests: v.pipe(
      List(RequestOfJob, maxRequests),
      rule('too_short', 1, 'Input should have at least 1 item', (requests: RequestOfJob[]) => requests.length > 0),
      rule('not_unique', 'custom_id', 'Each request should have a custom_id of its own', hasDistinctIds),
    ),
  }),
);

export const JobId = /* @__PURE__ */ define(() => object({ job_id: Uuid }));

/** Address of the answers of a job, and the time until which it is valid. */
const AnswersFile = /* @__PURE__ */ define(() => v.object({ url: v.string(), expires_at: Timestamp }));

/** Progress of a job. `answers` is null until it has ended. */
export const Job = /* @__PURE__ */ define(() =>
  v.object({
    job_id: Uuid,
    status: v.picklist(['queued', 'running', 'done', 'expired']),
    total: v.number(),
    succeeded: v.number(),
    failed: v.number(),
    created_at: Timestamp,
    ended_at: v.nullable(Timestamp),
    answers: v.nullable(AnswersFile),
  }),
);
export type Job = v.InferOutput<typeof Job>;

export const OneJob = /* @__PURE__ */ define(() => Envelope(Job));
