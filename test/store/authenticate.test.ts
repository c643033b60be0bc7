import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { buildApiKey, generateSecret } from '../../shared/domain/api-key.ts';
import { useEmulator } from '../support/store.ts';

const { privateKey, publicKey } = await generateKeyPair('RS256');
const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }] };
const server = createServer((_, response) => response.end(JSON.stringify(jwks))).listen(0, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => server.close());

useEmulator({
  ISSUER: issuer,
  AUDIENCES: 'web',
  JWKS_URI: `${issuer}/jwks`,
  CORS_ORIGINS: '',
  MACHINE_CLIENTS: JSON.stringify({ 'worker-1': 'alice' }),
});
const apiKeys = await import('../../shared/store/api-keys/api-keys.ts');
const { handler } = await import('../../functions/protected/check.ts');

async function check(
  token: string,
): Promise<{ status: number; body: { data: { user_id: string }; detail: { msg: string }[] } }> {
  const headers = { authorization: `Bearer ${token}` };
  const event = { headers, httpMethod: 'GET', requestContext: { requestId: 'r', path: '/protected' } };
  const { statusCode, body } = await handler(event as unknown as APIGatewayProxyEvent, {} as Context);
  return { status: statusCode, body: JSON.parse(body) };
}

/** Signs a token that expires in a minute. */
const signToken = (claims: Record<string, unknown>, header: { typ?: string } = {}) =>
  new SignJWT({ exp: Math.floor(Date.now() / 1000) + 60, iss: issuer, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'k', ...header })
    .sign(privateKey);

describe('an access token of a user', () => {
  it.each([
    ['Cognito', { client_id: 'web', token_use: 'access', auth_time: 1 }, {}],
    ['Auth0', { aud: ['web', 'https://a.auth0.example/userinfo'], azp: 'spa', gty: 'password' }, { typ: 'JWT' }],
    ['RFC 9068', { aud: 'web', client_id: 'spa', auth_time: 1 }, { typ: 'at+jwt' }],
    ['RFC 9068, in full', { aud: 'web', client_id: 'spa' }, { typ: 'application/at+jwt' }],
    ['Okta', { aud: 'web', cid: 'spa', uid: '00u', scp: ['openid'], ver: 1, auth_time: 1 }, {}],
    ['Entra', { aud: 'web', azp: 'spa', scp: 'use', ver: '2.0' }, { typ: 'JWT' }],
    ['Keycloak', { aud: ['web', 'account'], azp: 'spa', typ: 'Bearer', sid: 's' }, { typ: 'JWT' }],
    ['old Keycloak', { aud: 'web', azp: 'spa', typ: 'Bearer', nonce: 'n' }, { typ: 'JWT' }],
  ])('from %s is accepted', async (_, claims, header) => {
    const { status, body } = await check(await signToken({ sub: 'alice', ...claims }, header));
    expect([status, body.data?.user_id]).toEqual([200, 'alice']);
  });

  it.each([{ aud: 'https://other.example' }, { aud: ['https://other.example'] }, { aud: [] }, { aud: null }])(
    'for another API is rejected, even with our client id: %j',
    async (claims) => {
      expect((await check(await signToken({ sub: 'alice', client_id: 'web', ...claims }))).status).toBe(401);
    },
  );
});

describe('a token that is not an access token', () => {
  it.each([
    ['with a nonce', { nonce: 'n' }],
    ['with the hash of an access token', { at_hash: 'h' }],
    ['with the hash of a code', { c_hash: 'h' }],
    ['of Cognito', { token_use: 'id' }],
    ['of Keycloak', { typ: 'ID' }],
  ])('is rejected with a hint to send the access token: an ID token %s', async (_, claims) => {
    const { status, body } = await check(await signToken({ sub: 'alice', aud: 'web', ...claims }, { typ: 'JWT' }));
    expect([status, body.detail?.[0]?.msg]).toEqual([401, 'Send the access token: this is an ID token']);
  });

  it.each(['logout+jwt', 'secevent+jwt', 'dpop+jwt', 'at'])('is rejected for its type: %s', async (typ) => {
    expect((await check(await signToken({ sub: 'alice', aud: 'web' }, { typ }))).status).toBe(401);
  });
});

