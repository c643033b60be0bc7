import { createHash, randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { clientId, type LocalIssuer } from './issuer.ts';

/** An authorization request of a signed-in user. */
export interface AuthorizationRequest {
  sub: string;
  /** Other claims of the access token. */
  claims: JWTPayload;
  /** Scopes, separated by spaces. */
  scope: string;
  nonce: string | undefined;
  /** PKCE code challenge (RFC 7636): the SHA-256 of a secret of the requesting page, in base64url. */
  challenge: string;
  redirectUri: string;
}

/** Lifetimes in seconds. Those of tokens equal Cognito's, as set in infra/stacks/identity.ts. */
const lifetime = { code: 60, access: 3600, refresh: 86_400 };

/** Maximum number of codes. */
const maxCodes = 1_000;

/** An error of the token endpoint (RFC 6749, section 5.2). */
export class OAuthError extends Error {}

/** Creates the functions that issue and revoke codes and tokens. */
export function createGrants(issuer: LocalIssuer) {
  const codes = new Map<string, AuthorizationRequest & { expiresAt: number }>();
  /** Ids of revoked refresh tokens. */
  const revoked = new Set<unknown>();

  /** Creates a code that can be exchanged once, within a minute. */
  function createCode(sought: AuthorizationRequest): string {
    for (const [oldest, { expiresAt }] of codes) {
      if (expiresAt > Date.now() && codes.size < maxCodes) break;
      codes.delete(oldest);
    }
    const code = randomUUID();
    codes.set(code, { ...sought, expiresAt: Date.now() + lifetime.code * 1000 });
    return code;
  }

  async function createTokens({
    sub,
    claims,
    scope,
    nonce,
  }: Pick<AuthorizationRequest, 'sub' | 'claims' | 'scope' | 'nonce'>) {
    const ttl = lifetime.access;
    const [access_token, id_token] = await Promise.all([
      issuer.token({ sub, ttl, scope, claims }),
      issuer.sign({ aud: clientId, token_use: 'id', preferred_username: sub, ...(nonce && { nonce }) }, { sub, ttl }),
    ]);
    return { access_token, id_token, token_type: 'Bearer', expires_in: ttl, scope };
  }

  /** Exchanges a code for tokens, including a refresh token. */
  async function exchange(form: URLSearchParams) {
    const code = form.get('code') ?? '';
    const sought = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const holds =
      sought &&
      sought.expiresAt > Date.now() &&
      sought.challenge === challenge &&
      sought.redirectUri === form.get('redirect_uri');
    if (!holds) throw new OAuthError('invalid_grant');
    const { sub, scope, claims } = sought;
    const refresh_token = await issuer.sign(
      { token_use: 'refresh', scope, claims, jti: randomUUID() },
      { sub, ttl: lifetime.refresh },
    );
    return { ...(await createTokens(sought)), refresh_token };
  }

  /** Returns new tokens for a refresh token. As with Cognito, the refresh token and its expiry stay the same. */
  async function refresh(form: URLSearchParams) {
    const token = form.get('refresh_token') ?? '';
    const claims = await issuer.verify(token).catch(() => {
      throw new OAuthError('invalid_grant');
    });
    if (claims.token_use !== 'refresh' || revoked.has(claims.jti)) throw new OAuthError('invalid_grant');
    const { sub, scope } = claims;
    return createTokens({
      sub: String(sub),
      claims: claims.claims as JWTPayload,
      scope: String(scope),
      nonce: undefined,
    });
  }

  /** Handles a request to the token endpoint (RFC 6749, section 3.2). Throws OAuthError. */
  async function grant(form: URLSearchParams): Promise<object> {
    if (form.get('client_id') !== clientId) throw new OAuthError('invalid_client');
    const type = form.get('grant_type');
    if (type === 'authorization_code') return exchange(form);
    if (type === 'refresh_token') return refresh(form);
    throw new OAuthError('unsupported_grant_type');
  }

  /** Handles a request to the revocation endpoint (RFC 7009). Ignores invalid tokens. Revocations are lost when the host stops. */
  async function revoke(form: URLSearchParams): Promise<void> {
    const claims = await issuer.verify(form.get('token') ?? '').catch(() => undefined);
    if (claims?.token_use === 'refresh') revoked.add(claims.jti);
  }

  return { createCode, grant, revoke };
}
