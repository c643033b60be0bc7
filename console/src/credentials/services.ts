import { normalizeService } from '../../../shared/domain/credential.ts';
import { catalogue, type VendorUse } from '../../../shared/openapi/vendors.ts';
import type { Credential } from '../api/types.ts';

const uses = Object.keys(catalogue) as VendorUse[];

/** Names of the known services. Others are valid too. */
export const knownServices: string[] = [...new Set(uses.flatMap((use) => Object.keys(catalogue[use])))].toSorted();

/** Lists the uses of a service; empty if it is unknown. */
export const listUses = (service: string): VendorUse[] => uses.filter((use) => Object.hasOwn(catalogue[use], service));

/** Normalizes the name of a service, as the API does before it stores it. */
export const toStoredService = (typed: string): string => normalizeService(typed.trim().toLowerCase());

/** Returns the credential that saving under this service and name would replace. */
export const findReplaced = (
  credentials: readonly Credential[],
  service: string,
  name: string,
): Credential | undefined =>
  credentials.find((one) => one.service_type === toStoredService(service) && one.name === name.trim());
