import { putFile } from '../../infra/commands/data/deployment/bucket.ts';
import { toObjectKey } from '../../shared/store/files/folders.ts';
import { copyRows } from './rows.ts';
import type { Sample, ScaleTarget } from './sample.ts';
import { putRows } from './seed.ts';
import { buildTestUser, type ResourceCounts, type TestUser } from './test-user.ts';

/** Number of users, and the resources of ordinary users and of the two largest ones. */
export interface DataSize {
  users: number;
  each: ResourceCounts;
  builder: ResourceCounts;
  callCentre: ResourceCounts;
  /** Number of days with calls. */
  days?: number;
}

/**
 * Returns a multiple of the smallest amount of data. A hundred times are 1,000 users with 100 assistants each, one user with 10,000
 * assistants, and one with 100,000 sessions.
 */
export const toDataSize = (times: number): DataSize => ({
  users: 10 * times,
  each: { assistants: 100, knowledgeBases: 5, credentials: 3, apiKeys: 1, sessions: 20, webhooks: 0 },
  builder: {
    assistants: 100 * times,
    knowledgeBases: 100 * times,
    credentials: 100 * times,
    apiKeys: 90, // there are never more than 100
    sessions: 0,
    webhooks: 0,
  },
  callCentre: { assistants: 1, knowledgeBases: 0, credentials: 0, apiKeys: 0, sessions: 1_000 * times, webhooks: 50 },
});

/** The two largest users with their tokens. */
export interface World {
  builder: TestUser & { token: string };
  callCentre: TestUser & { token: string };
  /** Total number of rows. */
  rows: number;
}

/** Vendors of the sample assistant, which needs their keys. */
const vendors = ['cartesia', 'openai', 'deepgram'];

export interface WorldProps extends ScaleTarget {
  specimen: Sample;
  size: DataSize;
  /** Called with the number of rows written. */
  onProgress?(count: number): void;
}

/** Fills a table with users. Their names start with `name`. */
export async function createWorld(
  { place, specimen, size, tokenFor, ask, onProgress = () => {} }: WorldProps,
  name = 'user',
): Promise<World> {
  const { issuer } = place;
  const { environment } = specimen;
  const buildUser = (sub: string, portion: ResourceCounts) =>
    buildTestUser({ issuer, environment }, sub, portion, size.days);
  const known = async (one: TestUser) => ({ ...one, token: await tokenFor(one.sub) });
  const builder = await known(buildUser(`${name}-builder`, size.builder));
  const callCentre = await known(buildUser(`${name}-call-centre`, size.callCentre));
  const others = Array.from({ length: size.users }, (_, n) => buildUser(`${name}-${n}`, size.each));
  const rows = function* () {
    for (const one of [builder, callCentre, ...others]) yield* copyRows(specimen, one);
  };
  const count = await putRows(place, rows(), onProgress);

  // The first assistant and knowledge base are for searches only.
  const [assistant_id = ''] = builder.assistants;
  const [knowledge_base_id = ''] = builder.knowledgeBases;
  await putFile(place, toObjectKey('passages', builder.owner, knowledge_base_id), specimen.passages);
  await ask('knowledge-bases/attach', builder.token, { params: { assistant_id, knowledge_base_id } });
  for (const service_type of vendors) await ask('credentials/upsert', builder.token, { fields: { service_type } });
  return { builder, callCentre, rows: count };
}
