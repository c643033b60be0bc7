import { setImmediate as endOfTurn } from 'node:timers/promises';
import {
  type BatchResultErrorEntry,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { env } from '../../env.ts';
import { toMessageGroup } from '../message-group.ts';
import { clientOptions, tryAwsCall } from '../table/aws-call.ts';
import type { KnowledgeBaseRef } from './uploads.ts';

const QueueUrl = env('READING_QUEUE_URL');
const client = new SQSClient({ ...clientOptions, useQueueUrlAsEndpoint: false });

/** Maximum number of an owner's documents that are parsed concurrently. */
const lanesPerOwner = Number(env('READING_LANES'));

/** Fields of an S3 event that the queue uses. */
interface ObjectCreated {
  reason?: string;
  object?: { sequencer?: string };
}

/**
 * Returns the deduplication id of a document's message. A client can submit an upload form repeatedly, so all its files
 * share an id. Other files are written by the service, like those of an import, and get an id per S3 event.
 */
const toDeduplicationId = (id: string, { reason, object }: ObjectCreated): string =>
  reason === 'POST Object' ? id : `${id}-${object?.sequencer}`;

/** Messages of one request. */
interface Batch {
  /** Entries by message group and deduplication id. */
  entries: Map<string, SendMessageBatchRequestEntry>;
  /** Rejected entries by id. The promise rejects if the whole request fails. */
  failures: Promise<Map<string | undefined, BatchResultErrorEntry>>;
}

/** Batch that documents join until the end of this turn of the event loop. */
let batch: Batch | undefined;

function openBatch(): Batch {
  const entries: Batch['entries'] = new Map();
  const failures = endOfTurn().then(async () => {
    batch = undefined;
    const Entries = [...entries.values()];
    const { Failed = [] } = await tryAwsCall(() => client.send(new SendMessageBatchCommand({ QueueUrl, Entries })));
    return new Map(Failed.map((failure) => [failure.Id, failure]));
  });
  return { entries, failures };
}

/**
 * Queues a document for parsing, with its S3 event. Up to ten documents that are queued together share one round trip.
 * Documents with the same deduplication id share one message, and the queue drops duplicates for five minutes. The
 * parser uses the file that is stored by then. Throws if SQS rejects the message.
 */
export async function enqueueDocument(upload: KnowledgeBaseRef, detail: ObjectCreated): Promise<void> {
  batch ??= openBatch();
  const { entries, failures } = batch;
  const MessageGroupId = toMessageGroup(upload.owner, upload.id, lanesPerOwner);
  const MessageDeduplicationId = toDeduplicationId(upload.id, detail);
  const key = `${MessageGroupId} ${MessageDeduplicationId}`;
  const entry = entries.get(key) ?? {
    Id: String(entries.size),
    MessageBody: JSON.stringify({ detail }),
    MessageGroupId,
    MessageDeduplicationId,
  };
  entries.set(key, entry);
  const failure = (await failures).get(entry.Id);
  if (failure) throw new Error(`SQS refused the message: ${failure.Code} ${failure.Message}`);
}
