/** Who calls. */
export interface User {
  /** The `sub` of the token. */
  id: string;
  /** The user's partition in the table: a hash of issuer and `sub`, safe in any key. */
  key: string;
  tokenType: 'jwt' | 'api_key';
  /** RFC 3339; null of a key that does not expire. */
  expiresAt: string | null;
  scopes: string[];
  /** The client that sent the token in its own name, where no person did. */
  client?: string;
  /** The id of the API key that was sent in place of a token. */
  keyId?: string;
}
