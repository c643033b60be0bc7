import { hasExpired } from '../../shared/domain/api-key.ts';
import { getSessionTime } from '../../shared/domain/session.ts';
import { pathOf } from '../../shared/store/folders.ts';
import { countKey, type Key } from '../../shared/store/keys.ts';
import type { Held, Tied } from './held.ts';
import type { Kind } from './kinds.ts';

/** Something of a user that breaks a rule, or that may lie there by design: which rule, and the key or path. */
export interface Finding {
  rule: string;
  where: string;
}

/** What rules know beside what a user holds. */
export interface Clock {
  /** Milliseconds since 1970. */
  now: number;
  /** What is younger may be under way, in milliseconds. */
  graceMs: number;
}

/** What a user holds, as the rules ask for it. */
function viewOf({ owner, rows, files }: Held, { now, graceMs }: Clock) {
  const all = (kind: Kind) => rows.get(kind) ?? [];
  const under = (kind: Kind, name: string) => new Map(all(kind).map((row) => [row[name] as string, row]));
  const isOver = (row: Tied) => row.expires_at !== undefined && Number(row.expires_at) * 1000 <= now;
  return {
    owner,
    files,
    under,
    all,
    /** Those that TTL does not delete soon: what lies beside the others may be gone already. */
    living: (kind: Kind) => all(kind).filter((row) => !isOver(row)),
    isPast: (time: unknown) => Date.parse(String(time)) + graceMs <= now,
    /** The files of a folder that are not under way. */
    settled: (folder: 'transcripts' | 'uploads' | 'passages' | 'erasures') =>
      [...files].flatMap(([path, modifiedAt]) =>
        path.startsWith(pathOf(folder, owner, '')) && modifiedAt + graceMs <= now ? [path] : [],
      ),
  };
}

type View = ReturnType<typeof viewOf>;
type Rule = (view: View) => string[];

const placesOf = (rows: Key[]): string[] => rows.map(({ pk, sk }) => `${pk} ${sk}`);
const attachedTo = ({ attachments }: Tied) => Object.keys((attachments ?? {}) as object);
const assistantsOf = ({ assistants }: Tied) => (assistants ?? new Set()) as Set<string>;
const idIn = (path: string) => path.split('/')[2] ?? '';

