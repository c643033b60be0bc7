import { answerWith, newAssistant } from '../../shared/domain/assistant.ts';
import { jsonEndpoint } from '../../shared/endpoint.ts';
import { create } from '../../shared/routes/assistants.ts';
import * as assistants from '../../shared/store/assistants.ts';
import * as attachments from '../../shared/store/attachments.ts';

/** Stores a new assistant for the caller. The id is ours; a client never chooses it. */
export const handler = jsonEndpoint(create, async ({ body, user, once }) => {
  const assistant = newAssistant(body);
  const attached = await attachments.shownOf(user.key, assistant);
  const answer = { ...answerWith(assistant, user, attached), created: `/assistants/${assistant.id}` };
  await assistants.insert(user.key, assistant, once(answer));
  return answer;
});
