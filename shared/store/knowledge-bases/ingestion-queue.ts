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
import { selectDeleted } from './erasure.ts';
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

/** True if a client uploaded a document with a form. It may do so repeatedly, and after a deletion. */
const isForm = ({ reason }: ObjectCreated): boolean => reason === 'POST Object';

/**
 * Returns the deduplication id of a document's message. All files of a form share an id. Other files are written by the service, like those of
 * an import, and get an id per S3 event.
 */
const toDeduplicationId = (id: string, detail: ObjectCreated): string =>
  isForm(detail) ? id : `${id}-${detail.object?.sequencer}`;

interface Document {
  upload: KnowledgeBaseRef;
  detail: ObjectCreated;
  message: SendMessageBatchRequestEntry;
}

/** Documents that are queued together. */
interface Batch {
  /** By message group and deduplication id. */
  documents: Map<string, Document>;
  /** Rejects if the whole request fails. */
  sent: Promise<{ late: KnowledgeBaseRef[]; failures: Map<string | undefined, BatchResultErrorEntry> }>;
}

/** Batch that documents join until the end of this turn of the event loop. */
let batch: Batch | undefined;

function openBatch(): Batch {
  const documents: Batch['documents'] = new Map();
  const sent = endOfTurn().then(() => {
    batch = undefined;
    return send([...documents.values()]);
  });
  return { documents, sent };
}

/** Sends the messages of documents, except those of forms whose knowledge base is deleted. */
async function send(documents: Document[]): Batch['sent'] {
  const late = await selectDeleted(documents.filter(({ detail }) => isForm(detail)).map(({ upload }) => upload));
  const Entries = documents.filter(({ upload }) => !late.includes(upload)).map(({ message }) => message);
  if (Entries.length === 0) return { late, failures: new Map() };
  const { Failed = [] } = await tryAwsCall(() => client.send(new SendMessageBatchCommand({ QueueUrl, Entries })));
  return { late, failures: new Map(Failed.map((failure) => [failure.Id, failure])) };
}

/**
 * Queues a document for parsing, with its S3 event. Returns false if a form sent it after the deletion of its knowledge base. Up to ten
 * documents that are queued together share their two round trips. Documents with the same deduplication id share one message, and the
 * queue drops duplicates for five minutes. The parser uses the file that is stored by then. Throws if SQS rejects the message.
 */
export async function enqueueDocument(upload: KnowledgeBaseRef, detail: ObjectCreated): Promise<boolean> {
  batch ??= openBatch();
  const { documents, sent } = batch;
  const MessageGroupId = toMessageGroup(upload.owner, upload.id, lanesPerOwner);
  const MessageDeduplicationId = toDeduplicationId(upload.id, detail);
  const key = `${MessageGroupId} ${MessageDeduplicationId}`;
  const document = documents.get(key) ?? {
    upload,
    detail,
    message: {
      Id: String(documents.size),
      MessageBody: JSON.stringify({ detail }),
      MessageGroupId,
      MessageDeduplicationId,
    },
  };
  documents.set(key, document);
  const { late, failures } = await sent;
  const failure = failures.get(document.message.Id);
  if (failure) throw new Error(`SQS refused the message: ${failure.Code} ${failure.Message}`);
  return !late.includes(document.upload);
}
