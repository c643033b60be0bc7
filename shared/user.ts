/** Caller of a request: a person, or a machine client. */
export interface User {
  /** Subject (`sub`) of the user. A machine client acts as the user that the configuration names. */
  id: string;
  /** Owner in the table's partition keys: a hash of issuer and `sub`, safe in any key. */
  key: string;
  tokenType: 'jwt' | 'api_key';
  /** RFC 3339. Null for a key that does not expire. */
  expiresAt: string | null;
  scopes: string[];
  /** Id of the machine client that the token was issued to. Undefined for a person. */
  client?: string;
  /** Id of the API key, if the caller sent one instead of a token. */
  keyId?: string;
}
