import { toAssistantResult } from '../../shared/domain/assistant.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { get } from '../../shared/routes/assistants.ts';
import * as assistants from '../../shared/store/assistants.ts';
import * as attachments from '../../shared/store/knowledge-bases/attachments.ts';

/** Returns an assistant of the caller. Keys contain the caller, so other users' assistants are unreachable. */
export const handler = endpoint(get, async ({ params, user }) => {
  const assistant = await assistants.get(user.key, params.assistant_id);
  return toAssistantResult(assistant, user, await attachments.listAttached(user.key, assistant));
});