describe('a token of a machine client', () => {
  it.each([
    ['Cognito and Okta', { sub: 'worker-1', client_id: 'worker-1' }],
    ['Okta', { sub: 'worker-1', cid: 'worker-1', aud: 'web' }],
    ['Auth0', { sub: 'worker-1@clients', azp: 'worker-1', gty: 'client-credentials', aud: ['web'] }],
    ['Entra', { sub: 'an-object-id', azp: 'worker-1', idtyp: 'app', aud: 'web' }],
    ['old Entra', { sub: 'an-object-id', appid: 'worker-1', idtyp: 'app', aud: 'web' }],
  ])('from %s acts as the user in the configuration', async (_, claims) => {
    const { status, body } = await check(await signToken(claims));
    expect([status, body.data?.user_id]).toEqual([200, 'alice']);
  });

  it.each([
    { sub: 'worker-2', client_id: 'worker-2' },
    { sub: 'web', client_id: 'web' },
    { sub: 'constructor', client_id: 'constructor' },
    { sub: 'worker-2@clients', azp: 'worker-2', aud: 'web' },
  ])('of an unconfigured client is rejected with a hint to the setting: %j', async (claims) => {
    const { status, body } = await check(await signToken(claims));
    expect([status, body.detail?.[0]?.msg]).toEqual([401, expect.stringContaining('machineClients')]);
  });

  it.each([
    { sub: 'worker-1', cid: 'worker-1', aud: 'https://other.example' },
    { sub: 'worker-1@clients', azp: 'worker-1', gty: 'client-credentials', aud: ['https://other.example'] },
    { sub: 'x', gty: 'client-credentials', aud: 'web' },
  ])('for another audience, or without a client, is rejected: %j', async (claims) => {
    expect((await check(await signToken(claims))).status).toBe(401);
  });

  it('cannot manage API keys, which would outlive it', async () => {
    const { handler: list } = await import('../../functions/api-keys/list.ts');
    const headers = { authorization: `Bearer ${await signToken({ sub: 'worker-1', client_id: 'worker-1' })}` };
    const event = { headers, httpMethod: 'GET', requestContext: { requestId: 'r', path: '/api-keys' } };
    const { statusCode } = await list(event as unknown as APIGatewayProxyEvent, {} as Context);
    expect(statusCode).toBe(403);
  });

  it('is distinct from a user token that names the machine client', async () => {
    const { status } = await check(await signToken({ sub: 'bob', client_id: 'worker-1' }));
    expect(status).toBe(401); // another audience
    expect((await check(await signToken({ sub: 'bob', client_id: 'web' }))).body.data.user_id).toBe('bob');
  });
});

describe('a cached token', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is rejected once it expires', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const aliceToken = await signToken({ sub: 'alice', client_id: 'web' });
    expect((await check(aliceToken)).body.data.user_id).toBe('alice');
    vi.advanceTimersByTime(58_999);
    expect((await check(aliceToken)).status).toBe(200);
    vi.advanceTimersByTime(1_001);
    expect((await check(aliceToken)).status).toBe(401);
  });

  it('does not validate another token with the same claims or the same signature', async () => {
    const [head, claims, signature] = (await signToken({ sub: 'alice', client_id: 'web' })).split('.') as [
      string,
      string,
      string,
    ];
    expect((await check(`${head}.${claims}.${signature}`)).status).toBe(200);
    const otherSignature = `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`;
    expect((await check(`${head}.${claims}.${otherSignature}`)).status).toBe(401);
    const bobClaims = (await signToken({ sub: 'bob', client_id: 'web' })).split('.')[1];
    expect((await check(`${head}.${bobClaims}.${signature}`)).status).toBe(401);
  });
});

