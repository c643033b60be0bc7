import { documentOf } from '../../shared/domain/document.ts';
import { answerWith, newKnowledgeBase } from '../../shared/domain/knowledge-base.ts';
import { multipartEndpoint } from '../../shared/endpoint.ts';
import { createAttached } from '../../shared/routes/knowledge-bases.ts';
import * as attachments from '../../shared/store/attachments.ts';
import { withUpload } from '../../shared/store/uploads.ts';

/** Stores a document of the caller, and attaches it to an assistant of the caller: both or neither. */
export const handler = multipartEndpoint(createAttached, async ({ params, body, user, once }) => {
  const document = await documentOf(body);
  const knowledgeBase = newKnowledgeBase(document, params.assistant_id);
  const answer = answerWith(knowledgeBase);
  await withUpload(user.key, knowledgeBase.id, body.file.bytes, () =>
    attachments.insertAttached(user.key, params.assistant_id, knowledgeBase, once(answer)),
  );
  return answer;
});
