import { answerWith, updated } from '../../shared/domain/assistant.ts';
import { demand } from '../../shared/domain/etag.ts';
import { jsonEndpoint } from '../../shared/endpoint.ts';
import { update } from '../../shared/routes/assistants.ts';
import * as assistants from '../../shared/store/assistants.ts';
import * as attachments from '../../shared/store/attachments.ts';

/** Changes what the body names. Without `If-Match`, writers of different fields all keep their change. */
export const handler = jsonEndpoint(update, async ({ params, body, ifMatch, user }) => {
  const assistant = await assistants.update(user.key, params.assistant_id, (current) => {
    demand(ifMatch, current.revision);
    return updated(current, body);
  });
  return answerWith(assistant, user, await attachments.shownOf(user.key, assistant));
});
