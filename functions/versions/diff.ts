import { compareContents } from '../../shared/domain/versions/content.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { diff } from '../../shared/routes/versions.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import { readVersion } from '../../shared/store/versions/read-version.ts';
import * as store from '../../shared/store/versions/versions.ts';

/** Returns the newest version before another, or of all. */
async function findBefore(owner: string, id: string, version: number | null) {
  const facts = await store.findNewest(owner, id, version === null ? undefined : String(version));
  return facts && store.find(owner, id, facts.version);
}

/** Lists what a version changes against another, or else against the one before it. */
export const handler = endpoint(diff, async ({ params, query, user }) => {
  const id = params.assistant_id;
  const { against } = query;
  const [version, named] = await Promise.all([
    readVersion(user.key, id, { reference: params.version, loc: ['path', 'version'] }),
    against === undefined ? undefined : readVersion(user.key, id, { reference: against, loc: ['query', 'against'] }),
  ]);
  const other = named ?? (await findBefore(user.key, id, version.version));
  const changes = other ? compareContents(other.content, version.content) : [];
  const data = { version: version.version, against: other?.version ?? null, changes };
  return { body: toEnvelope('Versions compared', data) };
});
