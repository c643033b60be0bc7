import { v7 as uuidv7 } from 'uuid';
import type { Credential, NewCredential } from '../schemas/credential.ts';

/** Other spellings of service names. */
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

/** Returns the name under which a service is stored. */
export const normalizeService = (serviceType: string): string =>
  Object.hasOwn(aliases, serviceType) ? (aliases[serviceType] ?? serviceType) : serviceType;

/** Masks a key except for its last four characters, or completely if it has eight or fewer. */
const maskKey = (apiKey: string) => `****${[...apiKey].length > 8 ? [...apiKey].slice(-4).join('') : ''}`;

/**
 * Builds the record of a saved credential, keeping id and name of the existing one. The key is stored separately,
 * encrypted.
 */
export function toSavedCredential(
  existing: Credential | undefined,
  { service_type, name, api_key }: NewCredential,
): Credential {
  const now = new Date().toISOString();
  return {
    id: existing?.id ?? uuidv7(),
    service_type: normalizeService(service_type),
    name: existing?.name ?? name ?? 'default',
    masked_key: maskKey(api_key),
    created_at: existing?.created_at ?? now,
    updated_at: now,
  };
}
