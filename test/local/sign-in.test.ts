import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, describe, expect, inject, it, vi } from 'vitest';
import { clientId, LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import { serveIssuer } from '../../infra/local/emulators/issuer/server.ts';
import { userAgents } from '../../shared/outbound/user-agents.ts';
import { deployed, send } from '../support/api.ts';

const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-sign-in-'));
const issuer = await LocalIssuer.open(dir);
const served = await serveIssuer(
  issuer,
  new Set(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://localhost:5173']),
);
afterAll(async () => {
  await served.stop();
  rmSync(dir, { recursive: true });
});
afterEach(() => {
  vi.useRealTimers();
});

const origin = 'http://localhost:3000';
const redirect_uri = `${origin}/console/signed-in`;
const verifier = randomBytes(32).toString('base64url');

const parameters = {
  client_id: clientId,
  redirect_uri,
  response_type: 'code',
  scope: 'openid email',
  state: 'the state',
  nonce: 'the nonce',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
};

type Changes = Record<string, string>;

/** Requests the sign-in page, or submits its form if there is a name. */
const authorize = (changes: Changes = {}, { cookie = '', at = issuer.url, ...fields }: Changes = {}) =>
  fetch(`${at}/authorize?${new URLSearchParams({ ...parameters, ...changes })}`, {
    redirect: 'manual',
    headers: { cookie },
    ...('name' in fields && { method: 'POST', body: new URLSearchParams(fields) }),
  });

/** Returns the target of a redirect. */
const getTarget = ({ headers }: Response) => new URL(headers.get('location') ?? 'about:blank');
const getCode = (response: Response) => getTarget(response).searchParams.get('code') ?? '';
const getCookie = ({ headers }: Response) => headers.get('set-cookie')?.split(';')[0] ?? '';

const requestToken = async (form: Changes, at = issuer.url) => {
  const body = new URLSearchParams({ client_id: clientId, ...form });
  const response = await fetch(`${at}/token`, { method: 'POST', headers: { origin }, body });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Changes };
};
const exchange = (code: string, changes: Changes = {}, at?: string) =>
  requestToken({ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri, ...changes }, at);

const buildError = (error: string) => ({ status: 400, body: { error } });

/** Decodes a token without the claims that are different in every token. */
function decodeStableClaims(token = '') {
  const { jti, iat, exp, ...claims } = decodeJwt(token);
  return claims;
}

describe('signing in', () => {
  it('exchanges the code from the sign-in page for tokens', async () => {
    const page = await authorize();
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('value="demo"');

    const sent = await authorize({}, { name: ' alice ' });
    expect(sent.status).toBe(303);
    const code = getCode(sent);
    expect(getTarget(sent).href).toBe(`${redirect_uri}?${new URLSearchParams({ code, state: parameters.state })}`);

    const { status, headers, body } = await exchange(code);
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: parameters.scope });
    const { sub, nonce } = { sub: 'alice', nonce: parameters.nonce };
    expect(decodeStableClaims(body.id_token)).toMatchObject({ iss: issuer.url, aud: clientId, sub, nonce });
    expect(decodeStableClaims(body.access_token)).toEqual(
      decodeStableClaims(await issuer.token({ sub, ttl: 3600, scope: parameters.scope })),
    );
  });

  it.skipIf(deployed)('returns an access token that works for the API, unlike the ID and refresh tokens', async () => {
    const { url: at } = await LocalIssuer.open(inject('dataDir'));
    const own = { redirect_uri: `${inject('baseUrl')}/console/signed-in` };
    const { body } = await exchange(getCode(await authorize(own, { name: 'alice', at })), own, at);
    const check = (token = '') => send('GET', '/protected', { headers: { authorization: `Bearer ${token}` } });
    expect(await check(body.access_token)).toMatchObject({ status: 200, body: { data: { user_id: 'alice' } } });
    expect((await check(body.id_token)).status).toBe(401);
    expect((await check(body.refresh_token)).status).toBe(401);
  });

  it.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ])('rejects a form from another origin: %j', async (headers) => {
    const sent = await fetch(`${issuer.url}/authorize?${new URLSearchParams(parameters)}`, {
      redirect: 'manual',
      method: 'POST',
      headers,
      body: new URLSearchParams({ name: 'mallory' }),
    });
    expect([sent.status, getCookie(sent)]).toEqual([403, '']);
  });

  it.each(['/token', '/revoke', '/authorize'])(
    'reads no form of other pages, and no large one, at %s',
    async (path) => {
      const post = async (length: number, headers: Record<string, string>) =>
        (await fetch(issuer.url + path, { method: 'POST', headers, body: 'a&'.repeat(length / 2) })).status;
      const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
      expect(await post(1_000_000, foreign)).toBe(403);
      expect(await post(1_000_000, { 'sec-fetch-site': 'cross-site', origin: 'null' })).toBe(403);
      const own = { origin: path === '/authorize' ? issuer.url : origin };
      expect(await post(1_000_000, own)).toBe(413);
      expect([200, 400]).toContain(await post(16_000, own));
    },
  );

  it.each<Changes>([
    { 'sec-fetch-dest': 'empty' },
    { 'sec-fetch-dest': 'iframe' },
    { 'sec-purpose': 'prefetch' },
    { connection: 'Upgrade', upgrade: 'websocket', origin: 'http://127.0.0.1:6058' },
    { origin: 'null' }, // WebKit, after two redirects
  ])('gives no code to a page that shows nothing: %j', async (headers) => {
    const cookie = getCookie(await authorize({}, { name: 'alice' }));
    const address = `${issuer.url}/authorize?${new URLSearchParams(parameters)}`;
    const [asked] = await once(requestHttp(address, { headers: { cookie, ...headers } }).end(), 'response');
    asked.resume();
    expect([asked.statusCode, asked.headers.location]).toEqual([403, undefined]);
  });

  it('skips the form in a session, except for prompt=login', async () => {
    const cookie = getCookie(await authorize({}, { name: 'alice' }));
    const again = await authorize({}, { cookie });
    expect(decodeJwt((await exchange(getCode(again))).body.access_token ?? '').sub).toBe('alice');
    const asking = await authorize({ prompt: 'login' }, { cookie });
    expect(asking.status).toBe(200);
    expect(await asking.text()).toContain('value="alice"');
  });

  it('asks again if another page has set the cookie, and if the command line may be another page', async () => {
    const cookie = getCookie(await authorize({}, { name: 'alice' }));
    const [name] = cookie.split('=');
    const forged = `${name}=${Buffer.from('name=mallory').toString('base64url')}`;
    expect((await authorize({}, { cookie: forged })).status).toBe(200);
    expect((await authorize({}, { cookie: `${forged}; ${cookie}` })).status).toBe(303);
    const commandLine = { redirect_uri: 'http://127.0.0.1:4843/signed-in' };
    expect((await authorize(commandLine, { cookie })).status).toBe(200);
    expect((await authorize(commandLine, { cookie, name: 'alice' })).status).toBe(303);
  });

  it('puts the person into the workspaces that they enter, also in a session and after a refresh', async () => {
    const sent = await authorize({}, { name: 'alice', workspace: 'acme, globex', role: 'editor' });
    const claims = { org_id: ['acme', 'globex'], org_role: 'editor' };
    const { body } = await exchange(getCode(sent));
    expect(decodeJwt(body.access_token ?? '')).toMatchObject(claims);
    const refreshed = await requestToken({ grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' });
    expect(decodeJwt(refreshed.body.access_token ?? '')).toMatchObject(claims);
    const again = await exchange(getCode(await authorize({}, { cookie: getCookie(sent) })));
    expect(decodeJwt(again.body.access_token ?? '')).toMatchObject(claims);

    const one = await exchange(getCode(await authorize({}, { name: 'alice', workspace: ' acme ', role: '' })));
    expect(decodeJwt(one.body.access_token ?? '').org_id).toBe('acme');
    expect(decodeJwt(one.body.access_token ?? '')).not.toHaveProperty('org_role');
  });

  it('asks again if the name is empty', async () => {
    expect((await authorize({}, { name: ' ' })).status).toBe(200);
  });

  it('escapes markup in a name', async () => {
    const name = `"><script>alert('&')</script>`;
    const page = await authorize({ prompt: 'login' }, { cookie: getCookie(await authorize({}, { name })) });
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
    expect(await page.text()).toContain('value="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"');
  });

  it('returns any state to the client unchanged, and never includes it in the page', async () => {
    const state = '"><script>\r\nlocation: https://example.com/&code=x#';
    expect(await (await authorize({ state })).text()).not.toContain('example.com');
    const sent = await authorize({ state }, { name: 'alice' });
    expect(getTarget(sent).origin).toBe(origin);
    expect(getTarget(sent).searchParams.getAll('state')).toEqual([state]);
    expect(getTarget(sent).searchParams.getAll('code')).toHaveLength(1);
  });

  it.each([
    'https://example.com/console/signed-in',
    'https://localhost:3000/console/signed-in',
    'http://localhost.example.com/console/signed-in',
    'http://localhost@example.com/console/signed-in',
    'http://localhost:3001/console/signed-in',
    'http://user@localhost:3000/console/signed-in',
    'http://localhost:3000/console/signed-in?next=x',
    'http://localhost:3000/console/signed-in#x',
    'http://localhost:3000/console/../elsewhere',
    'http://localhost:3000/console/',
    'javascript:alert(1)//localhost/console/signed-in',
    '//localhost:3000/console/signed-in',
    '',
  ])('rejects the redirect address %s', async (foreign) => {
    for (const name of ['', 'alice']) {
      const { status, headers } = await authorize({ redirect_uri: foreign }, { name });
      expect(status).toBe(400);
      expect(headers.has('location')).toBe(false);
    }
  });

  it.each(['http://127.0.0.1:3000', 'http://localhost:5173'])('redirects to %s', async (own) => {
    const sent = await authorize({ redirect_uri: `${own}/console/signed-in` }, { name: 'alice' });
    expect(getTarget(sent).origin).toBe(own);
  });

  it('rejects another client', async () => {
    const { status, headers } = await authorize({ client_id: 'other' }, { name: 'alice' });
    expect([status, headers.has('location')]).toEqual([400, false]);
  });

  it.each<[string, Changes]>([
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_scope', { scope: 'email' }],
    ['invalid_request', { code_challenge: '' }],
    ['invalid_request', { code_challenge: verifier.slice(1) }],
    ['invalid_request', { code_challenge_method: 'plain' }],
  ])('redirects with the error %s for %j', async (error, changes) => {
    const { searchParams } = getTarget(await authorize(changes, { name: 'alice' }));
    expect(Object.fromEntries(searchParams)).toMatchObject({ error, state: parameters.state });
    expect(searchParams.has('code')).toBe(false);
  });
});

