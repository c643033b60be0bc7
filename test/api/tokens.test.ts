import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importJWK, type JWK, SignJWT } from 'jose';
import { describe, expect, inject, it } from 'vitest';
import { clientId } from '../../infra/local/emulators/issuer/issuer.ts';
import { routes } from '../../shared/routes/index.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { createClient, createOtherUser, createUser, deployed, listFaults, type Reply, send } from '../support/api.ts';
import { createAssistant } from '../support/assistants.ts';
import { readLog } from '../support/function-log.ts';

interface Check {
  data: { user_id: string; token_type: string; expires_at: string; scopes: string[] };
}

const user = await createUser();
const check = (authorization: string) => send<Check>('GET', '/protected', { headers: { authorization } });

/** Returns the challenge. API Gateway renames the header `www-authenticate`. */
const getChallenge = ({ headers }: Reply) => headers.get('x-amzn-remapped-www-authenticate');

/** Expects a challenge without an error code, since the request had no bearer token (RFC 6750, section 3). */
function expectNotAuthenticated(reply: Reply) {
  expect(reply.status).toBe(401);
  expect(listFaults(reply)).toEqual(['header.authorization: not_authenticated']);
  expect(getChallenge(reply)).toBe('Bearer');
  expect(reply.headers.get('www-authenticate')).toBeNull();
}

/** Expects a challenge with the error code `invalid_token` (RFC 6750, section 3). */
function expectInvalidToken(reply: Reply) {
  expect(reply.status).toBe(401);
  expect(listFaults(reply)).toEqual(['header.authorization: invalid_token']);
  expect(getChallenge(reply)).toBe('Bearer error="invalid_token"');
  expect(reply.headers.get('www-authenticate')).toBeNull();
  expect(reply.body).toMatchObject({
    detail: [{ loc: ['header', 'authorization'], msg: expect.stringMatching(/\w/), type: 'invalid_token' }],
  });
}

