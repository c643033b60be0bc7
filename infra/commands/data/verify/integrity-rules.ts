import { hasExpired } from '../../../../shared/domain/api-key.ts';
import { duePartitions, parseDueTime } from '../../../../shared/domain/due.ts';
import { getIdTime } from '../../../../shared/domain/time-id.ts';
import { usageSums } from '../../../../shared/domain/usage.ts';
import { noVersions, type Versions } from '../../../../shared/domain/versions/versions.ts';
import { eventTypes } from '../../../../shared/events.ts';
import { isInFolder, toObjectKey } from '../../../../shared/store/files/folders.ts';
import { type Key, toCountKey } from '../../../../shared/store/table/keys.ts';
import type { Kind } from '../deployment/kinds.ts';
import type { RowSummary, UserInventory } from './inventory.ts';

/** Row or file that matches a rule, by its key or path. */
export interface Finding {
  rule: string;
  where: string;
}

/** Clock of a check. */
export interface Clock {
  /** Milliseconds since 1970. */
  now: number;
  /** Age up to which rows and files may be in use, in milliseconds. */
  graceMs: number;
}

/** Returns the lookups that the rules need. */
function createView({ owner, rows, files }: UserInventory, { now, graceMs }: Clock) {
  const all = (kind: Kind) => rows.get(kind) ?? [];
  const index = (kind: Kind, name: string) => new Map(all(kind).map((row) => [row[name] as string, row]));
  const isExpired = (row: RowSummary) => row.expires_at !== undefined && Number(row.expires_at) * 1000 <= now;
  return {
    owner,
    files,
    index,
    all,
    kinds: [...rows.keys()],
    /**
     * Returns the rows that TTL is not about to delete: rows and files that belong to the others may already be gone.
     */
    living: (kind: Kind) => all(kind).filter((row) => !isExpired(row)),
    isPast: (time: unknown) => Date.parse(String(time)) + graceMs <= now,
    /** Returns the files of a folder that are older than the grace period. */
    settled: (folder: 'transcripts' | 'uploads' | 'passages' | 'erasures') =>
      [...files].flatMap(([path, modifiedAt]) =>
        isInFolder(path, folder, owner) && modifiedAt + graceMs <= now ? [path] : [],
      ),
  };
}

type View = ReturnType<typeof createView>;
type Rule = (view: View) => string[];

const listKeys = (rows: Key[]): string[] => rows.map(({ pk, sk }) => `${pk} ${sk}`);
const listAttachments = ({ attachments }: RowSummary) => Object.keys((attachments ?? {}) as object);
const getAssistants = ({ assistants }: RowSummary) => (assistants ?? new Set()) as Set<string>;
const toSet = (value: unknown) => (value ?? new Set()) as Set<string>;
const works = ({ valid_until }: RowSummary) => !hasExpired({ expires_at: (valid_until ?? null) as string | null });
const isDayUsage = ({ sk }: Key) => sk.startsWith('DAY#');
const toAssistantId = ({ sk }: Key) => sk.split('#')[1] ?? '';
const getVersions = ({ versions }: RowSummary): Versions => (versions ?? noVersions) as Versions;
const toId = (path: string) => path.split('/')[2] ?? '';

/** Kinds of rows that may wait for a time (shared/store/due.ts). */
const kindsThatWait: Kind[] = [
  'knowledge base',
  'deletion of versions',
  'webhook',
  'delivery',
  'replay',
  'job',
  'unsent event',
];

const waits = (row: RowSummary) => 'by-due' in row && 'due' in row;

/** True if a row of a kind may wait as it does: for a time of its owner, or as a delivery until its receiver recovers. */
function mayWait(owner: string, kind: Kind, { 'by-due': place, due, webhook_id }: RowSummary): boolean {
  if (kind === 'delivery' && place === webhook_id) return true;
  const time = String(due);
  const isOwn = parseDueTime(time) !== null && (!time.includes('#') || time.startsWith(`${owner}#`));
  return kindsThatWait.includes(kind) && duePartitions.includes(String(place)) && isOwn;
}

