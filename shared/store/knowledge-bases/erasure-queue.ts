import { env } from '../../env.ts';
import { sendMessages } from '../send-messages.ts';
import { type FileEvent, type KnowledgeBaseRef, toWriteId } from './uploads.ts';

const queueUrl = env('ERASURE_QUEUE_URL');

/** Queues a deletion to complete, with the S3 event of its marker, after the owner's others. One round trip. Throws if SQS rejects it. */
export async function enqueueErasure(erasure: KnowledgeBaseRef, detail: FileEvent): Promise<void> {
  const MessageDeduplicationId = toWriteId(erasure, detail); // each marker may be of another request, and all are needed
  const [error] = await sendMessages(queueUrl, [{ detail, MessageGroupId: erasure.owner, MessageDeduplicationId }]);
  if (error) throw error;
}