describe('the Authorization header', () => {
  it('identifies the user by a token', async () => {
    const { status, body } = await check(`Bearer ${user.token}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      message: expect.any(String),
      data: {
        user_id: deployed ? expect.any(String) : user.sub,
        token_type: 'jwt',
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        scopes: expect.any(Array),
        workspace: null,
        role: null,
        workspaces: [],
        tier: null,
        quotas: [],
      },
    });
  });

  it.each(['bearer', 'BEARER', 'bEaReR'])('accepts its scheme in any case: %s', async (scheme) => {
    expect((await check(`${scheme} ${user.token}`)).status).toBe(200);
  });

  it('accepts several spaces before the token', async () => {
    expect((await check(`Bearer  ${user.token}`)).status).toBe(200);
  });

  it('returns 401 if it is missing or empty', async () => {
    expectNotAuthenticated(await send('GET', '/protected'));
    expectNotAuthenticated(await check(''));
  });

  it.each(['Basic', 'Token', 'Digest', 'Bearers', 'AWS4-HMAC-SHA256'])(
    'returns the same 401 for another scheme as for none: %s',
    async (scheme) => {
      const reply = await check(`${scheme} ${user.token}`);
      expectNotAuthenticated(reply);
      expect(reply.text).not.toContain(user.token);
    },
  );

  it.each([
    ['no token', 'Bearer'],
    ['a word', 'Bearer canary'],
    ['two tokens', 'Bearer canary canary'],
    ['one segment too few', 'Bearer canary.canary'],
    ['one segment too many', 'Bearer canary.canary.canary.canary'],
    ['empty segments', 'Bearer ..'],
    ['segments that are not JSON', 'Bearer canary.canary.canary'],
    ['characters outside of base64url', 'Bearer ca+ry.ca/ry.ca%ry'],
    ['quotes', 'Bearer "canary"'],
    ['a scheme twice', 'Bearer Bearer canary'],
    ['8 000 letters', `Bearer ${'canary'.repeat(1_333)}`],
  ])('returns 401 for %s', async (_, authorization) => {
    const reply = await check(authorization);
    expectInvalidToken(reply);
    expect(reply.text).not.toContain('canary');
  });

  it.each(['the header', 'the claims', 'the signature'])('returns 401 if %s of its token changed', async (part) => {
    const index = ['the header', 'the claims', 'the signature'].indexOf(part);
    const segments = user.token.split('.');
    const changed = Buffer.from(segments[index] ?? '', 'base64url');
    // Skips the first bytes, so that the JSON often stays valid.
    changed[12] = (changed[12] ?? 0) ^ 1;
    segments[index] = changed.toString('base64url');
    expectInvalidToken(await check(`Bearer ${segments.join('.')}`));
  });

  it('returns 401 for another spelling of its token, which a limit per token would not know', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(user.token.at(-1) ?? '');
    const spare = `${user.token.slice(0, -1)}${alphabet[last ^ 1]}`;
    expect(Buffer.from(spare, 'base64url')).toEqual(Buffer.from(user.token, 'base64url'));
    for (const spelling of [`${user.token}=`, `${user.token}==`, user.token.replace('.', '=.'), spare])
      expectInvalidToken(await check(`Bearer ${spelling}`));
  });

  it('returns 401 if its token has no signature', async () => {
    const [header, claims] = user.token.split('.');
    expectInvalidToken(await check(`Bearer ${header}.${claims}.`));
    expectInvalidToken(await check(`Bearer ${header}.${claims}`));
  });
});

describe('authentication', () => {
  it.each(routes.map(({ method, path }) => [method, path] as const))(
    'comes before validation: %s %s',
    async (method, template) => {
      const path = template.replace(/\{\w+\}/, 'canary');
      const body = method === 'POST' || method === 'PUT' ? '{"name": canary' : undefined;
      const headers = { 'content-type': 'text/canary', 'if-match': 'canary' };
      const reply = await send(method, `${path}?limit=canary`, { headers, body });
      expectNotAuthenticated(reply);
      expect(reply.text).not.toContain('canary');
      const foreign = await send(method, path, { headers: { ...headers, authorization: 'Bearer canary' }, body });
      expectInvalidToken(foreign);
    },
  );

  it('comes before the size limit of a body', async () => {
    expectNotAuthenticated(await send('POST', '/assistants', { body: { name: 'x'.repeat(400_000) } }));
  });

  it('comes after the path and the method', async () => {
    expect((await send('GET', '/nowhere')).status).toBe(404);
    expect((await send('PATCH', '/protected')).status).toBe(405);
    expect((await send('PATCH', '/assistants', { headers: { authorization: 'Bearer canary' } })).status).toBe(405);
  });

  it('does not reveal which assistants exist', async () => {
    const { body } = await createAssistant(user);
    const known = await send('GET', `/assistants/${body.id}`);
    const unknown = await send('GET', `/assistants/${randomUUID()}`);
    expectNotAuthenticated(known);
    expect(known.text).toBe(unknown.text);
  });

  it('distinguishes two users', async () => {
    const other = await createOtherUser();
    const mine = (await check(`Bearer ${user.token}`)).body.data.user_id;
    const theirs = (await check(`Bearer ${other.token}`)).body.data.user_id;
    expect(mine).not.toBe(theirs);
  });
});

describe.skipIf(deployed)('a token', async () => {
  if (deployed) return;
  const file = readFileSync(join(inject('dataDir'), 'issuer.json'), 'utf8');
  const { port, privateKey }: { port: number; privateKey: JWK & { kid: string } } = JSON.parse(file);
  const issuer = `http://127.0.0.1:${port}`;
  const issuerKey = await importJWK(privateKey, 'RS256');
  const { kty, n, e, kid } = privateKey;
  const publicJwk = { kty, n, e, kid };
  const publicKey = createPublicKey({ key: publicJwk, format: 'jwk' });
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const now = Math.floor(Date.now() / 1000);

  interface Forgery {
    /** Overrides the claims of a valid token. Undefined removes a claim. */
    claims?: Record<string, unknown>;
    header?: Record<string, unknown>;
    key?: KeyObject | Uint8Array | typeof issuerKey;
  }

  const buildClaims = () => ({
    iss: issuer,
    sub: `user-${randomUUID()}`,
    client_id: clientId,
    token_use: 'access',
    iat: now,
    exp: now + 3600,
  });

  const forge = ({ claims = {}, header = {}, key = issuerKey }: Forgery): Promise<string> =>
    new SignJWT({ ...buildClaims(), ...claims })
      .setProtectedHeader({ alg: 'RS256', kid, ...header })
      .sign(key, header.crit ? { crit: { canary: true } } : {});

  /** Builds a token that `jose` would refuse to sign. */
  const buildToken = (header: object, claims: unknown = buildClaims(), signature = ''): string =>
    [...[header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')), signature].join('.');

  const checkForged = async (forgery: Forgery) => check(`Bearer ${await forge(forgery)}`);

  it.each<[string, Record<string, unknown>]>([
    ['nothing changed', {}],
    ['the audience as `aud`', { client_id: undefined, aud: clientId }],
    ['the audience among others', { client_id: undefined, aud: ['others', clientId] }],
    ['`nbf` in the past', { nbf: now - 60 }],
    ['a fraction in `exp`', { exp: now + 3600.5 }],
    ['unknown claims', { canary: { deep: [1, null] } }],
  ])('with %s is valid', async (_, claims) => {
    expect((await checkForged({ claims })).status).toBe(200);
  });

  it('provides the user, the expiry and the scopes', async () => {
    const { body } = await checkForged({ claims: { sub: 'canary', exp: 4_102_444_800, scope: 'read  write' } });
    expect(body.data).toEqual({
      user_id: 'canary',
      token_type: 'jwt',
      expires_at: '2100-01-01T00:00:00.000Z',
      scopes: ['read', 'write'],
      workspace: null,
      role: null,
      workspaces: [],
      tier: null,
      quotas: [],
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['that has expired', { exp: now - 60 }],
    ['that expired in 1970', { exp: 0 }],
    ['that expires after the last valid date', { exp: 1e20 }],
    ['without expiry', { exp: undefined }],
    ['with null as expiry', { exp: null }],
    ['with an expiry in words', { exp: '2100-01-01T00:00:00Z' }],
    ['with an expiry as text', { exp: String(now + 3600) }],
    ['that is not yet valid', { nbf: now + 3600 }],
    ['with a text in `nbf`', { nbf: String(now - 60) }],
    ['of a foreign issuer', { iss: 'https://canary.example' }],
    ['of an issuer with a slash at its end', { iss: `${issuer}/` }],
    ['of several issuers', { iss: [issuer] }],
    ['without issuer', { iss: undefined }],
    ['for another client', { client_id: 'canary' }],
    ['for another audience', { client_id: undefined, aud: 'canary' }],
    ['for other audiences', { client_id: undefined, aud: ['canary', `${clientId}s`] }],
    ['for no audience', { client_id: undefined }],
    ['for an empty list of audiences', { client_id: undefined, aud: [] }],
    ['for a client in a list', { client_id: [clientId] }],
    ['that is an ID token', { token_use: 'id' }],
    ['without a use', { token_use: undefined }],
    ['without a user', { sub: undefined }],
    ['with an empty user', { sub: '' }],
    ['with null as user', { sub: null }],
    ['with a number as user', { sub: 42 }],
    ['with a list as user', { sub: ['canary'] }],
    ['with half a surrogate pair in its user, which would merge users', { sub: 'canary\ud800' }],
  ])('%s returns 401', async (_, claims) => {
    const reply = await checkForged({ claims });
    expectInvalidToken(reply);
    expect(reply.text).not.toContain('canary');
  });

  it.each<[string, Forgery, string]>([
    ['expired', { claims: { exp: now - 60 } }, 'The token has expired: get a new one'],
    ['not valid yet', { claims: { nbf: now + 3600 } }, "The token is not valid yet: check the issuer's clock"],
    [
      'from another issuer, with its key',
      { claims: { iss: 'https://canary.example' }, key: stranger.privateKey, header: { kid: 'canary' } },
      'The token is from another issuer (iss)',
    ],
    [
      'from another issuer, with our key',
      { claims: { iss: 'https://canary.example' } },
      'The token is from another issuer (iss)',
    ],
    [
      'signed by a stranger',
      { key: stranger.privateKey },
      "The signature matches none of the issuer's keys: get a new token, and send it unchanged",
    ],
    ['of another kind', { header: { typ: 'logout+jwt' } }, 'Send an access token: this is another kind'],
    ['for another audience', { claims: { client_id: 'canary' } }, 'The token was issued for another audience'],
  ])('that is rejected states the reason in the response and in the log: %s', async (_, forgery, why) => {
    const reply = await checkForged(forgery);
    expect(reply.body).toMatchObject({ detail: [{ msg: why, type: 'invalid_token' }] });
    const { line } = await readLog(reply);
    expect(line).toMatchObject({ status: 401, error: 'invalid_token', reason: why });
    expect(JSON.stringify(line)).not.toContain('canary');
  });

  it('that is opaque gets its own error message', async () => {
    const { body } = await check('Bearer ya29.canary');
    expect(body).toMatchObject({
      detail: [{ msg: 'The token is not a JWT: ask the issuer for an access token for this API' }],
    });
  });

  it.each<[string, Forgery]>([
    ['by a stranger who names our key', { key: stranger.privateKey }],
    ['by a stranger who names his own key', { key: stranger.privateKey, header: { kid: 'canary' } }],
    ['by a stranger as a foreign issuer', { key: stranger.privateKey, claims: { iss: 'https://canary.example' } }],
    [
      'by a stranger who includes his key',
      { key: stranger.privateKey, header: { jwk: stranger.publicKey.export({ format: 'jwk' }) } },
    ],
    [
      'by a stranger who links to his key',
      { key: stranger.privateKey, header: { jku: 'https://canary.example/jwks.json' } },
    ],
    ['by our key under an unknown name', { header: { kid: 'canary' } }],
    ['by our key under an empty name', { header: { kid: '' } }],
    ['by our key without its name', { header: { kid: undefined } }],
    ['by our key with another RSA algorithm', { header: { alg: 'RS512' }, key: await importJWK(privateKey, 'RS512') }],
    [
      'by our key with an unsupported algorithm',
      { header: { alg: 'PS256' }, key: await importJWK(privateKey, 'PS256') },
    ],
    ['with unknown critical extensions (RFC 7515, 4.1.11)', { header: { crit: ['canary'], canary: true } }],
  ])('signed %s returns 401', async (_, forgery) => {
    const reply = await checkForged(forgery);
    expectInvalidToken(reply);
    expect(reply.text).not.toContain('canary');
  });

  it.each([
    ['PEM', publicKey.export({ type: 'spki', format: 'pem' })],
    ['PEM of PKCS #1', publicKey.export({ type: 'pkcs1', format: 'pem' })],
    ['DER', publicKey.export({ type: 'spki', format: 'der' })],
    ['JWK', JSON.stringify(publicJwk)],
    ['JWK as it is served', await (await fetch(`${issuer}/.well-known/jwks.json`)).text()],
    ['modulus', publicJwk.n ?? ''],
  ])('signed with our public key as an HMAC secret (%s) returns 401', async (_, secret) => {
    for (const alg of ['HS256', 'HS512']) {
      expectInvalidToken(await checkForged({ header: { alg }, key: new Uint8Array(Buffer.from(secret)) }));
    }
  });

  it.each(['none', 'None', 'NONE', '', undefined, 'RS256'])('without a signature (alg %s) returns 401', async (alg) => {
    const token = await forge({});
    for (const signature of ['', 'AA', token.split('.')[2]]) {
      expectInvalidToken(await check(`Bearer ${buildToken({ alg, kid, typ: 'JWT' }, buildClaims(), signature)}`));
    }
  });

  it.each([
    ['a header that is a list', buildToken([], buildClaims(), 'AAAA')],
    ['a header that is null', `${Buffer.from('null').toString('base64url')}.e30.AAAA`],
    ['an empty header', buildToken({}, buildClaims(), 'AAAA')],
    ['a number as the key', buildToken({ alg: 'RS256', kid: 1 }, buildClaims(), 'AAAA')],
    ['claims that are a list', buildToken({ alg: 'RS256', kid }, [buildClaims()], 'AAAA')],
    ['claims that are text', buildToken({ alg: 'RS256', kid }, 'canary', 'AAAA')],
    ['claims that are null', buildToken({ alg: 'RS256', kid }, null, 'AAAA')],
    ['an inherited key as the key', buildToken({ alg: 'RS256', kid: '__proto__' }, buildClaims(), 'AAAA')],
  ])('with %s returns 401', async (_, token) => {
    const reply = await check(`Bearer ${token}`);
    expectInvalidToken(reply);
    expect(reply.text).not.toContain('canary');
  });

  it('stays valid after forged tokens', async () => {
    for (let i = 0; i < 20; i++) await checkForged({ header: { kid: `canary-${i}` }, key: stranger.privateKey });
    const replies = await Promise.all(Array.from({ length: 10 }, () => checkForged({})));
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
  });

  it('accepts any text as a user, and returns it unchanged', async () => {
    for (const sub of ['a#b', 'a\0b', ' ', '../x', '😀 é', '__proto__', 'USER#x', 'a\nb', '"', 'x'.repeat(2_000)]) {
      const { status, body } = await checkForged({ claims: { sub } });
      expect([status, body.data.user_id]).toEqual([200, sub]);
    }
  });

  it('of a user with a similar name cannot access another user’s data', async () => {
    const alice = `alice-${randomUUID()}`;
    const subs = [
      alice,
      ...['#SESSIONS', '#ONCE', '#', '\0', '\0a', ' ', '/', '\u0301', '\n'].map((end) => alice + end),
      ` ${alice}`,
      alice.toUpperCase(),
      `USER#${alice}`,
      alice + 'x'.repeat(2_000),
      alice + 'x'.repeat(2_001),
    ];
    const clients = await Promise.all(subs.map(async (sub) => createClient(sub, await forge({ claims: { sub } }))));
    const ids: string[] = [];
    for (const client of clients) ids.push((await createAssistant(client, { name: 'Own' })).body.id);
    for (const [i, client] of clients.entries()) {
      const { body } = await client.get<Assistant[]>('/assistants');
      expect(body.map(({ id, user_id }) => [id, user_id])).toEqual([[ids[i], subs[i]]]);
      expect((await client.get(`/assistants/${ids[(i + 1) % ids.length]}`)).status).toBe(404);
    }
  });
});
