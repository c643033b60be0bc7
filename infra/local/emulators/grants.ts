import { createHash, randomUUID } from 'node:crypto';
import { clientId, type LocalIssuer } from './issuer.ts';

/** What a browser asks for, once it is known who sits before it. */
export interface Sought {
  sub: string;
  /** With spaces between. */
  scope: string;
  nonce: string | undefined;
  /** Base64url of the SHA-256 of a secret that only the asking page has (RFC 7636). */
  challenge: string;
  redirectUri: string;
}

/** In seconds. Those of tokens are Cognito's, as infra/identity.ts sets them. */
const lifetime = { code: 60, access: 3600, refresh: 86_400 };

/** A refusal of the token endpoint (RFC 6749, section 5.2). */
export class Refused extends Error {}

/** What the token endpoint gives, and what for. */
export function grants(issuer: LocalIssuer) {
  const codes = new Map<string, Sought & { expiresAt: number }>();
  const revoked = new Set<string>();

  /** A code that can be exchanged once, within a minute. */
  function codeFor(sought: Sought): string {
    const code = randomUUID();
    codes.set(code, { ...sought, expiresAt: Date.now() + lifetime.code * 1000 });
    return code;
  }

  async function tokens({ sub, scope, nonce }: Pick<Sought, 'sub' | 'scope' | 'nonce'>) {
    const ttl = lifetime.access;
    const [access_token, id_token] = await Promise.all([
      issuer.token({ sub, ttl, scope }),
      issuer.sign({ aud: clientId, token_use: 'id', preferred_username: sub, ...(nonce && { nonce }) }, { sub, ttl }),
    ]);
    return { access_token, id_token, token_type: 'Bearer', expires_in: ttl, scope };
  }

  /** Tokens for a code, with one by which there are more to be had. */
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
    if (!holds) throw new Refused('invalid_grant');
    const { sub, scope } = sought;
    const refresh_token = await issuer.sign({ token_use: 'refresh', scope }, { sub, ttl: lifetime.refresh });
    return { ...(await tokens(sought)), refresh_token };
  }

  /** New tokens. As with Cognito the refresh token stays the same, and so does the day on which it ends. */
  async function refresh(form: URLSearchParams) {
    const token = form.get('refresh_token') ?? '';
    const claims = await issuer.claimsOf(token).catch(() => {
      throw new Refused('invalid_grant');
    });
    if (claims.token_use !== 'refresh' || revoked.has(token)) throw new Refused('invalid_grant');
    return tokens({ sub: String(claims.sub), scope: String(claims.scope), nonce: undefined });
  }

  /** The token endpoint (RFC 6749, section 3.2). Throws Refused. */
  async function grant(form: URLSearchParams): Promise<object> {
    if (form.get('client_id') !== clientId) throw new Refused('invalid_client');
    const type = form.get('grant_type');
    if (type === 'authorization_code') return exchange(form);
    if (type === 'refresh_token') return refresh(form);
    throw new Refused('unsupported_grant_type');
  }

  /** The revocation endpoint (RFC 7009): it takes whatever it is given. What it has heard is gone when the host stops. */
  function revoke(form: URLSearchParams): void {
    const token = form.get('token');
    if (token) revoked.add(token);
  }

  return { codeFor, grant, revoke };
}
