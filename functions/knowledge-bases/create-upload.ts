import { formSeconds, newKnowledgeBase, shownKnowledgeBase } from '../../shared/domain/knowledge-base.ts';
import { jsonEndpoint } from '../../shared/endpoint.ts';
import { createUpload } from '../../shared/routes/knowledge-bases.ts';
import { envelope } from '../../shared/schemas/common.ts';
import * as knowledgeBases from '../../shared/store/knowledge-bases.ts';
import { formFor } from '../../shared/store/upload-form.ts';

/** Makes a record of a document that is to come, and the form by which it goes straight to S3. */
export const handler = jsonEndpoint(createUpload, async ({ body, user, once }) => {
  const knowledgeBase = newKnowledgeBase({ ...body, sha256: null });
  const expires_at = new Date(Date.now() + formSeconds * 1000).toISOString();
  const upload = { ...(await formFor(user.key, knowledgeBase.id, body.size_bytes)), expires_at };
  const data = { knowledge_base: shownKnowledgeBase(knowledgeBase), upload };
  const answer = { body: envelope('Upload the file', data), created: `/assistants/knowledge-base/${knowledgeBase.id}` };
  await knowledgeBases.insert(user.key, knowledgeBase, once(answer));
  return answer;
});
