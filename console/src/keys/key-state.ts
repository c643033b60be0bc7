import type { ApiKey } from '../api/types.ts';

/** Whether a key is good. `replaced`: it was rotated, and is good for its grace alone. Revoked keys are not listed. */
export type KeyState = 'active' | 'replaced' | 'expired';

/** How a key stands at a moment. */
export function stateOf({ expires_at, replaced_by }: ApiKey, now: Date): KeyState {
  if (expires_at !== null && Date.parse(expires_at) <= now.getTime()) return 'expired';
  return replaced_by === null ? 'active' : 'replaced';
}
