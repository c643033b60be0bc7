import { failureReasons } from '../shared/domain/ingestion-result.ts';
import { parseDocument } from '../shared/parser/parse.ts';
import * as documents from '../shared/store/knowledge-bases/documents.ts';
import { NotAwaited } from '../shared/store/knowledge-bases/knowledge-bases.ts';
import { toOcrLanguages } from '../shared/store/knowledge-bases/ocr-languages.ts';
import { createQueueHandler } from '../shared/triggers/queue.ts';

/**
 * Maximum number of attempts to parse a document. The queue delivers once more, to report those that crashed or that Lambda throttled
 * (infra/stacks/ingestion.ts).
 */
const maxAttempts = 3;

/** Parses an uploaded document. Its record always ends as ready, or as failed with a reason. */
export const handler = createQueueHandler('ingest', async ({ detail, attempt, deadline, requestId }) => {
  const document = await documents.findPending(detail, attempt >= maxAttempts);
  if (!document) return { outcome: 'not awaited' };
  if (attempt > maxAttempts) return documents.finish(document, { reason: failureReasons.internal }, requestId);
  try {
    const { file_name, content_type, languages } = document.knowledgeBase;
    const loaded = await documents.loadBytes(document);
    const result =
      typeof loaded === 'string'
        ? { reason: failureReasons[loaded] }
        : await parseDocument(loaded, { file_name, content_type, languages: toOcrLanguages(languages) }, deadline);
    return await documents.finish(document, result, requestId);
  } catch (error) {
    const isLast = attempt === maxAttempts && !(error instanceof NotAwaited);
    if (isLast) await documents.finish(document, { reason: failureReasons.internal }, requestId);
    throw error;
  }
});
