import { setImmediate as endOfTurn } from 'node:timers/promises';
import { env } from '../../env.ts';
import { toMessageGroup } from '../message-group.ts';
import { type NewMessage, sendMessages } from '../send-messages.ts';
import { isDeleted } from './erasure.ts';
import { type FileEvent, type KnowledgeBaseRef, toWriteId } from './uploads.ts';

const queueUrl = env('READING_QUEUE_URL');

/** Maximum number of an owner's documents that are parsed concurrently. */
const lanesPerOwner = Number(env('READING_LANES'));

/** A document to queue. */
interface Entry {
  message: NewMessage;
  /** True if a form sent it after the deletion of its knowledge base. False if that is not known: `ingest` deletes late files, too. */
  isLate: Promise<boolean>;
}

/** True if a client uploaded a document with a form. It may do so repeatedly, and after a deletion. */
const isForm = ({ reason }: FileEvent): boolean => reason === 'POST Object';

/**
 * Builds the message of a document. All files of a form share a deduplication id. Other files are written by the service, before their
 * records, and get an id per S3 event.
 */
const buildMessage = (upload: KnowledgeBaseRef, detail: FileEvent): NewMessage => ({
  detail,
  MessageGroupId: toMessageGroup(upload.owner, upload.id, lanesPerOwner),
  MessageDeduplicationId: isForm(detail) ? upload.id : toWriteId(upload, detail),
});

const isSame = (one: NewMessage, other: NewMessage): boolean =>
  one.MessageGroupId === other.MessageGroupId && one.MessageDeduplicationId === other.MessageDeduplicationId;

/** Documents that are queued together. */
interface Batch {
  entries: Entry[];
  /** Errors of the entries that SQS rejected, undefined for others. Lacks those that were not sent. */
  errors: Promise<Map<Entry, Error | undefined>>;
}

/** Batch that documents join until the end of this turn of the event loop. */
let batch: Batch | undefined;

function openBatch(): Batch {
  const entries: Entry[] = [];
  const errors = endOfTurn().then(() => {
    batch = undefined;
    return send(entries);
  });
  return { entries, errors };
}

/** Sends the messages of those documents that are not late. */
async function send(entries: Entry[]): Batch['errors'] {
  const checks = await Promise.allSettled(entries.map(({ isLate }) => isLate));
  const awaited = entries.filter((_, i) => checks[i]?.status === 'fulfilled' && !checks[i].value);
  const errors = await sendMessages(
    queueUrl,
    awaited.map(({ message }) => message),
  );
  return new Map(awaited.map((entry, i) => [entry, errors[i]]));
}

/**
 * Queues a document for parsing, with its S3 event. Returns false if a form sent it after the deletion of its knowledge base, which is
 * asked for once: no owner whose reads DynamoDB throttles holds up the documents of others. Up to ten
 * documents that are queued together share a request. Documents with the same deduplication id share one message, and the queue drops
 * duplicates for five minutes. The parser uses the file that is stored by then. Two round trips, one if it is no form. Throws Unavailable,
 * and Error if SQS rejects the message.
 */
export async function enqueueDocument(upload: KnowledgeBaseRef, detail: FileEvent): Promise<boolean> {
  batch ??= openBatch();
  const { entries, errors } = batch;
  const message = buildMessage(upload, detail);
  let entry = entries.find((other) => isSame(other.message, message));
  if (!entry) {
    entry = { message, isLate: isForm(detail) ? isDeleted(upload) : Promise.resolve(false) };
    entries.push(entry);
  }
  if (await entry.isLate) return false;
  const error = (await errors).get(entry);
  if (error) throw error;
  return true;
}
