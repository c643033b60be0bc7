import { store } from '../../infra/data/bucket.ts';
import { pathOf } from '../../shared/store/folders.ts';
import { type Person, type Portion, personOf } from './person.ts';
import { rowsOf } from './rows.ts';
import { putRows } from './seed.ts';
import type { Filling, Specimen } from './specimen.ts';

/** How many users there are, what each of them has, and what the two have who have most. */
export interface Size {
  users: number;
  each: Portion;
  builder: Portion;
  callCentre: Portion;
  /** On how many days the calls of somebody were. */
  days?: number;
}

/** So many times the least: at a hundred times, 1,000 users with 100 assistants each, 10,000 assistants of one and 100,000 sessions of another. */
export const sizeOf = (times: number): Size => ({
  users: 10 * times,
  each: { assistants: 100, knowledgeBases: 5, credentials: 3, apiKeys: 1, sessions: 20 },
  builder: {
    assistants: 100 * times,
    knowledgeBases: 100 * times,
    credentials: 100 * times,
    apiKeys: 90, // there are never more than 100
    sessions: 0,
  },
  callCentre: { assistants: 1, knowledgeBases: 0, credentials: 0, apiKeys: 0, sessions: 1_000 * times },
});

/** The two who have most, and how they are known to the service. */
export interface World {
  builder: Person & { token: string };
  callCentre: Person & { token: string };
  /** How many rows there are in all. */
  rows: number;
}

/** The vendors whose keys the specimen's assistant needs. */
const vendors = ['cartesia', 'openai', 'deepgram'];

export interface WorldProps extends Filling {
  specimen: Specimen;
  size: Size;
  /** Hears how many rows there are by now. */
  tell?(count: number): void;
}

/** Fills a table, with users whose names begin with `name`. */
export async function worldIn(
  { place, specimen, size, tokenFor, ask, tell = () => {} }: WorldProps,
  name = 'user',
): Promise<World> {
  const { issuer } = place;
  const { environment } = specimen;
  const person = (sub: string, portion: Portion) => personOf({ issuer, environment }, sub, portion, size.days);
  const known = async (one: Person) => ({ ...one, token: await tokenFor(one.sub) });
  const builder = await known(person(`${name}-builder`, size.builder));
  const callCentre = await known(person(`${name}-call-centre`, size.callCentre));
  const others = Array.from({ length: size.users }, (_, n) => person(`${name}-${n}`, size.each));
  const rows = function* () {
    for (const one of [builder, callCentre, ...others]) yield* rowsOf(specimen, one);
  };
  const count = await putRows(place, rows(), tell);

  // The first of both is for the search, and nothing else is done with them.
  const [assistant_id = ''] = builder.assistants;
  const [knowledge_base_id = ''] = builder.knowledgeBases;
  await store(place, pathOf('passages', builder.owner, knowledge_base_id), specimen.passages);
  await ask('knowledge-bases/attach', builder.token, { params: { assistant_id, knowledge_base_id } });
  for (const service_type of vendors) await ask('credentials/upsert', builder.token, { fields: { service_type } });
  return { builder, callCentre, rows: count };
}
