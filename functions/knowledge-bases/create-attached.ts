import { toNewDocument } from '../../shared/domain/document.ts';
import { buildKnowledgeBase, toCreatedResult, toDocumentData } from '../../shared/domain/knowledge-base.ts';
import { multipartEndpoint } from '../../shared/http/endpoint.ts';
import { createAttached } from '../../shared/routes/knowledge-bases.ts';
import * as attachments from '../../shared/store/knowledge-bases/attachments.ts';
import { toChosenLanguages } from '../../shared/store/knowledge-bases/ocr-languages.ts';
import { storeUpload } from '../../shared/store/knowledge-bases/uploads.ts';

/** Stores a document as a knowledge base and attaches it to an assistant of the caller, atomically. */
export const handler = multipartEndpoint(
  createAttached,
  async ({ params, body, user, tell, count, rememberResult }) => {
    const document = await toNewDocument(body, toChosenLanguages(body.languages?.split(',')));
    const knowledgeBase = buildKnowledgeBase(user.id, document, params.assistant_id);
    const result = toCreatedResult(knowledgeBase);
    const created = tell('knowledge_base.created', knowledgeBase.id, toDocumentData(knowledgeBase));
    await count();
    await storeUpload(user.key, knowledgeBase.id, body.file.bytes, () =>
      attachments.insertAttached(user.key, params.assistant_id, knowledgeBase, [created, ...rememberResult(result)]),
    );
    return result;
  },
);
