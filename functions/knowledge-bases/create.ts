import { documentOf } from '../../shared/domain/document.ts';
import { answerWith, newKnowledgeBase } from '../../shared/domain/knowledge-base.ts';
import { multipartEndpoint } from '../../shared/endpoint.ts';
import { create } from '../../shared/routes/knowledge-bases.ts';
import * as knowledgeBases from '../../shared/store/knowledge-bases.ts';
import { withUpload } from '../../shared/store/uploads.ts';

/** Stores a document of the caller. Its arrival in the bucket has it read. */
export const handler = multipartEndpoint(create, async ({ body, user, once }) => {
  const knowledgeBase = newKnowledgeBase(await documentOf(body));
  const answer = answerWith(knowledgeBase);
  await withUpload(user.key, knowledgeBase.id, body.file.bytes, () =>
    knowledgeBases.insert(user.key, knowledgeBase, once(answer)),
  );
  return answer;
});
