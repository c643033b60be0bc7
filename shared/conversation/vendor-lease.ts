import type { StoredAssistant } from '../domain/assistant.ts';
import { findVendor, type Vendor } from '../domain/chat/vendors.ts';
import {
  type CredentialLookup,
  describeLookupFailure,
  type LookupFailure,
  lookupFailures,
  toCredentialLookup,
} from '../domain/credential-lookup.ts';
import { findKeyFault } from '../domain/runtime-config.ts';
import { VendorRefused } from '../errors.ts';
import { checkModel, findBedrock } from '../store/bedrock.ts';
import { findCredentials } from '../store/credentials/leases.ts';
import type { Asker } from './asker.ts';
import { type FoundLeases, openLeases } from './open-leases.ts';
import type { VendorAccess } from './vendor.ts';

/** The vendor of an assistant's language model, with its credential, still encrypted. */
export interface VendorLease extends FoundLeases {
  vendor: Vendor;
}

/** Reasons for having no key that do not matter where none is needed. */
const harmless: readonly LookupFailure[] = ['missing', 'no_service'];

/** Throws VendorRefused if there is no key, unless the vendor needs none and the assistant names none. */
function checkKey(
  found: unknown,
  lookup: CredentialLookup | LookupFailure,
  { needsKey }: Vendor,
  { credential }: StoredAssistant['llm'],
): void {
  if (typeof found !== 'string' || !Object.hasOwn(lookupFailures, found)) return;
  const failure = found as LookupFailure;
  const isNamed = credential !== undefined && credential !== null;
  if (needsKey || isNamed || !harmless.includes(failure))
    throw new VendorRefused(describeLookupFailure(failure, lookup), failure);
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
  checkKey(found[0], lookup, vendor, assistant.llm);
  if (vendor.usesRole && typeof found[0] === 'string') checkModel(assistant.llm.model);
  return { vendor, leases: [{ role: 'llm', lookup }], found };
}

/**
 * Decrypts the key of a vendor, and records its use. Two concurrent round trips, one of them to KMS. Throws VendorRefused if the key cannot be
 * used.
 */
export async function openVendorLease(asker: Asker, assistantId: string, lease: VendorLease): Promise<VendorAccess> {
  const { vendor, found } = lease;
  const [opened] = await openLeases(asker, assistantId, lease, 'used');
  if (typeof opened === 'string' && opened !== found[0]) throw new VendorRefused(lookupFailures[opened], opened);
  const apiKey = typeof opened === 'object' ? opened.api_key : undefined;
  const fault = apiKey === undefined ? undefined : findKeyFault(apiKey);
  if (fault) throw new VendorRefused(fault.msg, fault.type);
  return { ...vendor, apiKey };
}
