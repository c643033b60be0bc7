import { applyUpdate, toAssistantResult, toUpdateData } from '../../shared/domain/assistant.ts';
import { checkPrecondition } from '../../shared/domain/etag.ts';
import { checkTools } from '../../shared/domain/tools/check.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { checkToolUrls } from '../../shared/outbound/check-url.ts';
import { update } from '../../shared/routes/assistants.ts';
import * as assistants from '../../shared/store/assistants.ts';
import * as attachments from '../../shared/store/knowledge-bases/attachments.ts';

/** Updates the fields in the body. Without `If-Match`, concurrent updates of different fields are all kept. */
export const handler = jsonEndpoint(update, async ({ params, body, ifMatch, user, tell }) => {
  checkToolUrls(body);
  let undeclared: string[] = [];
  const assistant = await assistants.update(
    user.key,
    params.assistant_id,
    async (current) => {
      checkPrecondition(ifMatch, current.revision);
      const next = applyUpdate(current, body);
      undeclared = await checkTools(next);
      return next;
    },
    (current, next) => [tell('assistant.updated', next.id, toUpdateData(current, next))],
  );
  return { ...toAssistantResult(assistant, user, await attachments.listAttached(user.key, assistant)), undeclared };
});
