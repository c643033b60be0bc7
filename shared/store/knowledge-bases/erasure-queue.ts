import { env } from '../../env.ts';
import { sendMessages } from '../send-messages.ts';
import type { KnowledgeBaseRef } from './uploads.ts';

const queueUrl = env('ERASURE_QUEUE_URL');

/** Queues a deletion to complete, with the S3 event of its marker, after the owner's others. One round trip. Throws if SQS rejects it. */
export async function enqueueErasure({ owner, id }: KnowledgeBaseRef, detail: object): Promise<void> {
  const [rejection] = await sendMessages(queueUrl, [{ detail, MessageGroupId: owner, MessageDeduplicationId: id }]);
  if (rejection !== undefined) throw new Error(`SQS rejected the message: ${rejection}`);
}