/** Rules that always hold when no request is running. */
const faultRules: Record<string, Rule> = {
  'an assistant lists a knowledge base that does not exist or does not list it': ({ all, index }) => {
    const documents = index('knowledge base', 'id');
    const knows = (id: string, one: RowSummary | undefined) => one !== undefined && getAssistants(one).has(id);
    return listKeys(
      all('assistant').filter((one) => !listAttachments(one).every((id) => knows(String(one.id), documents.get(id)))),
    );
  },
  'a knowledge base lists an assistant that does not exist or does not list it': ({ all, index }) => {
    const assistants = index('assistant', 'id');
    const has = (id: string, one: RowSummary | undefined) => one !== undefined && listAttachments(one).includes(id);
    const kept = all('knowledge base').filter(({ deleting }) => !deleting);
    return listKeys(
      kept.filter((one) => ![...getAssistants(one)].every((id) => has(String(one.id), assistants.get(id)))),
    );
  },
  'a version has no assistant, and none that was just deleted': ({ all, index }) => {
    const assistants = index('assistant', 'id');
    const deleted = new Set(all('deletion of versions').map(toAssistantId));
    const isOwned = (one: RowSummary) => assistants.has(toAssistantId(one)) || deleted.has(toAssistantId(one));
    return listKeys(all('version').filter((one) => !isOwned(one)));
  },
  'an assistant counts other versions than there are': ({ all }) => {
    const versions = Map.groupBy(all('version'), toAssistantId);
    return listKeys(
      all('assistant').filter((one) => {
        const found = versions.get(String(one.id)) ?? [];
        const { count, last } = getVersions(one);
        return found.length !== count || found.some(({ version }) => Number(version) > last);
      }),
    );
  },
  'a live version does not exist': ({ all }) => {
    const keys = new Set(all('version').map((one) => `${toAssistantId(one)} ${one.version}`));
    const exists = (id: unknown, version: number) => keys.has(`${id} ${version}`);
    return listKeys(
      all('assistant').filter(
        (one) => !(getVersions(one).live?.versions ?? []).every(({ version }) => exists(one.id, version)),
      ),
    );
  },
  'a session has no transcript': ({ living, index }) => {
    const transcripts = index('transcript', 'sk');
    return listKeys(living('session').filter(({ sk, file }) => !file && !transcripts.has(sk)));
  },
  'a transcript has no session that needs it': ({ living, index }) => {
    const sessions = index('session', 'sk');
    const isNeeded = (head: RowSummary | undefined) => head !== undefined && !head.file;
    return listKeys(living('transcript').filter(({ sk }) => !isNeeded(sessions.get(sk))));
  },
  'a call version does not match its session': ({ living, index }) => {
    const sessions = index('session', 'sk');
    const matches = (head: RowSummary | undefined, version: RowSummary) =>
      head?.telling === version.sk && head.file === version.file;
    return listKeys(living('call version').filter((one) => !matches(sessions.get(String(one.session_id)), one)));
  },
  'a session names a call version that does not exist or belongs to another session': ({ living, index }) => {
    const versions = index('call version', 'sk');
    return listKeys(
      living('session').filter(({ sk, telling }) => telling && versions.get(String(telling))?.session_id !== sk),
    );
  },
  'a day counts another number of sessions than there are': ({ owner, all, living, isPast }) => {
    // A day has up to four rows, and one more from releases until November 2026.
    const toDay = ({ sk }: Key) => sk.split('#')[1];
    const toCount = ({ sk }: RowSummary) => toCountKey(owner, sk);
    const sessionsByDay = Map.groupBy(all('session'), (head) => toDay(toCount(head)));
    const countsByDay = Map.groupBy(all('count'), toDay);
    const sum = (day: string | undefined) =>
      (countsByDay.get(day) ?? []).reduce((total, { sessions }) => total + Number(sessions), 0);
    // Sessions and counts are read one after the other, so calls that come in between differ.
    const isSettled = ({ sk, created_at }: RowSummary) => isPast(created_at ?? new Date(getIdTime(sk)).toISOString());
    const wrong = living('count').filter((count) => {
      const sessions = sessionsByDay.get(toDay(count)) ?? [];
      return sum(toDay(count)) !== sessions.length && sessions.every(isSettled);
    });
    const uncounted = living('session').filter((head) => !countsByDay.has(toDay(toCount(head))));
    return [...listKeys(wrong), ...new Set(listKeys(uncounted.map(toCount)))];
  },
  "a day's usage differs from the sum of its assistants": ({ all }) => {
    const [days, versions] = [all('usage').filter(isDayUsage), all('usage').filter((row) => !isDayUsage(row))];
    const toDay = ({ sk }: Key) => sk.split('#')[1] ?? '';
    // Sums beyond 2^53 are read as BigInt.
    const toSums = (rows: RowSummary[]) =>
      usageSums.map((name) => rows.reduce((sum, row) => sum + BigInt((row[name] ?? 0) as number | bigint), 0n)).join();
    const versionsByDay = Map.groupBy(versions, toDay);
    const daysByDay = Map.groupBy(days, toDay);
    const wrong = [...new Set([...versionsByDay.keys(), ...daysByDay.keys()])].filter(
      (day) => toSums(daysByDay.get(day) ?? []) !== toSums(versionsByDay.get(day) ?? []),
    );
    return listKeys(wrong.flatMap((day) => [...(daysByDay.get(day) ?? []), ...(versionsByDay.get(day) ?? [])]));
  },
  "an API key is missing from its user's list or differs from it": ({ all, living, index }) => {
    const listed = index('listed API key', 'hash');
    const keys = new Set([...living('API key'), ...all('API key').filter(works)]); // its row's TTL does not stop a key
    return listKeys(
      [...keys].filter((key) => {
        const listing = listed.get(String(key.hash));
        return listing?.valid_until !== key.valid_until || !listing?.sk.endsWith(String(key.id));
      }),
    );
  },
  "a user's list names an API key that does not exist": ({ living, index }) => {
    const keys = index('API key', 'hash');
    return listKeys(living('listed API key').filter(({ hash }) => !keys.has(String(hash))));
  },
  'a user has more valid API keys than are counted': ({ all }) => {
    const working = all('listed API key').filter(works);
    return listKeys(all('API key count').filter((count) => working.length > Number(count.living)));
  },
  'a row names a file that is missing': ({ files, living }) => {
    const named = [
      ...living('session'),
      ...living('job'),
      ...living('knowledge base').filter(({ deleting }) => !deleting),
    ];
    return listKeys(named.filter(({ namedFiles }) => !namedFiles.every((path) => files.has(path))));
  },
  'a document was uploaded but not parsed in time': ({ all, isPast }) =>
    listKeys(
      all('knowledge base').filter(
        ({ status, sha256, deadline, deleting }) =>
          !deleting && status === 'processing' && sha256 !== null && isPast(deadline),
      ),
    ),
  'a knowledge base waits for a time, but is not processing': ({ all, isPast }) =>
    listKeys(
      all('knowledge base').filter(
        ({ due, status, deleting }) =>
          due !== undefined && (status !== 'processing' || deleting) && isPast(parseDueTime(String(due))),
      ),
    ),
  'a row waits in a place or for a time that is not its own': ({ owner, kinds, all }) =>
    kinds.flatMap((kind) => listKeys(all(kind).filter((row) => waits(row) && !mayWait(owner, kind, row)))),
  'the deletion of a knowledge base has not completed': ({ owner, files, all, settled }) => {
    const announced = new Set(settled('erasures'));
    const isInProgress = (id: string) => files.has(id) && !announced.has(id);
    return listKeys(
      all('knowledge base').filter(
        ({ id, deleting }) => deleting && !isInProgress(toObjectKey('erasures', owner, String(id))),
      ),
    );
  },
  'a deletion was announced for a knowledge base that is not being deleted': ({ index, settled }) => {
    const documents = index('knowledge base', 'id');
    return settled('erasures').filter((path) => !documents.get(toId(path))?.deleting);
  },
  'a document has no record': ({ index, settled }) => {
    const documents = index('knowledge base', 'id');
    return settled('uploads').filter((path) => !documents.has(toId(path)));
  },
  'a delivery is pending and does not wait, or waits and is not pending': ({ living }) =>
    listKeys(living('delivery').filter((one) => (one.status === 'pending') !== waits(one))),
  'a delivery waits for a receiver that does not rest and that nobody looks after': ({ living, index }) => {
    const webhooks = index('webhook', 'id');
    return listKeys(
      living('delivery').filter((one) => {
        const webhook = webhooks.get(String(one.webhook_id));
        return one['by-due'] === one.webhook_id && webhook !== undefined && !('by-due' in webhook);
      }),
    );
  },
  'the set of webhooks differs from the webhooks that there are': ({ all }) => {
    const ids = all('webhook').map(({ id }) => String(id));
    return listKeys(all('webhook set').filter((one) => new Set(ids).symmetricDifference(toSet(one.ids)).size > 0));
  },
  'a row has the key of an earlier release: run npm run move': ({ all }) => listKeys(all('unmoved')),
  'an event has a type that the service does not write': ({ all }) =>
    listKeys(all('event').filter(({ type }) => !Object.hasOwn(eventTypes, String(type)))),
  'a row is not one that the service writes': ({ all }) => listKeys(all('other')),
};

