import { env } from '../../env.ts';
import { sendMessages } from '../send-messages.ts';
import type { KnowledgeBaseRef } from './uploads.ts';

const queueUrl = env('ERASURE_QUEUE_URL');

/** S3 event of a deletion marker. */
interface MarkerCreated {
  object?: { sequencer?: string };
}

/** Queues a deletion to complete, with the S3 event of its marker, after the owner's others. One round trip. Throws if SQS rejects it. */
export async function enqueueErasure({ owner, id }: KnowledgeBaseRef, detail: MarkerCreated): Promise<void> {
  const MessageDeduplicationId = `${id}-${detail.object?.sequencer}`; // each marker may be of another request, and all are needed
  const [rejection] = await sendMessages(queueUrl, [{ detail, MessageGroupId: owner, MessageDeduplicationId }]);
  if (rejection !== undefined) throw new Error(`SQS rejected the message: ${rejection}`);
}
