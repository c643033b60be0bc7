import { v7 as uuidv7 } from 'uuid';
import { hashOf, secretFor } from '../../shared/domain/api-key.ts';
import { userKey } from '../../shared/store/keys.ts';

/** How much somebody has of each thing. */
export interface Portion {
  assistants: number;
  knowledgeBases: number;
  credentials: number;
  /** At most 100, as the service has it. */
  apiKeys: number;
  sessions: number;
}

/** Somebody, and how requests ask for what they have; ids are in the order in which things were made. */
export interface Person {
  sub: string;
  owner: string;
  assistants: string[];
  knowledgeBases: string[];
  /** A service for each credential, in the order of the list. */
  services: string[];
  apiKeys: { id: string; secret: string; hash: string }[];
  sessions: string[];
}

const dayMs = 86_400_000;

/** For how many days somebody has had calls, unless it is said: `/chat` reads a count for each of them. */
const usualDays = 365;

/** Ids of so many things, one made after another, and the same number on each day until now. */
function idsOf(count: number, days: number): string[] {
  const first = Date.now() - days * dayMs;
  const made = (n: number) => first + (n % days) * dayMs + Math.floor(n / days) * 100;
  return Array.from({ length: count }, (_, n) => uuidv7({ msecs: made(n) })).sort();
}

/** Somebody who has a portion of everything, as yet on paper. `environment` is that of the API keys' secrets. */
export function personOf(
  { issuer, environment }: { issuer: string; environment: string },
  sub: string,
  portion: Portion,
  days = usualDays,
): Person {
  const some = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
  return {
    sub,
    owner: userKey(issuer, sub),
    assistants: idsOf(portion.assistants, days),
    knowledgeBases: idsOf(portion.knowledgeBases, days),
    services: some(portion.credentials, (n) => `vendor-${String(n).padStart(6, '0')}`),
    apiKeys: some(portion.apiKeys, () => {
      const secret = secretFor(environment);
      return { id: uuidv7(), secret, hash: hashOf(secret) };
    }),
    sessions: idsOf(portion.sessions, days),
  };
}
