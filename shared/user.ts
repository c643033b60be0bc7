import type { AppliedLimit } from './domain/quota.ts';

/** Caller of a request: a person, or a machine client. */
export interface User {
  /** Owner of the caller's data, the `user_id` of responses: the workspace's id, or `sub` in the caller's own world. */
  id: string;
  /** Owner in the table's partition keys: a hash of issuer and id, safe in any key. */
  key: string;
  /** Subject (`sub`) of the person. A machine client acts as the user that the configuration names. An API key has its owner's id. */
  sub: string;
  tokenType: 'jwt' | 'api_key';
  /** RFC 3339. Null for a key that does not expire. */
  expiresAt: string | null;
  /** Scopes of the role in a workspace, or of the API key; otherwise those of the token. */
  scopes: readonly string[];
  /** Workspace that the caller acts in. Unset in the caller's own world. */
  workspace?: string;
  /** Role of the person in the workspace, if they have one. */
  role?: string | null;
  /** Ids of the workspaces that the caller may choose. */
  workspaces: string[];
  /** Label of the person in logs, in a workspace only: there, `key` is that of the workspace. */
  member?: string;
  /** Id of the machine client that the token was issued to. Undefined for a person. */
  client?: string;
  /** Tier of the caller. Unset without the setting `quotas`. */
  tier?: string;
  /** Limits of quotas that apply to the caller: those of the tier, and those of the API key. */
  limits: readonly AppliedLimit[];
  /** Id of the API key, if the caller sent one instead of a token. */
  keyId?: string;
}
