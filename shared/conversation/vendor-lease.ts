import type { StoredAssistant } from '../domain/assistant.ts';
import { findVendor, type Vendor } from '../domain/chat/vendors.ts';
import { type LookupFailure, lookupFailures, toCredentialLookup } from '../domain/credential-lookup.ts';
import { findKeyFault, type Lease, toLeaseAudit, toLeaseData } from '../domain/runtime-config.ts';
import { VendorRefused } from '../errors.ts';
import { checkModel, findBedrock } from '../store/bedrock.ts';
import type { EncryptedCredential } from '../store/credentials/credentials.ts';
import { decryptCredentials, findCredentials } from '../store/credentials/leases.ts';
import * as journal from '../store/journal.ts';
import type { Asker } from './asker.ts';
import type { VendorAccess } from './vendor.ts';

/** The vendor of an assistant's language model, with its credential, still encrypted. */
export interface VendorLease {
  vendor: Vendor;
  leases: Lease[];
  /** Credential of the lease, or the reason why it has none. */
  found: (EncryptedCredential | LookupFailure)[];
}

/** Reasons for having no key that do not matter where none is needed. */
const harmless: readonly LookupFailure[] = ['missing', 'no_service'];

/** Throws VendorRefused if there is no key, unless the vendor needs none and the assistant names none. */
function checkKey(found: unknown, { needsKey }: Vendor, { credential }: StoredAssistant['llm']): void {
  if (typeof found !== 'string' || !Object.hasOwn(lookupFailures, found)) return;
  const failure = found as LookupFailure;
  const isNamed = credential !== undefined && credential !== null;
  if (needsKey || isNamed || !harmless.includes(failure)) throw new VendorRefused(lookupFailures[failure], failure);
}

/** Finds the vendor of an assistant's language model, and its credential. One round trip. Throws VendorRefused if it cannot be asked. */
export async function findVendorLease(owner: string, assistant: StoredAssistant): Promise<VendorLease> {
  const vendor = findVendor(assistant.llm) ?? findBedrock(assistant.llm);
  if (!vendor) {
    const { llm_provider } = assistant.llm;
    const msg = `No address is known for the provider ${llm_provider}: set llm.base_url to one that speaks OpenAI's Chat Completions`;
    throw new VendorRefused(msg, 'unknown_vendor');
  }
  const lookup = toCredentialLookup(assistant, 'llm');
  const found = await findCredentials(owner, [lookup]);
  checkKey(found[0], vendor, assistant.llm);
  if (vendor.usesRole && typeof found[0] === 'string') checkModel(assistant.llm.model);
  return { vendor, leases: [{ role: 'llm', lookup }], found };
}

/** Decrypts the key of a vendor. One round trip to KMS. Throws VendorRefused if that fails. */
async function openKey(owner: string, { vendor, found }: VendorLease): Promise<VendorAccess> {
  const [opened] = await decryptCredentials(owner, found);
  if (typeof opened === 'string' && opened !== found[0]) throw new VendorRefused(lookupFailures[opened], opened);
  const apiKey = typeof opened === 'object' ? opened.api_key : undefined;
  const fault = apiKey === undefined ? undefined : findKeyFault(apiKey);
  if (fault) throw new VendorRefused(fault.msg, fault.type);
  return { ...vendor, apiKey };
}

/**
 * Decrypts the key of a vendor, and records its use in the journal and the log. Two concurrent round trips, one of them to KMS. Throws VendorRefused if
 * the key cannot be used.
 */
export async function openVendorLease(
  { owner, tell, audit }: Asker,
  assistantId: string,
  lease: VendorLease,
): Promise<VendorAccess> {
  const { leases, found } = lease;
  const leased = tell('credential.leased', assistantId, toLeaseData(assistantId, leases, found));
  const [access] = await Promise.all([openKey(owner, lease), journal.record(leased)]);
  for (const facts of toLeaseAudit(leases, found, found, 'used')) audit('lease', { assistant: assistantId, ...facts });
  return access;
}
