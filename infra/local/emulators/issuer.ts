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

/** The audience of local tokens: stands for the user pool's client. */
export const clientId = 'local-client';

interface IssuerFile {
  /** Part of the issuer's name, which is part of every user's key: it must stay when the host starts again. */
  port: number;
  privateKey: JWK & { kid: string };
}

/** Whom a token is for. */
interface Bearer {
  sub: string;
  /** Seconds; below zero for one that has expired. */
  ttl: number;
}

export interface TokenRequest extends Bearer {
  scope?: string | undefined;
}

/** The token issuer of a data folder. Its key is made on first use and never leaves the machine. */
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
      // Below the ports that systems hand out to outgoing connections.
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

  /** An access token as Cognito makes them. */
  async token({ scope, ...bearer }: TokenRequest): Promise<string> {
    return this.sign({ token_use: 'access', client_id: clientId, ...(scope && { scope }) }, bearer);
  }

  /** A token of whatever claims. */
  async sign(claims: JWTPayload, { sub, ttl }: Bearer): Promise<string> {
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

  /** The claims of a token that this issuer has signed. Throws JOSEError where it has not, or where the token has expired. */
  async claimsOf(token: string): Promise<JWTPayload> {
    const key = await importJWK(this.publicKey, 'RS256');
    return (await jwtVerify(token, key, { issuer: this.url, algorithms: ['RS256'] })).payload;
  }
}
