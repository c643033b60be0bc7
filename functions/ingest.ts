import { failures, readDocument } from '../shared/domain/reading.ts';
import { queueFunction } from '../shared/queue-function.ts';
import * as documents from '../shared/store/documents.ts';
import { NotAwaited } from '../shared/store/knowledge-bases.ts';

/** How often a message comes before it is given up (infra/ingestion.ts). */
const maxAttempts = 3;

/** Reads a document that has arrived. Whatever it is, its record says in the end that it is ready, or why it failed. */
export const handler = queueFunction('ingest', async ({ detail, attempt, deadline }) => {
  const document = await documents.awaited(detail);
  if (!document) return { outcome: 'not awaited' };
  try {
    const taken = await documents.take(document);
    const result =
      typeof taken === 'string'
        ? { reason: failures[taken] }
        : await readDocument(taken, document.knowledgeBase, deadline);
    return await documents.finish(document, result);
  } catch (error) {
    const isLast = attempt >= maxAttempts && !(error instanceof NotAwaited);
    if (isLast) await documents.finish(document, { reason: failures.internal });
    throw error;
  }
});
