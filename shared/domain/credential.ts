import { v7 as uuidv7 } from 'uuid';
import type { Credential, NewCredential } from '../schemas/credential.ts';

/** Spellings of one vendor that are one service. */
const aliases: Record<string, string> = {
  '11labs': 'elevenlabs',
  '11-labs': 'elevenlabs',
  'eleven-labs': 'elevenlabs',
  eleven_labs: 'elevenlabs',
  'open-ai': 'openai',
  open_ai: 'openai',
  'assembly-ai': 'assemblyai',
  assembly_ai: 'assemblyai',
};

/** The name under which a service is kept. */
export const serviceOf = (serviceType: string): string =>
  Object.hasOwn(aliases, serviceType) ? (aliases[serviceType] ?? serviceType) : serviceType;

/** The last four characters of a key, none of one of eight or fewer. */
const masked = (apiKey: string) => `****${[...apiKey].length > 8 ? [...apiKey].slice(-4).join('') : ''}`;

/** A credential as it is saved: over the existing one, where there is one. Without the key, which is kept encrypted. */
export function saved(existing: Credential | undefined, { service_type, name, api_key }: NewCredential): Credential {
  const now = new Date().toISOString();
  return {
    id: existing?.id ?? uuidv7(),
    service_type: serviceOf(service_type),
    name: existing?.name ?? name ?? 'default',
    masked_key: masked(api_key),
    created_at: existing?.created_at ?? now,
    updated_at: now,
  };
}