describe('a code', () => {
  const createCode = async () => getCode(await authorize({}, { name: 'alice' }));

  it('is valid once', async () => {
    const code = await createCode();
    expect((await exchange(code)).status).toBe(200);
    expect(await exchange(code)).toMatchObject(buildError('invalid_grant'));
  });

  it('is forgotten if a thousand others were created since', async () => {
    const cookie = getCookie(await authorize({}, { name: 'alice' }));
    const code = getCode(await authorize({}, { cookie }));
    for (let i = 0; i < 1_000; i++) await authorize({}, { cookie });
    expect((await exchange(code)).status).toBe(400);
  });

  it('is valid for a minute', async () => {
    const [early, late] = [await createCode(), await createCode()];
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 59_000 });
    expect((await exchange(early)).status).toBe(200);
    vi.setSystemTime(Date.now() + 1_000);
    expect(await exchange(late)).toMatchObject(buildError('invalid_grant'));
  });

  it.each<[string, Changes]>([
    ['another verifier', { code_verifier: randomBytes(32).toString('base64url') }],
    ['no verifier', { code_verifier: '' }],
    ['the challenge for a verifier', { code_verifier: parameters.code_challenge }],
    ['another address', { redirect_uri: 'http://127.0.0.1:3000/console/signed-in' }],
  ])('becomes invalid after an attempt with %s', async (_, changes) => {
    const code = await createCode();
    expect(await exchange(code, changes)).toMatchObject(buildError('invalid_grant'));
    expect(await exchange(code)).toMatchObject(buildError('invalid_grant'));
  });

  it('is rejected if unknown, and so are another client and another grant', async () => {
    expect(await exchange('canary')).toMatchObject(buildError('invalid_grant'));
    expect(await exchange(await createCode(), { client_id: 'other' })).toMatchObject(buildError('invalid_client'));
    expect(await requestToken({ grant_type: 'password' })).toMatchObject(buildError('unsupported_grant_type'));
  });
});

