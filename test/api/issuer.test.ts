import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { bundleFunctions } from '../../infra/bundle/functions.ts';
import { FunctionRunner } from '../../infra/local/lambda/function-runner.ts';
import { deployed } from '../support/api.ts';

const audience = 'client';

/** Starts an issuer that publishes the keys of `state`, or fails with its status. */
async function startIssuer() {
  const state: { keys: object[]; status: number } = { keys: [], status: 200 };
  const server = createServer((_, response) =>
    response.writeHead(state.status).end(JSON.stringify({ keys: state.keys })),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const createSigningKey = async (kid: string) => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const token = await new SignJWT({ client_id: audience })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setIssuer(url)
      .setSubject('alice')
      .setExpirationTime('1h')
      .sign(privateKey);
    return { jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }, token };
  };
  return { state, server, url, createSigningKey };
}

const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-issuer-'));
writeFileSync(join(dir, 'package.json'), '{"type":"commonjs"}');
await bundleFunctions(['protected/check'], dir);
const entry = join(dir, 'protected/check/index.js');

/** Creates a runner of the function `protected/check` that trusts the issuer at `url`. */
function createChecker(url: string): FunctionRunner {
  const own = { ISSUER: url, AUDIENCES: audience, JWKS_URI: `${url}/keys` };
  const environment = { ...own, CORS_ORIGINS: '', ENVIRONMENT: 'test', MACHINE_CLIENTS: '{}' };
  const spec = { name: 'f', description: 'protected/check', entry, environment, memoryMb: 512, timeoutSeconds: 15 };
  return new FunctionRunner(spec, () => {});
}

const requestContext = { requestId: 'r', path: '/protected' };

describe.skipIf(deployed)('a token of an issuer', async () => {
  const stops: (() => unknown)[] = [];
  afterAll(async () => {
    await Promise.all(stops.map((stop) => stop()));
    rmSync(dir, { recursive: true });
  });

  async function setUp() {
    const own = await startIssuer();
    const runner = createChecker(own.url);
    stops.push(
      () => runner.stop(),
      () => own.server.close(),
    );
    const getStatus = async (token: string): Promise<number> => {
      const event = { httpMethod: 'GET', headers: { Authorization: `Bearer ${token}` }, requestContext };
      return ((await runner.invoke(event)) as { statusCode: number }).statusCode;
    };
    return { ...own, getStatus };
  }

  it('that signs with ES256 is accepted', async () => {
    const { state, createSigningKey, getStatus } = await setUp();
    const { jwk, token } = await createSigningKey('one');
    state.keys = [jwk];
    expect(await getStatus(token)).toBe(200);
  });

  it('that is unreachable returns 503, and 200 once the issuer is back', async () => {
    const { state, createSigningKey, getStatus } = await setUp();
    const { jwk, token } = await createSigningKey('one');
    Object.assign(state, { keys: [jwk], status: 500 });
    expect(await getStatus(token)).toBe(503);
    state.status = 200;
    expect(await getStatus(token)).toBe(200);
  });

  it('that publishes invalid keys returns 503, not 401', async () => {
    const { state, createSigningKey, getStatus } = await setUp();
    const { token } = await createSigningKey('one');
    state.keys = [{ kid: 'one' }];
    expect(await getStatus(token)).toBe(503);
  });

  it('that rotates its key is accepted soon, even if others send unknown keys', async () => {
    const { state, createSigningKey, getStatus } = await setUp();
    const [one, two, junk] = [
      await createSigningKey('one'),
      await createSigningKey('two'),
      await createSigningKey('junk'),
    ];
    state.keys = [one.jwk];
    expect(await getStatus(one.token)).toBe(200);
    expect(await getStatus(junk.token)).toBe(401);
    state.keys = [one.jwk, two.jwk];
    await sleep(1_100); // keys are not refetched for an unknown key id within one second
    expect(await getStatus(two.token)).toBe(200);
    expect(await getStatus(one.token)).toBe(200);
  });
});
