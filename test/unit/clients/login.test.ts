import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { UserError } from '../../../clients/cli/errors.ts';
import { connect } from '../../../clients/cli/login/connect.ts';
import { readTokens } from '../../../clients/cli/login/read-tokens.ts';
import { readLogin, saveLogin } from '../../../clients/cli/login/saved-login.ts';
import { readConsoleConfig, signIn } from '../../../clients/cli/login/sign-in.ts';
import { type ScriptedAnswer, startPlatformApi } from '../../support/platform-api.ts';

const usualAnswer = { access_token: 'next', refresh_token: 'second' };

/** Starts an API that is its own identity provider, with an expired login to it in a temporary home. */
async function startExpired(answer: ScriptedAnswer | ScriptedAnswer[]) {
  const home = mkdtempSync(join(tmpdir(), 'voice-assistants-login-'));
  vi.stubEnv('XDG_CONFIG_HOME', home);
  for (const name of ['VA_URL', 'VA_TOKEN', 'VA_WORKSPACE']) vi.stubEnv(name, undefined);
  const api = await startPlatformApi({
    'GET /protected': { json: { data: { user_id: 'ann', workspace: null } } },
    'GET /assistants': { json: [] },
    'POST /token': answer,
  });
  onTestFinished(() => {
    api.stop();
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true });
  });
  const renewal = { tokenEndpoint: `${api.url}/token`, clientId: 'cli', refreshToken: 'first', expiresAt: 0 };
  saveLogin({ url: api.url, token: 'old', renewal });
  return api;
}

test('an expired login is renewed once for all requests that wait', async () => {
  const short: ScriptedAnswer = { json: { ...usualAnswer, expires_in: 0 } };
  const api = await startExpired([short, { json: { ...usualAnswer, refresh_token: 'third' } }]);
  const { client } = await connect({});
  await Promise.all([client.GET('/assistants'), client.GET('/assistants'), client.GET('/assistants')]);
  await client.GET('/assistants');
  const renewals = api.requests.filter(({ path }) => path === '/token');
  expect(renewals.map(({ body }) => new URLSearchParams(body).get('refresh_token'))).toEqual(['first', 'second']);
  expect(readLogin()).toMatchObject({ token: 'next', renewal: { refreshToken: 'third' } });
});

test.each<[what: string, answer: ScriptedAnswer, message: string]>([
  ['refuses', { status: 400, body: '{"error": "invalid_grant"}' }, 'The login has expired'],
  ['is broken', { status: 503, body: '<html>' }, 'did not answer as expected: status 503'],
  ['breaks off', { cut: true }, 'did not answer as expected'],
  ['issues no token', { json: { token_type: 'Bearer' } }, 'The identity provider issued no token'],
])('a login is left as it is, and the reason told, if the identity provider %s', async (_, answer, message) => {
  await startExpired(answer);
  await expect(connect({})).rejects.toThrow(message);
  expect(readLogin()?.token).toBe('old');
});

test('a login is not said to have expired if nobody answers', async () => {
  const api = await startExpired({ json: usualAnswer });
  api.stop();
  await expect(connect({})).rejects.toThrow(`${api.url} does not answer`);
});

test('a token is taken for an hour if the identity provider does not say how long it is valid', () => {
  for (const answer of [usualAnswer, { ...usualAnswer, expires_in: 'soon' }])
    expect(readTokens(answer).expiresAt - Date.now()).toBeGreaterThan(3_590_000);
});

const otherSchemes = ['file:///evil.exe', 'ms-msdt:/id', 'javascript:alert(1)', 'http://example.com/authorize'];

test('an endless answer of a console is not read to its end', async () => {
  let sent = 0;
  const server = createServer(async (_, response) => {
    response.on('error', () => {});
    for (; !response.destroyed; sent += 1_000_000)
      if (!response.write(' '.repeat(1_000_000)))
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(readConsoleConfig(`http://127.0.0.1:${port}`)).rejects.toThrow('did not answer as expected');
  expect(sent).toBeLessThan(50_000_000);
});

test.each<object>([
  {},
  { authorization_endpoint: 'https://example.com' },
  { authorization_endpoint: 7, token_endpoint: '/x' },
  ...otherSchemes.map((one) => ({ authorization_endpoint: one, token_endpoint: 'https://example.com/token' })),
  { authorization_endpoint: 'https://example.com/authorize', token_endpoint: 'http://example.com/token' },
])('a sign-in at an identity provider that names %j as its endpoints is refused', async (json) => {
  const { url, stop } = await startPlatformApi({ 'GET /.well-known/openid-configuration': { json } });
  onTestFinished(stop);
  const config = { api: url, issuer: url, clientId: 'cli', scope: 'openid', voiceServers: [], ocrLanguages: [] };
  const failure = await signIn(config, { port: 0, opensBrowser: false }).catch((error: Error) => error);
  expect(failure).toBeInstanceOf(UserError);
  expect((failure as Error).message).toContain('is no identity provider');
});
