import { toVersionResult } from '../../shared/domain/versions/resolved.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { get } from '../../shared/routes/versions.ts';
import { readVersion } from '../../shared/store/versions/read-version.ts';

/** Returns a version with all that it holds: by its number, the live one, or the draft. */
export const handler = endpoint(get, async ({ params, user }) => {
  const wanted = { reference: params.version, loc: ['path', 'version'] };
  return toVersionResult(await readVersion(user.key, params.assistant_id, wanted));
});
