import { failures } from '../shared/domain/read-result.ts';
import { parseDocument } from '../shared/parser/parse.ts';
import { queueFunction } from '../shared/queue-function.ts';
import * as documents from '../shared/store/documents.ts';
import { NotAwaited } from '../shared/store/knowledge-bases.ts';

/** How often reading is tried. The message comes more often (infra/ingestion.ts): what killed us each time can then be told. */
const maxAttempts = 3;

/** Reads a document that has arrived. Whatever it is, its record says in the end that it is ready, or why it failed. */
export const handler = queueFunction('ingest', async ({ detail, attempt, deadline }) => {
  const document = await documents.awaited(detail, attempt >= maxAttempts);
  if (!document) return { outcome: 'not awaited' };
  if (attempt > maxAttempts) return documents.finish(document, { reason: failures.too_complex });
  try {
    const taken = await documents.take(document);
    const result =
      typeof taken === 'string'
        ? { reason: failures[taken] }
        : await parseDocument(taken, document.knowledgeBase, deadline);
    return await documents.finish(document, result);
  } catch (error) {
    const isLast = attempt === maxAttempts && !(error instanceof NotAwaited);
    if (isLast) await documents.finish(document, { reason: failures.internal });
    throw error;
  }
});