describe('a refresh token', () => {
  const refresh = (refresh_token = '') => requestToken({ grant_type: 'refresh_token', refresh_token });
  const signIn = async () => (await exchange(getCode(await authorize({}, { name: 'alice' })))).body;

  it('returns new tokens of the same user repeatedly', async () => {
    const { refresh_token, access_token } = await signIn();
    for (let i = 0; i < 2; i++) {
      const { status, body } = await refresh(refresh_token);
      expect(status).toBe(200);
      expect(body.access_token).not.toBe(access_token);
      expect(decodeStableClaims(body.access_token)).toEqual(decodeStableClaims(access_token));
      expect(decodeStableClaims(body.id_token)).toMatchObject({ sub: 'alice', aud: clientId });
    }
  });

  it('expires after a day', async () => {
    const { refresh_token } = await signIn();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_401_000 });
    expect(await refresh(refresh_token)).toMatchObject(buildError('invalid_grant'));
  });

  it('is invalid once revoked, without effect on others', async () => {
    const [revoked, other] = [await signIn(), await signIn()];
    const body = new URLSearchParams({ token: revoked.refresh_token ?? '', client_id: clientId });
    const answer = await fetch(`${issuer.url}/revoke`, { method: 'POST', headers: { origin }, body });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    expect(await refresh(revoked.refresh_token)).toMatchObject(buildError('invalid_grant'));
    expect((await refresh(other.refresh_token)).status).toBe(200);
  });

  it('cannot be replaced by another kind of token', async () => {
    const { access_token, id_token } = await signIn();
    for (const token of [access_token, id_token, 'canary'])
      expect(await refresh(token)).toMatchObject(buildError('invalid_grant'));
  });
});

