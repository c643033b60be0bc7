import { checkPrecondition, toLiveEtag } from '../../shared/domain/etag.ts';
import { changeLive, listShares, toLive } from '../../shared/domain/versions/versions.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { live } from '../../shared/routes/versions.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as assistants from '../../shared/store/assistants.ts';
import * as store from '../../shared/store/versions/versions.ts';

/** Makes versions live: the next calls get them. */
export const handler = jsonEndpoint(live, async ({ params, body, ifMatch, user, tell }) => {
  const id = params.assistant_id;
  const shares = listShares(body);
  return assistants.updateVersions(user.key, id, async (current) => {
    checkPrecondition({ revisions: ifMatch.liveRevisions }, current.versions.live_revision);
    const numbers = shares.map(({ version }) => version);
    const versions = changeLive(current.versions, shares, await store.getMany(user.key, id, numbers), user);
    const shown = toLive(versions);
    return {
      versions,
      extraWrites:
        versions === current.versions ? [] : [tell('assistant.live_changed', id, { versions: shown?.versions ?? [] })],
      result: {
        body: toEnvelope('Live versions changed', { live: shown }),
        etag: toLiveEtag(versions.live_revision, shown),
      },
    };
  });
});
