import { randomInt, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';

/** Audience of local tokens, in place of the user pool's client id. */
export const clientId = 'local-client';

interface IssuerFile {
  /** Port of the issuer. It must never change, because it is part of the issuer's URL and so of every owner key. */
  port: number;
  privateKey: JWK & { kid: string };
}

/** User and lifetime of a token. */
interface TokenSubject {
  sub: string;
  /** Lifetime in seconds. Negative for a token that has already expired. */
  ttl: number;
}

export interface TokenRequest extends TokenSubject {
  scope?: string | undefined;
  /** Other claims, for example of a workspace. */
  claims?: JWTPayload;
}

/** The token issuer of a data folder. It generates its key on first use, and the key never leaves the machine. */
export class LocalIssuer {
  readonly #file: IssuerFile;

  private constructor(file: IssuerFile) {
    this.#file = file;
  }

  static async open(dataDir: string): Promise<LocalIssuer> {
    const path = join(dataDir, 'issuer.json');
    if (!existsSync(path)) {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      const { privateKey } = await generateKeyPair('RS256', { extractable: true });
      const jwk = await exportJWK(privateKey);
      const kid = await calculateJwkThumbprint(jwk);
      // Chosen below the ephemeral ports of all systems.
      const file: IssuerFile = { port: randomInt(20_000, 32_000), privateKey: { ...jwk, kid } };
      writeFileSync(path, JSON.stringify(file), { mode: 0o600 });
    }
    return new LocalIssuer(JSON.parse(readFileSync(path, 'utf8')));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#file.port}`;
  }

  get publicKey(): JWK {
    const { kty, n, e, kid } = this.#file.privateKey;
    return { kty, n, e, kid, alg: 'RS256', use: 'sig' } as JWK;
  }

  /** Creates an access token like Cognito's. */
  async token({ scope, claims, ...bearer }: TokenRequest): Promise<string> {
    return this.sign({ token_use: 'access', client_id: clientId, ...(scope && { scope }), ...claims }, bearer);
  }

  /** Signs a token with any claims. */
  async sign(claims: JWTPayload, { sub, ttl }: TokenSubject): Promise<string> {
    const { privateKey } = this.#file;
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: privateKey.kid })
      .setIssuer(this.url)
      .setSubject(sub)
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + ttl)
      .sign(await importJWK(privateKey, 'RS256'));
  }

  /** Verifies a token and returns its claims. Throws JOSEError if another issuer signed it, or if it has expired. */
  async verify(token: string): Promise<JWTPayload> {
    const key = await importJWK(this.publicKey, 'RS256');
    return (await jwtVerify(token, key, { issuer: this.url, algorithms: ['RS256'] })).payload;
  }
}
