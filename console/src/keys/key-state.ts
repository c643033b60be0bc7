import type { ApiKey } from '../api/types.ts';

/** State of a key. `replaced` means rotated, and valid for its grace period only. Revoked keys are not listed. */
export type KeyState = 'active' | 'replaced' | 'expired';

/** Returns the state of a key at a time. */
export function getKeyState({ expires_at, replaced_by }: ApiKey, now: Date): KeyState {
  if (expires_at !== null && Date.parse(expires_at) <= now.getTime()) return 'expired';
  return replaced_by === null ? 'active' : 'replaced';
}
