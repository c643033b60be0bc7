import { serviceOf } from '../../../shared/domain/credential.ts';
import { catalogue, type Use } from '../../../shared/openapi/vendors.ts';
import type { Credential } from '../api/types.ts';

const uses = Object.keys(catalogue) as Use[];

/** The services that are known, by name. Any other is as good. */
export const knownServices: string[] = [...new Set(uses.flatMap((use) => Object.keys(catalogue[use])))].toSorted();

/** What a service is known to be for; nothing of one that is not known. */
export const usesOf = (service: string): Use[] => uses.filter((use) => Object.hasOwn(catalogue[use], service));

/** The name under which the API keeps a service, however it was typed. */
export const keptService = (typed: string): string => serviceOf(typed.trim().toLowerCase());

/** The credential that saving under this service and name would replace. */
export const replacedBy = (credentials: readonly Credential[], service: string, name: string): Credential | undefined =>
  credentials.find((one) => one.service_type === keptService(service) && one.name === name.trim());
