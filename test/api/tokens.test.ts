import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importJWK, type JWK, SignJWT } from 'jose';
import { describe, expect, inject, it } from 'vitest';
import { clientId } from '../../infra/local/emulators/issuer.ts';
import { routes } from '../../shared/routes/index.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { clientWith, deployed, faults, newUser, otherUser, type Reply, send } from '../support/api.ts';
import { createAssistant } from '../support/assistants.ts';
import { logged } from '../support/function-log.ts';

interface Check {
  data: { user_id: string; token_type: string; expires_at: string; scopes: string[] };
}

const user = await newUser();
const check = (authorization: string) => send<Check>('GET', '/protected', { headers: { authorization } });

/** A REST API renames `www-authenticate`. */
const challengeOf = ({ headers }: Reply) => headers.get('x-amzn-remapped-www-authenticate');

/** RFC 6750, section 3: who sends no bearer token hears only which scheme to use. */
function expectNotAuthenticated(reply: Reply) {
  expect(reply.status).toBe(401);
  expect(faults(reply)).toEqual(['header.authorization: not_authenticated']);
  expect(challengeOf(reply)).toBe('Bearer');
  expect(reply.headers.get('www-authenticate')).toBeNull();
}

/** … and who sends one that does not hold hears that it does not. */
function expectInvalidToken(reply: Reply) {
  expect(reply.status).toBe(401);
  expect(faults(reply)).toEqual(['header.authorization: invalid_token']);
  expect(challengeOf(reply)).toBe('Bearer error="invalid_token"');
  expect(reply.headers.get('www-authenticate')).toBeNull();
  expect(reply.body).toEqual({
    detail: [{ loc: ['header', 'authorization'], msg: expect.stringMatching(/\w/), type: 'invalid_token' }],
  });
}

describe('the Authorization header', () => {
  it('with a token is who calls', async () => {
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
      },
    });
  });

  it.each(['bearer', 'BEARER', 'bEaReR'])('names its scheme in any case: %s', async (scheme) => {
    expect((await check(`${scheme} ${user.token}`)).status).toBe(200);
  });

  it('may have several spaces before the token', async () => {
    expect((await check(`Bearer  ${user.token}`)).status).toBe(200);
  });

  it('that is missing or empty is 401', async () => {
    expectNotAuthenticated(await send('GET', '/protected'));
    expectNotAuthenticated(await check(''));
  });

  it.each(['Basic', 'Token', 'Digest', 'Bearers', 'AWS4-HMAC-SHA256'])(
    'of another scheme is 401, as if there were none: %s',
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
    ['segments that are no JSON', 'Bearer canary.canary.canary'],
    ['letters that base64url has not', 'Bearer ca+ry.ca/ry.ca%ry'],
    ['quotes', 'Bearer "canary"'],
    ['a scheme twice', 'Bearer Bearer canary'],
    ['8 000 letters', `Bearer ${'canary'.repeat(1_333)}`],
  ])('with %s is 401', async (_, authorization) => {
    const reply = await check(authorization);
    expectInvalidToken(reply);
    expect(reply.text).not.toContain('canary');
  });

  it.each(['the header', 'the claims', 'the signature'])('whose token was changed in %s is 401', async (part) => {
    const index = ['the header', 'the claims', 'the signature'].indexOf(part);
    const segments = user.token.split('.');
    const changed = Buffer.from(segments[index] ?? '', 'base64url');
    // Past the first bytes, so that the JSON often stays JSON.
    changed[12] = (changed[12] ?? 0) ^ 1;
    segments[index] = changed.toString('base64url');
    expectInvalidToken(await check(`Bearer ${segments.join('.')}`));
  });

  it('whose token lacks its signature is 401', async () => {
    const [header, claims] = user.token.split('.');
    expectInvalidToken(await check(`Bearer ${header}.${claims}.`));
    expectInvalidToken(await check(`Bearer ${header}.${claims}`));
  });
});

describe('authentication', () => {
  it.each(routes.map(({ method, path }) => [method, path] as const))('comes first: %s %s', async (method, template) => {
    const path = template.replace(/\{\w+\}/, 'canary');
    const body = method === 'POST' || method === 'PUT' ? '{"name": canary' : undefined;
    const headers = { 'content-type': 'text/canary', 'if-match': 'canary' };
    const reply = await send(method, `${path}?limit=canary`, { headers, body });
    expectNotAuthenticated(reply);
    expect(reply.text).not.toContain('canary');
    const foreign = await send(method, path, { headers: { ...headers, authorization: 'Bearer canary' }, body });
    expectInvalidToken(foreign);
  });

  it('comes before the size of a body', async () => {
    expectNotAuthenticated(await send('POST', '/assistants', { body: { name: 'x'.repeat(400_000) } }));
  });

  it('comes after the path and the method', async () => {
    expect((await send('GET', '/nowhere')).status).toBe(404);
    expect((await send('PATCH', '/protected')).status).toBe(405);
    expect((await send('PATCH', '/assistants', { headers: { authorization: 'Bearer canary' } })).status).toBe(405);
  });

  it('that fails says nothing of what there is', async () => {
    const { body } = await createAssistant(user);
    const known = await send('GET', `/assistants/${body.id}`);
    const unknown = await send('GET', `/assistants/${randomUUID()}`);
    expectNotAuthenticated(known);
    expect(known.text).toBe(unknown.text);
  });

  it('tells two users apart', async () => {
    const other = await otherUser();
    const mine = (await check(`Bearer ${user.token}`)).body.data.user_id;
    const theirs = (await check(`Bearer ${other.token}`)).body.data.user_id;
    expect(mine).not.toBe(theirs);
  });
});

