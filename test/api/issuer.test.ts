import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { bundle } from '../../infra/bundle.ts';
import { FunctionRunner } from '../../infra/local/function-runner.ts';
import { deployed } from '../support/api.ts';

const audience = 'client';

/** An issuer that publishes what it is told to, or fails. */
async function issuer() {
  const state: { keys: object[]; status: number } = { keys: [], status: 200 };
  const server = createServer((_, response) =>
    response.writeHead(state.status).end(JSON.stringify({ keys: state.keys })),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = async (kid: string) => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const token = await new SignJWT({ client_id: audience })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setIssuer(url)
      .setSubject('alice')
      .setExpirationTime('1h')
      .sign(privateKey);
    return { jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }, token };
  };
  return { state, server, url, key };
}

const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-issuer-'));
writeFileSync(join(dir, 'package.json'), '{"type":"commonjs"}');
await bundle(['protected/check'], dir);
const entry = join(dir, 'protected/check/index.js');

/** The function `protected/check`, told of another issuer. */
function checker(url: string): FunctionRunner {
  const own = { ISSUER: url, AUDIENCES: audience, JWKS_URI: `${url}/keys` };
  const environment = { ...own, CORS_ORIGINS: '', ENVIRONMENT: 'test', MACHINE_CLIENTS: '{}' };
  const spec = { name: 'f', description: 'protected/check', entry, environment, memoryMb: 512, timeoutSeconds: 15 };
  return new FunctionRunner(spec, () => {});
}

const requestContext = { requestId: 'r', path: '/protected' };

describe.skipIf(deployed)('when the issuer', async () => {
  const stops: (() => unknown)[] = [];
  afterAll(async () => {
    await Promise.all(stops.map((stop) => stop()));
    rmSync(dir, { recursive: true });
  });

  async function stand() {
    const own = await issuer();
    const runner = checker(own.url);
    stops.push(
      () => runner.stop(),
      () => own.server.close(),
    );
    const status = async (token: string): Promise<number> => {
      const event = { httpMethod: 'GET', headers: { Authorization: `Bearer ${token}` }, requestContext };
      return ((await runner.invoke(event)) as { statusCode: number }).statusCode;
    };
    return { ...own, status };
  }

  it('signs by ES256, tokens pass', async () => {
    const { state, key, status } = await stand();
    const { jwk, token } = await key('one');
    state.keys = [jwk];
    expect(await status(token)).toBe(200);
  });

  it('cannot be reached, it is 503, and 200 once it can', async () => {
    const { state, key, status } = await stand();
    const { jwk, token } = await key('one');
    Object.assign(state, { keys: [jwk], status: 500 });
    expect(await status(token)).toBe(503);
    state.status = 200;
    expect(await status(token)).toBe(200);
  });

  it('publishes nonsense, it is 503 and nobody is told to sign in again', async () => {
    const { state, key, status } = await stand();
    const { token } = await key('one');
    state.keys = [{ kid: 'one' }];
    expect(await status(token)).toBe(503);
  });

  it('takes a new key, its tokens pass soon, whatever others send meanwhile', async () => {
    const { state, key, status } = await stand();
    const [one, two, junk] = [await key('one'), await key('two'), await key('junk')];
    state.keys = [one.jwk];
    expect(await status(one.token)).toBe(200);
    expect(await status(junk.token)).toBe(401);
    state.keys = [one.jwk, two.jwk];
    await sleep(1_100); // as long as unknown keys are not asked for again
    expect(await status(two.token)).toBe(200);
    expect(await status(one.token)).toBe(200);
  });
});
