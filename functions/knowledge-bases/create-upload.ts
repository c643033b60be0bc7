import {
  buildKnowledgeBase,
  toDocumentData,
  toPublicKnowledgeBase,
  uploadFormSeconds,
} from '../../shared/domain/knowledge-base.ts';
import { getTimeIn } from '../../shared/domain/time.ts';
import { countedEndpoint } from '../../shared/http/endpoint.ts';
import { createUpload } from '../../shared/routes/knowledge-bases.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as knowledgeBases from '../../shared/store/knowledge-bases/knowledge-bases.ts';
import { toChosenLanguages } from '../../shared/store/knowledge-bases/ocr-languages.ts';
import { createUploadForm } from '../../shared/store/knowledge-bases/upload-form.ts';

/** Creates the record of a document, and a form that uploads it directly to S3. */
export const handler = countedEndpoint(createUpload, async ({ body, user, tell, count, rememberResult }) => {
  const knowledgeBase = buildKnowledgeBase(user.id, {
    ...body,
    languages: toChosenLanguages(body.languages),
    sha256: null,
  });
  const expires_at = getTimeIn(uploadFormSeconds);
  const upload = { ...(await createUploadForm(user.key, knowledgeBase.id, body)), expires_at };
  const data = { knowledge_base: toPublicKnowledgeBase(knowledgeBase), upload };
  const result = {
    body: toEnvelope('Upload the file', data),
    created: `/assistants/knowledge-base/${knowledgeBase.id}`,
  };
  const created = tell('knowledge_base.created', knowledgeBase.id, toDocumentData(knowledgeBase));
  await count();
  await knowledgeBases.insert(user.key, knowledgeBase, [created, ...rememberResult(result)]);
  return result;
});