describe.skipIf(deployed)('a forged token', async () => {
  if (deployed) return;
  const file = readFileSync(join(inject('dataDir'), 'issuer.json'), 'utf8');
  const { port, privateKey }: { port: number; privateKey: JWK & { kid: string } } = JSON.parse(file);
  const issuer = `http://127.0.0.1:${port}`;
  const rightKey = await importJWK(privateKey, 'RS256');
  const { kty, n, e, kid } = privateKey;
  const publicJwk = { kty, n, e, kid };
  const publicKey = createPublicKey({ key: publicJwk, format: 'jwk' });
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const now = Math.floor(Date.now() / 1000);

  interface Forgery {
    /** Claims over those of a good token; undefined leaves one out. */
    claims?: Record<string, unknown>;
    header?: Record<string, unknown>;
    key?: KeyObject | Uint8Array | typeof rightKey;
  }

  const good = () => ({
    iss: issuer,
    sub: `user-${randomUUID()}`,
    client_id: clientId,
    token_use: 'access',
    iat: now,
    exp: now + 3600,
  });

  const forge = ({ claims = {}, header = {}, key = rightKey }: Forgery): Promise<string> =>
    new SignJWT({ ...good(), ...claims })
      .setProtectedHeader({ alg: 'RS256', kid, ...header })
      .sign(key, header.crit ? { crit: { canary: true } } : {});

  /** A token that `jose` does not sign. */
  const unsigned = (header: object, claims: unknown = good(), signature = ''): string =>
    [...[header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')), signature].join('.');

  const checkForged = async (forgery: Forgery) => check(`Bearer ${await forge(forgery)}`);

  it.each<[string, Record<string, unknown>]>([
    ['nothing changed', {}],
    ['the audience as `aud`', { client_id: undefined, aud: clientId }],
    ['the audience among others', { client_id: undefined, aud: ['others', clientId] }],
    ['`nbf` in the past', { nbf: now - 60 }],
    ['a fraction in `exp`', { exp: now + 3600.5 }],
    ['claims that nobody knows', { canary: { deep: [1, null] } }],
  ])('with %s holds, so that what follows fails for its own reason', async (_, claims) => {
    expect((await checkForged({ claims })).status).toBe(200);
  });

  it('shows its user, its expiry and its scopes', async () => {
    const { body } = await checkForged({ claims: { sub: 'canary', exp: 4_102_444_800, scope: 'read  write' } });
    expect(body.data).toEqual({
      user_id: 'canary',
      token_type: 'jwt',
      expires_at: '2100-01-01T00:00:00.000Z',
      scopes: ['read', 'write'],
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['that has expired', { exp: now - 60 }],
    ['that expired in 1970', { exp: 0 }],
    ['that expires in no year there is', { exp: 1e20 }],
    ['without expiry', { exp: undefined }],
    ['with null as expiry', { exp: null }],
    ['with an expiry in words', { exp: '2100-01-01T00:00:00Z' }],
    ['with an expiry as text', { exp: String(now + 3600) }],
    ['that is not yet valid', { nbf: now + 3600 }],
    ['that is valid from a text on', { nbf: String(now - 60) }],
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
    ['that identifies, and does not allow', { token_use: 'id' }],
    ['that does not say its use', { token_use: undefined }],
    ['without a user', { sub: undefined }],
    ['with an empty user', { sub: '' }],
    ['with null as user', { sub: null }],
    ['with a number as user', { sub: 42 }],
    ['with a list as user', { sub: ['canary'] }],
    ['with half a surrogate pair in its user: no two users may become one', { sub: 'canary\ud800' }],
  ])('%s is 401', async (_, claims) => {
    const reply = await checkForged({ claims });
    expectInvalidToken(reply);
    expect(reply.text).not.toContain('canary');
  });

  it.each<[string, Forgery, string]>([
    ['expired', { claims: { exp: now - 60 } }, 'The token has expired: get a new one'],
    [
      'not valid yet',
      { claims: { nbf: now + 3600 } },
      'The token is not valid yet: check the clock of whoever issued it',
    ],
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
      "The token is not signed by one of our issuer's keys, was changed since, or is of another kind",
    ],
    ['for another audience', { claims: { client_id: 'canary' } }, 'The token was issued for another audience'],
  ])('tells its sender and the log why it is refused: %s', async (_, forgery, why) => {
    const reply = await checkForged(forgery);
    expect(reply.body).toMatchObject({ detail: [{ msg: why, type: 'invalid_token' }] });
    const { line } = await logged(reply);
    expect(line).toMatchObject({ status: 401, error: 'invalid_token', reason: why });
    expect(JSON.stringify(line)).not.toContain('canary');
  });

  it('that is opaque is told from one that is forged', async () => {
    const { body } = await check('Bearer ya29.canary');
    expect(body).toMatchObject({
      detail: [{ msg: 'The token is no JWT: ask the issuer for an access token for this API' }],
    });
  });

  it.each<[string, Forgery]>([
    ['by a stranger who names our key', { key: stranger.privateKey }],
    ['by a stranger who names his own key', { key: stranger.privateKey, header: { kid: 'canary' } }],
    ['by a stranger as a foreign issuer', { key: stranger.privateKey, claims: { iss: 'https://canary.example' } }],
    [
      'by a stranger who brings his key along',
      { key: stranger.privateKey, header: { jwk: stranger.publicKey.export({ format: 'jwk' }) } },
    ],
    [
      'by a stranger who says where his key is',
      { key: stranger.privateKey, header: { jku: 'https://canary.example/jwks.json' } },
    ],
    ['by our key under an unknown name', { header: { kid: 'canary' } }],
    ['by our key under an empty name', { header: { kid: '' } }],
    ['by our key without its name', { header: { kid: undefined } }],
    [
      'by our key in another algorithm of its kind',
      { header: { alg: 'RS512' }, key: await importJWK(privateKey, 'RS512') },
    ],
    [
      'by our key in an algorithm that we do not take',
      { header: { alg: 'PS256' }, key: await importJWK(privateKey, 'PS256') },
    ],
    ['with extensions that nobody here understands (RFC 7515, 4.1.11)', { header: { crit: ['canary'], canary: true } }],
  ])('signed %s is 401', async (_, forgery) => {
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
  ])('signed by HS256 with our public key (%s) is 401', async (_, secret) => {
    for (const alg of ['HS256', 'HS512']) {
      expectInvalidToken(await checkForged({ header: { alg }, key: new Uint8Array(Buffer.from(secret)) }));
    }
  });

  it.each(['none', 'None', 'NONE', '', undefined, 'RS256'])('that is not signed (alg %s) is 401', async (alg) => {
    const token = await forge({});
    for (const signature of ['', 'AA', token.split('.')[2]]) {
      expectInvalidToken(await check(`Bearer ${unsigned({ alg, kid, typ: 'JWT' }, good(), signature)}`));
    }
  });

  it.each([
    ['a header that is a list', unsigned([], good(), 'AAAA')],
    ['a header that is null', `${Buffer.from('null').toString('base64url')}.e30.AAAA`],
    ['an empty header', unsigned({}, good(), 'AAAA')],
    ['a number as the key', unsigned({ alg: 'RS256', kid: 1 }, good(), 'AAAA')],
    ['claims that are a list', unsigned({ alg: 'RS256', kid }, [good()], 'AAAA')],
    ['claims that are text', unsigned({ alg: 'RS256', kid }, 'canary', 'AAAA')],
    ['claims that are null', unsigned({ alg: 'RS256', kid }, null, 'AAAA')],
    ['an inherited key as the key', unsigned({ alg: 'RS256', kid: '__proto__' }, good(), 'AAAA')],
  ])('with %s is 401', async (_, token) => {
    const reply = await check(`Bearer ${token}`);
    expectInvalidToken(reply);
    expect(reply.text).not.toContain('canary');
  });

  it('does no harm: good ones still hold in the next moment', async () => {
    for (let i = 0; i < 20; i++) await checkForged({ header: { kid: `canary-${i}` }, key: stranger.privateKey });
    const replies = await Promise.all(Array.from({ length: 10 }, () => checkForged({})));
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
  });

  it('names a user by any text, and shows it as it is', async () => {
    for (const sub of ['a#b', 'a\0b', ' ', '../x', '😀 é', '__proto__', 'USER#x', 'a\nb', '"', 'x'.repeat(2_000)]) {
      const { status, body } = await checkForged({ claims: { sub } });
      expect([status, body.data.user_id]).toEqual([200, sub]);
    }
  });

  it('of a user whose name looks like another’s reaches nothing of that other', async () => {
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
    const clients = await Promise.all(subs.map(async (sub) => clientWith(sub, await forge({ claims: { sub } }))));
    const ids: string[] = [];
    for (const client of clients) ids.push((await createAssistant(client, { name: 'Own' })).body.id);
    for (const [i, client] of clients.entries()) {
      const { body } = await client.get<Assistant[]>('/assistants');
      expect(body.map(({ id, user_id }) => [id, user_id])).toEqual([[ids[i], subs[i]]]);
      expect((await client.get(`/assistants/${ids[(i + 1) % ids.length]}`)).status).toBe(404);
    }
  });
});
