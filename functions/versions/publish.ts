import { checkPrecondition } from '../../shared/domain/etag.ts';
import { publishDraft, toLive, toPublicVersion } from '../../shared/domain/versions/versions.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { publish } from '../../shared/routes/versions.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as assistants from '../../shared/store/assistants.ts';
import * as store from '../../shared/store/versions/versions.ts';

/** Makes a version of the draft, and makes it live unless the body says otherwise. */
export const handler = jsonEndpoint(publish, async ({ params, body, ifMatch, user, tell, rememberResult, replay }) => {
  await replay();
  const id = params.assistant_id;
  return assistants.updateVersions(user.key, id, async (draft) => {
    checkPrecondition(ifMatch, draft.revision);
    const last = await store.findNewest(user.key, id);
    const { version, added, versions } = publishDraft(draft, last, body, user);
    const number = version.version;
    const result = {
      body: toEnvelope('Version published', toPublicVersion(version, versions)),
      created: `/assistants/${id}/versions/${number}`,
    };
    const extraWrites = [
      ...(added
        ? [
            store.buildVersionWrite(user.key, id, added),
            tell('assistant.published', id, { version: number, revision: draft.revision }),
          ]
        : []),
      ...(versions.live !== draft.versions.live
        ? [tell('assistant.live_changed', id, { versions: toLive(versions)?.versions ?? [] })]
        : []),
      ...rememberResult(result),
    ];
    return { versions, extraWrites, result };
  });
});