/** What is never so once all is quiet. */
const faults: Record<string, Rule> = {
  'an assistant has a knowledge base that is gone, or does not know of it': ({ all, under }) => {
    const documents = under('knowledge base', 'id');
    const knows = (id: string, one: Tied | undefined) => one !== undefined && assistantsOf(one).has(id);
    return placesOf(
      all('assistant').filter((one) => !attachedTo(one).every((id) => knows(String(one.id), documents.get(id)))),
    );
  },
  'a knowledge base knows of an assistant that is gone, or does not have it': ({ all, under }) => {
    const assistants = under('assistant', 'id');
    const has = (id: string, one: Tied | undefined) => one !== undefined && attachedTo(one).includes(id);
    const kept = all('knowledge base').filter(({ deleting }) => !deleting);
    return placesOf(
      kept.filter((one) => ![...assistantsOf(one)].every((id) => has(String(one.id), assistants.get(id)))),
    );
  },
  'a session has no transcript': ({ living, under }) => {
    const transcripts = under('transcript', 'sk');
    return placesOf(living('session').filter(({ sk, file }) => !file && !transcripts.has(sk)));
  },
  'a transcript has no session that needs it': ({ living, under }) => {
    const sessions = under('session', 'sk');
    const isNeeded = (head: Tied | undefined) => head !== undefined && !head.file;
    return placesOf(living('transcript').filter(({ sk }) => !isNeeded(sessions.get(sk))));
  },
  'a telling of a call is not that of its session': ({ living, under }) => {
    const sessions = under('session', 'sk');
    const isOf = (head: Tied | undefined, telling: Tied) => head?.telling === telling.sk && head.file === telling.file;
    return placesOf(living('telling').filter((one) => !isOf(sessions.get(String(one.session_id)), one)));
  },
  'a session names a telling that is gone, or is of another': ({ living, under }) => {
    const tellings = under('telling', 'sk');
    return placesOf(
      living('session').filter(({ sk, telling }) => telling && tellings.get(String(telling))?.session_id !== sk),
    );
  },
  'a day counts another number of sessions than there are': ({ owner, all, living }) => {
    const dayOf = ({ sk }: Tied) => countKey(owner, getSessionTime(sk));
    const made = Map.groupBy(all('session'), (head) => dayOf(head).sk);
    const wrong = living('count').filter(({ sk, sessions }) => sessions !== (made.get(sk)?.length ?? 0));
    const counted = new Set(all('count').map(({ sk }) => sk));
    const uncounted = living('session').filter((head) => !counted.has(dayOf(head).sk));
    return [...placesOf(wrong), ...new Set(placesOf(uncounted.map(dayOf)))];
  },
  'an API key is not in the list of its user, or otherwise': ({ living, under }) => {
    const listed = under('listed API key', 'hash');
    return placesOf(
      living('API key').filter((key) => {
        const way = listed.get(String(key.hash));
        return way?.valid_until !== key.valid_until || !way?.sk.endsWith(String(key.id));
      }),
    );
  },
  'a list names an API key that there is not': ({ living, under }) => {
    const keys = under('API key', 'hash');
    return placesOf(living('listed API key').filter(({ hash }) => !keys.has(String(hash))));
  },
  'more API keys live than are counted': ({ all }) => {
    const living = all('listed API key').filter(
      ({ valid_until }) => !hasExpired({ expires_at: valid_until as string | null }),
    );
    return placesOf(all('API key count').filter((count) => living.length > Number(count.living)));
  },
  'a row names a file that is missing': ({ files, living }) => {
    const named = [...living('session'), ...living('knowledge base').filter(({ deleting }) => !deleting)];
    return placesOf(named.filter(({ names }) => !names.every((path) => files.has(path))));
  },
  'a document came and was not read in time': ({ all, isPast }) =>
    placesOf(
      all('knowledge base').filter(
        ({ status, sha256, deadline, deleting }) =>
          !deleting && status === 'processing' && sha256 !== null && isPast(deadline),
      ),
    ),
  'a deletion of a knowledge base has not ended': ({ owner, files, all, settled }) => {
    const announced = new Set(settled('erasures'));
    const isYoung = (id: string) => files.has(id) && !announced.has(id);
    return placesOf(
      all('knowledge base').filter(({ id, deleting }) => deleting && !isYoung(pathOf('erasures', owner, String(id)))),
    );
  },
  'a deletion is announced of what is not being deleted': ({ under, settled }) => {
    const documents = under('knowledge base', 'id');
    return settled('erasures').filter((path) => !documents.get(idIn(path))?.deleting);
  },
  'a document has no record': ({ under, settled }) => {
    const documents = under('knowledge base', 'id');
    return settled('uploads').filter((path) => !documents.has(idIn(path)));
  },
  'a row lies where an earlier release kept it: run npm run move': ({ all }) => placesOf(all('unmoved')),
  'a row is none that the service writes': ({ all }) => placesOf(all('other')),
};

/** What may stay by design (docs/data-model.md), and costs its room alone. */
const leftovers: Record<string, Rule> = {
  'a transcript that no session names': ({ all, settled }) => {
    const named = new Set(all('session').flatMap(({ names }) => names));
    return settled('transcripts').filter((path) => !named.has(path));
  },
  'what was searched of a document, and no record names': ({ all, settled }) => {
    const named = new Set(all('knowledge base').flatMap(({ names }) => names));
    return settled('passages').filter((path) => !named.has(path));
  },
  'a record of a document that was announced, and never came': ({ all, isPast }) =>
    placesOf(
      all('knowledge base').filter(
        ({ status, sha256, deadline }) => status === 'processing' && sha256 === null && isPast(deadline),
      ),
    ),
};

const brokenOf = (rules: Record<string, Rule>, view: View): Finding[] =>
  Object.entries(rules).flatMap(([rule, places]) => places(view).map((where) => ({ rule, where })));

/** What of a user breaks a rule, by rows and files alone. */
export const faultsOf = (held: Held, clock: Clock): Finding[] => brokenOf(faults, viewOf(held, clock));

/** What of a user lies there for nothing. */
export const leftoversOf = (held: Held, clock: Clock): Finding[] => brokenOf(leftovers, viewOf(held, clock));
