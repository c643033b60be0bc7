import { toNewDocument } from '../../shared/domain/document.ts';
import { buildKnowledgeBase, toCreatedResult, toDocumentData } from '../../shared/domain/knowledge-base.ts';
import { multipartEndpoint } from '../../shared/http/endpoint.ts';
import { create } from '../../shared/routes/knowledge-bases.ts';
import * as knowledgeBases from '../../shared/store/knowledge-bases/knowledge-bases.ts';
import { toChosenLanguages } from '../../shared/store/knowledge-bases/ocr-languages.ts';
import { storeUpload } from '../../shared/store/knowledge-bases/uploads.ts';

/** Stores a document of the caller as a knowledge base. Its S3 event starts the ingestion. */
export const handler = multipartEndpoint(create, async ({ body, user, tell, count, rememberResult }) => {
  const knowledgeBase = buildKnowledgeBase(
    user.id,
    await toNewDocument(body, toChosenLanguages(body.languages?.split(','))),
  );
  const result = toCreatedResult(knowledgeBase);
  const created = tell('knowledge_base.created', knowledgeBase.id, toDocumentData(knowledgeBase));
  await count();
  await storeUpload(user.key, knowledgeBase.id, body.file.bytes, () =>
    knowledgeBases.insert(user.key, knowledgeBase, [created, ...rememberResult(result)]),
  );
  return result;
});
