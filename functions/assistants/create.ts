import { buildAssistant, toAssistantResult } from '../../shared/domain/assistant.ts';
import { checkTools } from '../../shared/domain/tools/check.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { checkToolUrls } from '../../shared/outbound/check-url.ts';
import { create } from '../../shared/routes/assistants.ts';
import * as assistants from '../../shared/store/assistants.ts';
import * as attachments from '../../shared/store/knowledge-bases/attachments.ts';

/** Creates an assistant of the caller, with a generated id. */
export const handler = jsonEndpoint(create, async ({ body, user, tell, rememberResult }) => {
  checkToolUrls(body);
  const assistant = buildAssistant(body);
  const undeclared = await checkTools(assistant);
  const attached = await attachments.listAttached(user.key, assistant);
  const result = {
    ...toAssistantResult(assistant, user, attached),
    created: `/assistants/${assistant.id}`,
    undeclared,
  };
  const { id, name, revision } = assistant;
  const created = tell('assistant.created', id, { name, revision, knowledge_base_ids: attached.map(({ id }) => id) });
  await assistants.insert(user.key, assistant, [created, ...rememberResult(result)]);
  return result;
});
