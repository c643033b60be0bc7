import { applyUpdate, listChangedFields, toAssistantResult } from '../../shared/domain/assistant.ts';
import { checkPrecondition } from '../../shared/domain/etag.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { update } from '../../shared/routes/assistants.ts';
import * as assistants from '../../shared/store/assistants.ts';
import * as attachments from '../../shared/store/knowledge-bases/attachments.ts';

/** Updates the fields in the body. Without `If-Match`, concurrent updates of different fields are all kept. */
export const handler = jsonEndpoint(update, async ({ params, body, ifMatch, user, tell }) => {
  const assistant = await assistants.update(
    user.key,
    params.assistant_id,
    (current) => {
      checkPrecondition(ifMatch, current.revision);
      return applyUpdate(current, body);
    },
    (current, next) => [
      tell('assistant.updated', next.id, {
        name: next.name,
        revision: next.revision,
        changed: listChangedFields(current, next),
      }),
    ],
  );
  return toAssistantResult(assistant, user, await attachments.listAttached(user.key, assistant));
});
