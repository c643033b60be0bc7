import { hash } from 'node:crypto';
import { Conflict, type Fault, Invalid, NotFound } from '../../errors.ts';
import type { AssistantContent } from '../../schemas/assistant.ts';
import type { Live, LiveChange, Share } from '../../schemas/live.ts';
import type { Publication, Version } from '../../schemas/version.ts';
import type { User } from '../../user.ts';
import type { StoredAssistant } from '../assistant.ts';
import { toSortedJson } from './changes.ts';
import { computeDigest, getContent } from './content.ts';

/** Maximum number of versions of an assistant. */
export const maxVersions = 200;

/** Versions of an assistant: how many there are, and those that calls get. */
export interface Versions {
  /** Number of the version that was published last, 0 if none was. It is never used again. */
  last: number;
  count: number;
  /** Null while calls get the draft. */
  live: StoredLive | null;
  /** Starts at 1. Every change of `live` increments it. */
  live_revision: number;
}

/** A live version with its digest. After an import, another version may have its number, but not its digest. */
export interface StoredShare extends Share {
  digest: string;
}

interface StoredLive extends Live {
  /** The newest first. */
  versions: StoredShare[];
}

/** Versions of an assistant that was never published. */
export const noVersions: Versions = { last: 0, count: 0, live: null, live_revision: 1 };

/** A version without what it holds. */
export interface VersionFacts {
  version: number;
  note: string | null;
  digest: string;
  /** Ids of the knowledge bases that were attached. */
  attached: string[];
  published_by: string;
  created_at: string;
}

/** A stored version. It never changes. */
export interface StoredVersion extends VersionFacts {
  content: AssistantContent;
}

/** Converts the live versions to their API representation. The order of fields is fixed, since an equal ETag promises equal bytes. */
export const toLive = ({ live }: Versions): Live | null =>
  live && {
    versions: live.versions.map(({ version, weight }) => ({ version, weight })),
    since: live.since,
    changed_by: live.changed_by,
  };

/** True if the draft differs from what calls get: from the newest live version. */
export const hasUnpublishedChanges = (assistant: AssistantContent & { versions: Versions }): boolean => {
  const { live } = assistant.versions;
  return live !== null && live.versions[0]?.digest !== computeDigest(assistant);
};

/** Finds a version among those that calls get. */
export const findShare = ({ live }: Versions, version: number): StoredShare | undefined =>
  live?.versions.find((share) => share.version === version);

const getWeight = (versions: Versions, version: number): number => findShare(versions, version)?.weight ?? 0;

/** Converts a version to its API representation, without what it holds. */
export const toPublicVersion = (stored: VersionFacts, versions: Versions): Version => ({
  version: stored.version,
  note: stored.note,
  weight: getWeight(versions, stored.version),
  attached_knowledge_base_ids: stored.attached,
  published_by: stored.published_by,
  created_at: stored.created_at,
});

/** Makes versions live. Changes nothing if they are. The newest comes first. */
function setLive(versions: Versions, shares: readonly StoredShare[], user: User): Versions {
  const sorted = shares.toSorted((a, b) => b.version - a.version);
  if (toSortedJson(sorted) === toSortedJson(versions.live?.versions ?? [])) return versions;
  const since = new Date().toISOString();
  const live = sorted.length === 0 ? null : { versions: sorted, since, changed_by: user.sub };
  return { ...versions, live, live_revision: versions.live_revision + 1 };
}

/** A publication: its version, and the versions of the assistant with it. */
export interface Published {
  version: VersionFacts;
  /** The version, if it is to be stored. */
  added: StoredVersion | undefined;
  versions: Versions;
}

/**
 * Makes a version of the draft. If the draft equals the last version, that one is taken. Throws Conflict if there are 200
 * versions.
 */
export function publishDraft(
  draft: StoredAssistant,
  last: VersionFacts | undefined,
  { note, live }: Publication,
  user: User,
): Published {
  const digest = computeDigest(draft);
  const { versions } = draft;
  const setShare = (next: Versions, version: number) =>
    live ? setLive(next, [{ version, weight: 100, digest }], user) : next;
  if (last?.digest === digest) return { version: last, added: undefined, versions: setShare(versions, last.version) };
  if (versions.count >= maxVersions)
    throw new Conflict(['body'], `An assistant may have at most ${maxVersions} versions: delete one`);
  const number = versions.last + 1;
  const added = buildVersion(draft, number, digest, note ?? null, user);
  const next = { ...versions, last: number, count: versions.count + 1 };
  return { version: added, added, versions: setShare(next, number) };
}

const buildVersion = (
  draft: StoredAssistant,
  version: number,
  digest: string,
  note: string | null,
  { sub }: User,
): StoredVersion => ({
  version,
  note,
  content: getContent(draft),
  digest,
  attached: Object.keys(draft.attachments).toSorted(),
  published_by: sub,
  created_at: new Date().toISOString(),
});

/** Returns the shares that a change asks for. Throws Invalid unless it names either one version or several. */
export function listShares({ version, versions }: LiveChange): Share[] {
  if ((version === undefined) === (versions === undefined)) {
    const msg = 'Send either "version", or "versions" with a weight each';
    const fault: Fault = { loc: ['body'], msg, type: 'missing_version' };
    throw new Invalid([fault]);
  }
  return versions ?? [{ version: version ?? 0, weight: 100 }];
}

/** Makes versions live. `found` are those that exist. Throws Conflict if one of them does not. */
export function changeLive(
  versions: Versions,
  shares: readonly Share[],
  found: readonly VersionFacts[],
  user: User,
): Versions {
  const stored = shares.map((share) => {
    const digest = found.find(({ version }) => version === share.version)?.digest;
    if (digest !== undefined) return { ...share, digest };
    throw new Conflict(['body'], `There is no version ${share.version}: list the versions, then try again`);
  });
  return setLive(versions, stored, user);
}

/** Returns the versions without one of them. Throws Conflict if it is live. */
export function dropVersion(versions: Versions, version: number): Versions {
  if (getWeight(versions, version) > 0)
    throw new Conflict(['path', 'version'], 'This version is live: make another one live, then delete it');
  return { ...versions, count: versions.count - 1 };
}

export const versionNotFound = (...loc: string[]) => new NotFound(loc, 'This assistant has no such version');

/**
 * Chooses the version that a call gets, by its room: the same room gets the same. A room with the newest version keeps it while the
 * weight of that one grows. Without a room, the heaviest. Undefined for the draft.
 */
export function chooseVersion(
  { live }: Versions,
  assistantId: string,
  room: string | undefined,
): StoredShare | undefined {
  if (!live) return undefined;
  if (room === undefined) return live.versions.toSorted((a, b) => b.weight - a.weight)[0];
  let point = hash('sha256', `${assistantId}\0${room}`, 'buffer').readUInt32BE() % 100;
  return live.versions.find(({ weight }) => {
    point -= weight;
    return point < 0;
  });
}
