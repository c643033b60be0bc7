import type { StoredAssistant } from '../domain/assistant.ts';
import { type LiveKitProject, parseProject, toLiveKitError, toLiveKitLease } from '../domain/web-call.ts';
import { findCredentials } from '../store/credentials/leases.ts';
import { type FoundLeases, type LeaseCaller, openLeases } from './open-leases.ts';

/** Finds an assistant's credential of LiveKit. One round trip. Throws VendorRefused if the assistant has none. */
export async function findLiveKit(owner: string, assistant: StoredAssistant): Promise<FoundLeases> {
  const leases = [toLiveKitLease(assistant)];
  const found = await findCredentials(
    owner,
    leases.map(({ lookup }) => lookup),
  );
  const [credential] = found;
  if (typeof credential === 'string') throw toLiveKitError(credential);
  return { leases, found };
}

/**
 * Decrypts a credential of LiveKit, and records its use. Two concurrent round trips, one of them to KMS. Throws VendorRefused if it cannot be
 * used.
 */
export async function openLiveKit(
  caller: LeaseCaller,
  assistant: StoredAssistant,
  leases: FoundLeases,
): Promise<LiveKitProject> {
  const [project] = await openLeases(caller, assistant.id, leases, 'used');
  if (typeof project !== 'object') throw toLiveKitError(project ?? 'missing');
  return parseProject(project.api_key);
}
