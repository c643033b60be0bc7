import { answerWith } from '../../shared/domain/assistant.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { get } from '../../shared/routes/assistants.ts';
import * as assistants from '../../shared/store/assistants.ts';
import * as attachments from '../../shared/store/attachments.ts';

/** Reads one assistant of the caller; another user's cannot even be addressed. */
export const handler = endpoint(get, async ({ params, user }) => {
  const assistant = await assistants.get(user.key, params.assistant_id);
  return answerWith(assistant, user, await attachments.shownOf(user.key, assistant));
});