/** Leftovers that are allowed by design (docs/data-model.md), and only cost storage. */
const leftoverRules: Record<string, Rule> = {
  'a transcript that no session names': ({ all, settled }) => {
    const named = new Set(all('session').flatMap(({ namedFiles }) => namedFiles));
    return settled('transcripts').filter((path) => !named.has(path));
  },
  'a search index that no record names': ({ all, settled }) => {
    const named = new Set(all('knowledge base').flatMap(({ namedFiles }) => namedFiles));
    return settled('passages').filter((path) => !named.has(path));
  },
  'a record of a document that was never uploaded': ({ all, isPast }) =>
    listKeys(
      all('knowledge base').filter(
        ({ status, status_reason, sha256, deadline }) =>
          sha256 === null &&
          ((status === 'processing' && isPast(deadline)) ||
            (status_reason as { type?: string } | null)?.type === 'upload_missing'),
      ),
    ),
};

/** Returns the findings, and one for each rule that a damaged row keeps from being checked. */
function applyRules(rules: Record<string, Rule>, view: View): { found: Finding[]; unchecked: Finding[] } {
  const [found, unchecked]: [Finding[], Finding[]] = [[], []];
  for (const [rule, apply] of Object.entries(rules)) {
    try {
      for (const where of apply(view)) found.push({ rule, where });
    } catch (error) {
      const { name } = error as Error;
      unchecked.push({ rule: `a row is so damaged that this cannot be checked: ${rule} (${name})`, where: view.owner });
    }
  }
  return { found, unchecked };
}

/** Returns the broken rules of a user, judged by rows and files alone, and the rules that cannot be checked. */
export function findFaults(inventory: UserInventory, clock: Clock): Finding[] {
  const view = createView(inventory, clock);
  const { found, unchecked } = applyRules(faultRules, view);
  return [...found, ...unchecked, ...applyRules(leftoverRules, view).unchecked];
}

/** Returns the leftovers of a user. */
export const findLeftovers = (inventory: UserInventory, clock: Clock): Finding[] =>
  applyRules(leftoverRules, createView(inventory, clock)).found;