describe('a cached API key', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is accepted for 55 seconds after it is revoked, and no longer', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const secret = generateSecret('test');
    const owner = randomUUID();
    const key = buildApiKey({ name: 'n', scopes: ['read'], expires_at: null }, { owner, user_id: 'carol' }, secret);
    await apiKeys.insert(key, []);
    expect((await check(secret)).body.data.user_id).toBe('carol');
    await apiKeys.remove(owner, key.id, []);
    vi.advanceTimersByTime(54_999);
    expect((await check(secret)).status).toBe(200);
    vi.advanceTimersByTime(1);
    expect((await check(secret)).status).toBe(401);
  });

  it('is rejected once it expires, even within those 55 seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const secret = generateSecret('test');
    const expires_at = new Date(Date.now() + 10_000).toISOString();
    await apiKeys.insert(
      buildApiKey({ name: 'n', scopes: ['read'], expires_at }, { owner: randomUUID(), user_id: 'd' }, secret),
      [],
    );
    expect((await check(secret)).status).toBe(200);
    vi.advanceTimersByTime(10_000);
    expect((await check(secret)).status).toBe(401);
  });
});

describe('workspaces by groups', () => {
  const workspaces = {
    claim: 'cognito:groups',
    pattern: 'ws-(?<workspace>[\\w.-]+)-(?<role>viewer|admin)',
    roles: { viewer: ['read'], admin: ['read', 'write'] },
  };
  const claims = { sub: 'alice', aud: 'web', 'cognito:groups': ['staff', 'ws-acme-viewer', 'ws-globex-admin'] };

  afterEach(() => {
    delete process.env.WORKSPACES;
    vi.resetModules();
  });

  /** Loads the function with the setting, or without it, and sends it a request. */
  async function checkWith(setting: object | undefined, token: string, workspace?: string) {
    vi.resetModules();
    if (setting) process.env.WORKSPACES = JSON.stringify(setting);
    else delete process.env.WORKSPACES;
    const { handler } = await import('../../functions/protected/check.ts');
    const headers = { authorization: `Bearer ${token}`, ...(workspace && { 'X-Workspace': workspace }) };
    const event = { headers, httpMethod: 'GET', requestContext: { requestId: 'r', path: '/protected' } };
    const { statusCode, body } = await handler(event as unknown as APIGatewayProxyEvent, {} as Context);
    return { status: statusCode, ...JSON.parse(body).data };
  }

  it('are chosen by the header', async () => {
    const token = await signToken(claims);
    expect(await checkWith(workspaces, token)).toMatchObject({ status: 409 });
    expect(await checkWith(workspaces, token, 'globex')).toMatchObject({ workspace: 'globex', role: 'admin' });
    expect(await checkWith(workspaces, token, 'acme')).toMatchObject({ user_id: 'acme', role: 'viewer' });
    expect(await checkWith(workspaces, token, 'staff')).toMatchObject({ status: 403 });
  });

  it('do not exist without the setting: everybody has a world of their own', async () => {
    const token = await signToken(claims);
    const personal = await checkWith(workspaces, token, 'personal');
    for (const header of [undefined, 'acme', 'unknown'])
      expect(await checkWith(undefined, token, header)).toEqual({ ...personal, workspaces: [] });
    expect(personal).toMatchObject({ status: 200, user_id: 'alice', workspace: null });
  });

  it('are those of a machine client, if its token has the claim', async () => {
    const token = await signToken({
      ...claims,
      sub: 'worker-1',
      client_id: 'worker-1',
      'cognito:groups': ['ws-acme-viewer'],
    });
    expect(await checkWith(workspaces, token)).toMatchObject({ user_id: 'acme', role: 'viewer' });
    expect(await checkWith(workspaces, token, 'personal')).toMatchObject({ user_id: 'alice' });
  });
});
