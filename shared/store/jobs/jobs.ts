import { randomUUID } from 'node:crypto';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import {
  type AnswerLine,
  answersUrlSeconds,
  countAnswers,
  jobDays,
  readLines,
  type StoredJob,
  writeLines,
} from '../../domain/job.ts';
import { NotFound } from '../../errors.ts';
import type { RequestOfJob } from '../../schemas/job.ts';
import { clearDue } from '../due.ts';
import * as files from '../files/files.ts';
import { toObjectKey } from '../files/folders.ts';
import { toJobKey } from '../table/keys.ts';
import { daySeconds, get as getRow, getUnixSeconds, type Row } from '../table/table.ts';
import { updateRow, type Write, write, writeIf } from '../table/writes.ts';
import { buildTurnWrite, toNextDue } from './turns.ts';

/** Time for which a run has a job for itself, in milliseconds: longer than the function runs. */
const claimMs = 6 * 60_000;

const toFile = (owner: string, id: string, name: string) => toObjectKey('jobs', owner, id, name);
const requestsFile = 'requests.json';
const answersFile = 'answers.jsonl';

/** Stores a new job and its requests, with the extra writes. One round trip to S3, one to the table. */
export async function insert(
  owner: string,
  job: StoredJob,
  requests: readonly RequestOfJob[],
  extraWrites: Write[],
): Promise<void> {
  await files.put(toFile(owner, job.id, requestsFile), Buffer.from(JSON.stringify(requests)));
  const expires_at = getUnixSeconds(jobDays * daySeconds);
  await write(
    { Put: { Item: { ...toJobKey(owner, job.id), ...job, ...toNextDue(owner), expires_at } } },
    ...extraWrites,
  );
}

function fromRow(row: Row): StoredJob {
  const { id, user_id, actor, total, succeeded, failed, parts, runs, created_at, started_at, ended_at } = row;
  const fields = { id, user_id, actor, total, succeeded, failed, parts, runs, created_at, ended_at };
  return { ...fields, ...(started_at !== undefined && { started_at }) } as unknown as StoredJob;
}

/** Returns a job. One round trip. Throws NotFound. */
export async function get(owner: string, id: string): Promise<StoredJob> {
  const row = await getRow(toJobKey(owner, id));
  if (!row) throw new NotFound(['path', 'job_id'], 'You have no job with this id');
  return fromRow(row);
}

/** A job that one run has for itself. */
export interface ClaimedJob extends StoredJob {
  /** Id of the run. */
  run: string;
}

/**
 * Gives a new run a job for itself, and returns it. Undefined if the job has ended, is gone, or belongs to the run of another turn. A turn
 * that is delivered again takes the job from its own former run, which then can store nothing more. One round trip.
 */
export async function claim(owner: string, id: string, turn: string): Promise<ClaimedJob | undefined> {
  const now = Date.now();
  const run = randomUUID();
  const row = await updateRow({
    Key: toJobKey(owner, id),
    UpdateExpression:
      'SET run = :run, turn = :turn, claimed_until = :until, started_at = if_not_exists(started_at, :at) ADD runs :one',
    ConditionExpression:
      'ended_at = :none AND (attribute_not_exists(claimed_until) OR turn = :turn OR claimed_until < :now)',
    ExpressionAttributeValues: {
      ':run': run,
      ':turn': turn,
      ':until': now + claimMs,
      ':at': new Date(now).toISOString(),
      ':none': null,
      ':now': now,
      ':one': 1,
    },
  });
  return row && { ...fromRow(row), run };
}

/** Reads the requests of a job. One round trip. Throws if they are gone. */
export async function loadRequests(owner: string, id: string): Promise<RequestOfJob[]> {
  const bytes = await files.get(toFile(owner, id, requestsFile));
  if (!bytes) throw new Error('The requests of the job are gone');
  return JSON.parse(Buffer.from(bytes).toString());
}

/** Reads the present answers of a job. One concurrent round trip per earlier run. Throws if one is gone. */
export async function loadAnswers(owner: string, { id, parts }: StoredJob): Promise<AnswerLine[]> {
  const loadPart = async (name: string) => {
    const bytes = await files.get(toFile(owner, id, name));
    if (!bytes) throw new Error('Answers of the job are gone');
    return readLines(Buffer.from(bytes).toString());
  };
  return (await Promise.all(parts.map(loadPart))).flat();
}

/**
 * Stores the new answers of a run and gives the job another turn. Returns false if the job is gone, or belongs to another run. One round
 * trip to S3, one to the table.
 */
export async function continueLater(
  owner: string,
  { id, run }: ClaimedJob,
  answers: readonly AnswerLine[],
): Promise<boolean> {
  const name = `part-${run}.jsonl`;
  if (answers.length > 0) await files.put(toFile(owner, id, name), Buffer.from(writeLines(answers)));
  const { succeeded, failed } = countAnswers(answers);
  const update: Write = {
    Update: {
      Key: toJobKey(owner, id),
      UpdateExpression:
        'SET parts = list_append(parts, :parts), due = :due REMOVE claimed_until, runs ADD succeeded :succeeded, failed :failed',
      ConditionExpression: 'run = :run',
      ExpressionAttributeValues: {
        ':parts': answers.length > 0 ? [name] : [],
        ':due': toNextDue(owner).due,
        ':succeeded': succeeded,
        ':failed': failed,
        ':run': run,
      },
    },
  };
  return writeIf(update, buildTurnWrite(owner, id));
}

/**
 * Stores all answers of a job as one file and ends it, in one transaction with the extra writes. Returns false if the job is gone, or belongs
 * to another run. One round trip to S3, one to the table.
 */
export async function end(
  owner: string,
  { id, run }: ClaimedJob,
  answers: readonly AnswerLine[],
  extraWrites: Write[],
): Promise<boolean> {
  await files.put(toFile(owner, id, answersFile), Buffer.from(writeLines(answers)));
  const { succeeded, failed } = countAnswers(answers);
  const update: Write = {
    Update: {
      Key: toJobKey(owner, id),
      UpdateExpression: `SET ended_at = :ended, succeeded = :succeeded, failed = :failed ${clearDue.clause}, claimed_until`,
      ConditionExpression: 'run = :run',
      ExpressionAttributeNames: clearDue.names,
      ExpressionAttributeValues: {
        ':ended': new Date().toISOString(),
        ':succeeded': succeeded,
        ':failed': failed,
        ':run': run,
      },
    },
  };
  return writeIf(update, ...extraWrites);
}

/** Returns an address that gives anybody the answers of a job for 15 minutes. No round trip: it is only signed. */
export const createAnswersUrl = (owner: string, id: string): Promise<string> =>
  getSignedUrl(
    files.client,
    new GetObjectCommand({
      Bucket: files.Bucket,
      Key: toFile(owner, id, answersFile),
      ResponseContentType: 'application/jsonl',
      ResponseContentDisposition: `attachment; filename="${id}.jsonl"`,
    }),
    { expiresIn: answersUrlSeconds },
  );