describe('signing out', () => {
  const signOut = (query: Changes) =>
    fetch(`${issuer.url}/logout?${new URLSearchParams(query)}`, { redirect: 'manual' });

  it('ends the session, also for those who kept its cookie', async () => {
    const cookie = getCookie(await authorize({}, { name: 'alice' }));
    const query = new URLSearchParams({ post_logout_redirect_uri: `${origin}/console/` });
    await fetch(`${issuer.url}/logout?${query}`, { redirect: 'manual', headers: { cookie } });
    expect((await authorize({}, { cookie })).status).toBe(200);
  });

  it.each(['post_logout_redirect_uri', 'logout_uri'])('clears the session and redirects to the %s', async (field) => {
    const answer = await signOut({ [field]: `${origin}/console/`, state: 'x' });
    expect(getTarget(answer).href).toBe(`${origin}/console/?state=x`);
    expect(answer.headers.get('set-cookie')).toMatch(
      new RegExp(`^signed-in-${new URL(issuer.url).port}=; .*Max-Age=0`),
    );
  });

  it.each(['https://example.com/console/', `${origin}/elsewhere`, ''])(
    'rejects the redirect address %j',
    async (foreign) => {
      const { status, headers } = await signOut({ post_logout_redirect_uri: foreign });
      expect([status, headers.has('location')]).toEqual([400, false]);
    },
  );
});

describe('the issuer', () => {
  const discovery = `${issuer.url}/.well-known/openid-configuration`;

  it('serves its discovery document to a local console', async () => {
    const answer = await fetch(discovery, { headers: { origin } });
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    const { authorization_endpoint, token_endpoint, end_session_endpoint } = (await answer.json()) as Changes;
    const statuses = [authorization_endpoint, token_endpoint, end_session_endpoint].map(
      async (endpoint = '', i) => (await fetch(endpoint, { method: i === 1 ? 'POST' : 'GET' })).status,
    );
    expect(await Promise.all(statuses)).toEqual([400, 400, 400]); // the endpoints exist and reject empty requests
  });

  it.each(['https://example.com', 'http://localhost.example.com:3000', 'null'])(
    'forbids pages of %s to read its responses',
    async (foreign) => {
      const { headers } = await fetch(discovery, { headers: { origin: foreign } });
      expect(headers.has('access-control-allow-origin')).toBe(false);
    },
  );

  it('rejects other host names, to prevent DNS rebinding', async () => {
    const asking = requestHttp(discovery, { headers: { host: 'example.com' } }).end();
    const [answer] = await once(asking, 'response');
    answer.resume();
    expect(answer.statusCode).toBe(421);
  });

  it('signs nobody in for tools and webhooks', async () => {
    for (const agent of Object.values(userAgents)) {
      const response = await fetch(discovery, { headers: { 'user-agent': agent } });
      expect(response.status, agent).toBe(403);
    }
  });

  it.each([
    ['TRACE', '/authorize'],
    ['GET', '//'],
    ['PUT', '/token'],
  ])('has nothing for %s %s', async (method, path) => {
    const { hostname, port } = new URL(issuer.url);
    const asking = requestHttp({ hostname, port, method, path }).end();
    const [answer] = await once(asking, 'response');
    answer.resume();
    expect(answer.statusCode).toBe(404);
  });
});
