import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { Problem } from '../../problem.ts';
import type { Emulator } from './emulator.ts';

/** The audience of local tokens: stands for the user pool's client. */
export const clientId = 'local-client';

interface IssuerFile {
  /** Part of the issuer's name, which is part of every user's key: it must stay when the host starts again. */
  port: number;
  privateKey: JWK & { kid: string };
}

export interface TokenRequest {
  sub: string;
  /** Seconds; below zero for one that has expired. */
  ttl: number;
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
      mkdirSync(dataDir, { recursive: true });
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

  /** An access token as Cognito makes them. */
  async token({ sub, ttl, scope }: TokenRequest): Promise<string> {
    const { privateKey } = this.#file;
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ token_use: 'access', client_id: clientId, ...(scope && { scope }) })
      .setProtectedHeader({ alg: 'RS256', kid: privateKey.kid })
      .setIssuer(this.url)
      .setSubject(sub)
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + ttl)
      .sign(await importJWK(privateKey, 'RS256'));
  }

  /** Serves the public key and the discovery document. */
  async serve(): Promise<Emulator> {
    const { port, privateKey } = this.#file;
    const { kty, n, e, kid } = privateKey;
    const documents: Record<string, object> = {
      '/.well-known/jwks.json': { keys: [{ kty, n, e, kid, alg: 'RS256', use: 'sig' }] },
      '/.well-known/openid-configuration': { issuer: this.url, jwks_uri: `${this.url}/.well-known/jwks.json` },
    };
    const server = createServer(({ url = '' }, response) => {
      const document = documents[url];
      response
        .writeHead(document ? 200 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(document ?? {}));
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening').catch(() => {
      throw new Problem(
        `The token issuer's port ${port} is taken: stop what uses it (or another host on the same DATA_DIR)`,
      );
    });
    return {
      endpoint: this.url,
      stop: async () => {
        server.closeAllConnections();
        server.close();
      },
    };
  }
}
