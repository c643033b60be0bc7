import type { LookupFailure } from '../domain/credential-lookup.ts';
import { type Lease, toLeaseAudit, toLeaseData } from '../domain/runtime-config.ts';
import type { EventData } from '../events.ts';
import type { EncryptedCredential } from '../store/credentials/credentials.ts';
import { type DecryptedCredential, decryptCredentials } from '../store/credentials/leases.ts';
import type { EventWrite } from '../store/journal.ts';
import * as journal from '../store/journal.ts';
import type { Asker } from './asker.ts';

/** Caller of a lease: the owner of the keys, with its audit log and events. */
export interface LeaseCaller extends Pick<Asker, 'owner' | 'audit'> {
  tell(type: 'credential.leased', subjectId: string, data: EventData<'credential.leased'>): EventWrite;
}

/** Leases of an assistant, and the credential of each, still encrypted, or the reason why it has none. */
export interface FoundLeases {
  leases: Lease[];
  found: (EncryptedCredential | LookupFailure)[];
}

/**
 * Decrypts the keys of leases, and records them in the journal and the audit log: as `handed over` to a worker, or `used` by the service.
 * Two concurrent round trips, one of them to KMS.
 */
export async function openLeases(
  { owner, tell, audit }: LeaseCaller,
  assistantId: string,
  { leases, found }: FoundLeases,
  done: 'handed over' | 'used',
): Promise<(DecryptedCredential | LookupFailure)[]> {
  const leased = tell('credential.leased', assistantId, toLeaseData(assistantId, leases, found));
  const [opened] = await Promise.all([decryptCredentials(owner, found), journal.record(leased)]);
  for (const facts of toLeaseAudit(leases, found, opened, done)) audit('lease', { assistant: assistantId, ...facts });
  return opened;
}
