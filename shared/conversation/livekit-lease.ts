import type { StoredAssistant } from '../domain/assistant.ts';
import { toLeaseAudit, toLeaseData } from '../domain/runtime-config.ts';
import { type LiveKitProject, parseProject, toLiveKitError, toLiveKitLease } from '../domain/web-call.ts';
import type { EventData } from '../events.ts';
import { decryptCredentials, findCredentials } from '../store/credentials/leases.ts';
import type { EventWrite } from '../store/journal.ts';
import * as journal from '../store/journal.ts';
import type { Asker } from './asker.ts';

/** Caller of the lease: its owner, audit log and events. */
interface Caller extends Pick<Asker, 'owner' | 'audit'> {
  tell(type: 'credential.leased', subjectId: string, data: EventData<'credential.leased'>): EventWrite;
}

/** A credential of LiveKit that was found, before it is decrypted. */
interface FoundLiveKit {
  leases: ReturnType<typeof toLiveKitLease>[];
  found: Awaited<ReturnType<typeof findCredentials>>;
}

/** Finds an assistant's credential of LiveKit. One round trip. Throws VendorRefused if the assistant has none. */
export async function findLiveKit(owner: string, assistant: StoredAssistant): Promise<FoundLiveKit> {
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
 * Decrypts a credential of LiveKit, and records its use in the journal and the log. One round trip with KMS. Throws VendorRefused if it cannot be used.
 */
export async function openLiveKit(
  { owner, tell, audit }: Caller,
  assistant: StoredAssistant,
  { leases, found }: FoundLiveKit,
): Promise<LiveKitProject> {
  const leased = tell('credential.leased', assistant.id, toLeaseData(assistant.id, leases, found));
  const [opened] = await Promise.all([decryptCredentials(owner, found), journal.record(leased)]);
  for (const facts of toLeaseAudit(leases, found, opened, 'used'))
    audit('lease', { assistant: assistant.id, ...facts });
  const [project] = opened;
  if (typeof project !== 'object') throw toLiveKitError(project ?? 'missing');
  return parseProject(project.api_key);
}
