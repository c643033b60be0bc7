import { restoreContent, toAssistantResult, toUpdateData } from '../../shared/domain/assistant.ts';
import { checkPrecondition } from '../../shared/domain/etag.ts';
import { versionNotFound } from '../../shared/domain/versions/versions.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { restore } from '../../shared/routes/versions.ts';
import * as assistants from '../../shared/store/assistants.ts';
import * as attachments from '../../shared/store/knowledge-bases/attachments.ts';
import * as store from '../../shared/store/versions/versions.ts';

/** Copies a version into the draft. What calls get stays as it is, once a version is live. */
export const handler = jsonEndpoint(restore, async ({ params, ifMatch, user, tell }) => {
  const id = params.assistant_id;
  const assistant = await assistants.update(
    user.key,
    id,
    async (current) => {
      checkPrecondition(ifMatch, current.revision);
      const version = await store.find(user.key, id, params.version);
      if (!version) throw versionNotFound('path', 'version');
      return restoreContent(current, version.content);
    },
    (current, next) => [tell('assistant.updated', id, toUpdateData(current, next))],
  );
  return toAssistantResult(assistant, user, await attachments.listAttached(user.key, assistant));
});
