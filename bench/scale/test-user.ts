import { v7 as uuidv7 } from 'uuid';
import { generateSecret, hashSecret } from '../../shared/domain/api-key.ts';
import { toUserKey } from '../../shared/store/table/keys.ts';

/** Number of resources of each kind that a user has. */
export interface ResourceCounts {
  assistants: number;
  knowledgeBases: number;
  credentials: number;
  /** At most 100, the limit of the service. */
  apiKeys: number;
  sessions: number;
  /** May exceed the limit of the service, which counts those that it has created. */
  webhooks: number;
}

/** User with the ids of their resources, in order of creation. */
export interface TestUser {
  sub: string;
  owner: string;
  assistants: string[];
  knowledgeBases: string[];
  /** Service of each credential, in the order of the list. */
  services: string[];
  apiKeys: { id: string; secret: string; hash: string }[];
  sessions: string[];
  /** The first one has a delivery of each session. */
  webhooks: string[];
}

const dayMs = 86_400_000;

/** Default number of days with calls. `/chat` reads one count per day. */
const defaultDays = 365;

/** Builds ids in order of creation, spread evenly over the last `days` days. */
function buildIds(count: number, days: number): string[] {
  const first = Date.now() - days * dayMs;
  const made = (n: number) => first + (n % days) * dayMs + Math.floor(n / days) * 100;
  return Array.from({ length: count }, (_, n) => uuidv7({ msecs: made(n) })).sort();
}

/** Builds a user with the given number of resources, without writing any rows. API keys have the prefix of `environment`. */
export function buildTestUser(
  { issuer, environment }: { issuer: string; environment: string },
  sub: string,
  counts: ResourceCounts,
  days = defaultDays,
): TestUser {
  const repeat = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
  return {
    sub,
    owner: toUserKey(issuer, sub),
    assistants: buildIds(counts.assistants, days),
    knowledgeBases: buildIds(counts.knowledgeBases, days),
    services: repeat(counts.credentials, (n) => `vendor-${String(n).padStart(6, '0')}`),
    apiKeys: repeat(counts.apiKeys, () => {
      const secret = generateSecret(environment);
      return { id: uuidv7(), secret, hash: hashSecret(secret) };
    }),
    sessions: buildIds(counts.sessions, days),
    webhooks: buildIds(counts.webhooks, days),
  };
}
