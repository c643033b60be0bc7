import { v7 as uuidv7 } from 'uuid';
import { type ApiError, failures } from '../errors.ts';
import type { Actor } from '../schemas/event.ts';
import type { Job } from '../schemas/job.ts';
import { toOpenAiError } from './chat/openai-error.ts';
import { getTimeIn } from './time.ts';

/** A job as it is stored. */
export interface StoredJob {
  id: string;
  user_id: string;
  /** Creator. Events of the answers name them. */
  actor: Actor;
  total: number;
  succeeded: number;
  failed: number;
  /** Names of the files with the answers so far, one per run. */
  parts: string[];
  created_at: string;
  /** Number of runs since the last one that stored its answers. */
  runs?: number;
  /** RFC 3339. Unset until the first run. */
  started_at?: string;
  /** RFC 3339, null until the last run. */
  ended_at: string | null;
}

/** Time limit of a job, in milliseconds. Requests without an answer by then get none. */
const lifetimeMs = 20 * 3_600_000;

/** Days after which a job and its answers are deleted. */
export const jobDays = 30;

/** Time for which the address of the answers is valid, in seconds. */
export const answersUrlSeconds = 900;

/** Builds a new job. */
export const buildJob = (total: number, user_id: string, actor: Actor): StoredJob => ({
  id: uuidv7(),
  user_id,
  actor,
  total,
  succeeded: 0,
  failed: 0,
  parts: [],
  created_at: new Date().toISOString(),
  ended_at: null,
});

/** Runs in a row that may break off. Four follow each other, then four each half hour: the table or the bucket may be away for an hour. */
const maxRuns = 12;

/** True if a job ends with the answers that it has: its time is over, or its requests end each function that runs them. */
export const isOver = ({ created_at, runs = 0 }: StoredJob): boolean =>
  Date.now() > Date.parse(created_at) + lifetimeMs || runs > maxRuns;

function getStatus({ total, succeeded, failed, started_at, ended_at }: StoredJob): Job['status'] {
  if (ended_at !== null) return succeeded + failed === total ? 'done' : 'expired';
  return started_at === undefined ? 'queued' : 'running';
}

/** Returns a job as clients see it. `answersUrl` is the address of its answers. */
export function toPublicJob(job: StoredJob, answersUrl?: string): Job {
  const { id, total, succeeded, failed, created_at, ended_at } = job;
  const expires_at = getTimeIn(answersUrlSeconds);
  const answers = answersUrl === undefined ? null : { url: answersUrl, expires_at };
  return { job_id: id, status: getStatus(job), total, succeeded, failed, created_at, ended_at, answers };
}

/** Answer to one request of a job, as OpenAI's Batch API has them. */
export interface RequestAnswer {
  custom_id: string;
  response: { status_code: number; body: object };
}

/** An answer as a line of the job's file, and what is counted. Parsed, all answers of a job would take more memory than a function has. */
export interface AnswerLine {
  customId: string;
  succeeded: boolean;
  json: string;
}

/** Writes an answer as a line. */
export const toLine = (answer: RequestAnswer, json = JSON.stringify(answer)): AnswerLine => ({
  customId: answer.custom_id,
  succeeded: answer.response.status_code === 200,
  json,
});

/** Reads the lines of a file. */
export const readLines = (file: string): AnswerLine[] =>
  file
    .split('\n')
    .filter(Boolean)
    .map((json) => toLine(JSON.parse(json), json));

/** Writes lines as a file. */
export const writeLines = (lines: readonly AnswerLine[]): string => lines.map(({ json }) => `${json}\n`).join('');

/** Returns the size of lines as a file, in bytes. */
export const getFileSize = (lines: readonly AnswerLine[]): number =>
  lines.reduce((sum, { json }) => sum + Buffer.byteLength(json) + 1, 0);

/** Counts the answers that succeeded and failed. */
export function countAnswers(lines: readonly AnswerLine[]): { succeeded: number; failed: number } {
  const succeeded = lines.filter((line) => line.succeeded).length;
  return { succeeded, failed: lines.length - succeeded };
}

/** Returns the answer to a request that failed: what `POST /chat/completions` would have answered. */
export const toFailedAnswer = (custom_id: string, error: ApiError): RequestAnswer => ({
  custom_id,
  response: {
    status_code: failures[error.failure].status,
    body: { detail: error.detail, error: toOpenAiError(error) },
  },
});

/** Fields of a chat completion that mean nothing in a job: its answers come whole, and are not saved as sessions. */
const unusedFields = ['stream', 'stream_options', 'store', 'session_id'];

/** Lists the fields of a valid body, as sent, that a job does not use. */
export const listUnusedFields = ({ requests }: { requests: { body: Record<string, unknown> }[] }): string[] =>
  unusedFields
    .filter((name) => requests.some(({ body }) => body[name] != null && body[name] !== false))
    .map((name) => `requests.body.${name}`);
