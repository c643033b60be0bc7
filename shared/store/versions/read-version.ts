import type { ResolvedVersion } from '../../domain/versions/resolved.ts';
import { chooseVersion, findShare, versionNotFound } from '../../domain/versions/versions.ts';
import { Unavailable } from '../../errors.ts';
import type { VersionReference } from '../../schemas/version.ts';
import * as assistants from '../assistants.ts';
import * as store from './versions.ts';

/** A version as a request names it. */
interface Wanted {
  reference: VersionReference;
  /** Room of the call, which chooses among the live versions. */
  room?: string | undefined;
  /** Location of the version in the request. */
  loc: string[];
  /** Location of the assistant in the request, unless it is in the path. */
  assistantLoc?: string[] | undefined;
}

/**
 * Reads a version of an assistant: by its number, the live one, or the draft. Two round trips, one for the draft and for a live version
 * that this function has read before. Throws NotFound, or Unavailable if a live version cannot be read: nothing else may take its place.
 */
export async function readVersion(
  owner: string,
  assistantId: string,
  { reference, room, loc, assistantLoc }: Wanted,
): Promise<ResolvedVersion> {
  const assistant = await assistants.get(owner, assistantId, assistantLoc);
  const { versions } = assistant;
  const number = typeof reference === 'number' ? reference : undefined;
  const share = number === undefined ? chooseVersion(versions, assistantId, room) : findShare(versions, number);
  if (reference === 'draft' || (reference === 'live' && !share))
    return { assistant, reference, version: null, stored: undefined, content: assistant };
  const stored = share
    ? await store.findLive(owner, assistantId, share)
    : await store.find(owner, assistantId, Number(number));
  if (!stored) throw share ? new Unavailable() : versionNotFound(...loc);
  return { assistant, reference, version: stored.version, stored, content: stored.content };
}
