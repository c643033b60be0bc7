import { dropVersion } from '../../shared/domain/versions/versions.ts';
import { writeEndpoint } from '../../shared/http/endpoint.ts';
import { remove } from '../../shared/routes/versions.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as assistants from '../../shared/store/assistants.ts';
import * as store from '../../shared/store/versions/versions.ts';

/** Deletes a version that is not live. */
export const handler = writeEndpoint(remove, async ({ params, user, tell }) => {
  const { assistant_id: id, version } = params;
  return assistants.updateVersions(user.key, id, async ({ versions }) => ({
    versions: dropVersion(versions, version),
    extraWrites: [
      store.buildVersionDeletion(user.key, id, version),
      tell('assistant.version_deleted', id, { version }),
    ],
    result: { body: toEnvelope('Version deleted', { assistant_id: id, version }) },
  }));
});
