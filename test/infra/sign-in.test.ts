import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getSettings } from '../../infra/config.ts';
import { checkDiscovery } from '../../infra/settings/discovery.ts';
import { getKeysUri } from '../../infra/settings/providers.ts';
import type { Settings } from '../../infra/settings.ts';
import { buildProdStacks, prod } from '../support/console.ts';
import { reviewStacks } from '../support/stacks.ts';

const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47';

/** Returns the faults of an environment with prod's settings, a separate console client, and `different`. */
function listFaults(different: Record<string, unknown>): string {
  try {
    getSettings('own', { own: { ...prod, console: { clientId: 'spa' }, ...different } });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const oidc = (issuer: string, audience = 'voice') => ({ kind: 'oidc', issuer, audience });

/** Reads the settings shown in docs/sign-in.md, by heading. */
function readExamples(): [string, Record<string, unknown>][] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/sign-in.md'), 'utf8');
  return page.split(/^## /m).flatMap((section) => {
    const [, code] = /```ts\n([\s\S]*?)```/.exec(section) ?? [];
    return code ? [[section.split('\n', 1)[0] ?? '', runInNewContext(`({${code}})`)]] : [];
  });
}

describe('docs/sign-in.md', () => {
  const examples = readExamples();

  test('has an example for each provider', () => {
    expect(examples.map(([heading]) => heading)).toEqual(['Auth0', 'Okta', 'Entra ID', 'Keycloak', 'Clerk', 'Google']);
  });

  test.each(examples)('shows valid settings: %s', (_, settings) => {
    expect(listFaults(settings)).toBe('');
    expect(() => buildProdStacks(settings)).not.toThrow();
  });
});

describe('the settings of an issuer', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['Google', { identity: oidc('https://accounts.google.com') }, 'identity.issuer cannot be Google'],
    [
      "Okta's org server",
      { identity: oidc('https://dev-1.okta.com') },
      'identity.issuer must be a custom authorization server, such as https://dev-1.okta.com/oauth2/default',
    ],
    [
      'version 1 tokens of Entra',
      { identity: oidc(`https://sts.windows.net/${tenant}/`), console: undefined },
      'identity.issuer must be https://login.microsoftonline.com/<id of the tenant>/v2.0',
    ],
    [
      'all tenants of Entra',
      { identity: oidc('https://login.microsoftonline.com/common/v2.0'), console: undefined },
      'identity.issuer must be https://login.microsoftonline.com/<id of the tenant>/v2.0',
    ],
    [
      "Entra without the API's scope",
      { identity: oidc(`https://login.microsoftonline.com/${tenant}/v2.0`) },
      'console.scope must include a scope of the API',
    ],
    [
      'Auth0 without its slash',
      { identity: oidc('https://dev-1.eu.auth0.com'), console: undefined },
      'identity.issuer must end with a slash: https://dev-1.eu.auth0.com/',
    ],
    [
      'Auth0 without an audience',
      { identity: oidc('https://dev-1.eu.auth0.com/', 'https://voice') },
      'console.authorizeParams must have audience: "https://voice"',
    ],
    [
      'Google without a console',
      {
        identity: { kind: 'cognito', google: { clientId: '1.apps.googleusercontent.com', secretName: 'google' } },
        console: undefined,
      },
      'identity.google needs console',
    ],
  ])('are rejected if they cannot work: %s', (_, different, fault) => {
    expect(listFaults(different)).toContain(`\n- ${fault}`);
  });

  test.each([
    ['https://dev-1.okta.com/oauth2/default', 'https://dev-1.okta.com/oauth2/default/v1/keys'],
    [
      `https://login.microsoftonline.com/${tenant}/v2.0`,
      `https://login.microsoftonline.com/${tenant}/discovery/v2.0/keys`,
    ],
    ['https://dev-1.eu.auth0.com/', 'https://dev-1.eu.auth0.com/.well-known/jwks.json'],
    ['https://id.example.com/realms/voice', 'https://id.example.com/realms/voice/protocol/openid-connect/certs'],
    ['https://clerk.example.com', 'https://clerk.example.com/.well-known/jwks.json'],
  ])('derive the address of its keys: %s', (issuer, keys) => {
    expect(getKeysUri(issuer)).toBe(keys);
  });
});

describe('the discovery document of an issuer', () => {
  let document: object | undefined;
  const server = createServer((_, response) => {
    response.writeHead(document ? 200 : 404).end(JSON.stringify(document));
  });
  let issuer = '';
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const check = (different: Partial<Settings> = {}) =>
    checkDiscovery('own', { ...prod, identity: { kind: 'oidc', issuer, audience: 'voice' }, ...different });
  const consistent = () => ({
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    token_endpoint: `${issuer}/token`,
  });

  test('confirms valid settings', async () => {
    document = consistent();
    await expect(check()).resolves.toBeUndefined();
  });

  test('reports every contradiction to the settings', async () => {
    document = { issuer: `${issuer}/`, jwks_uri: `${issuer}/keys`, token_endpoint: 'https://oauth2.example.com/token' };
    await expect(check()).rejects.toThrow(
      [
        `The environment own contradicts ${issuer}/.well-known/openid-configuration. Fix it in infra/config.ts:`,
        `identity.issuer must be exactly "${issuer}/"`,
        `identity.jwksUri must be "${issuer}/keys"`,
        "console cannot sign in there: its policy allows no token endpoint at https://oauth2.example.com, another origin than the issuer's",
      ].join('\n- '),
    );
  });

  test('can have its token endpoint at any origin if there is no console', async () => {
    document = { ...consistent(), token_endpoint: 'https://oauth2.example.com/token' };
    await expect(check({ console: undefined })).resolves.toBeUndefined();
  });

  test('is optional: a missing or unreachable one is ignored', async () => {
    document = undefined;
    await expect(check()).resolves.toBeUndefined();
    const identity = { kind: 'oidc', issuer: 'https://issuer.invalid', audience: 'voice' } as const;
    await expect(check({ identity })).resolves.toBeUndefined();
  });
});

describe('signing in with Google', () => {
  const identity = {
    kind: 'cognito',
    google: { clientId: '1.apps.googleusercontent.com', secretName: 'voice/google' },
  } as const;
  const stacks = buildProdStacks({ identity });

  test('is offered on the sign-in pages, with a secret that no template contains', () => {
    const provider = stacks.storage.getOnly('AWS::Cognito::UserPoolIdentityProvider');
    expect(provider.Properties).toMatchObject({
      ProviderName: 'Google',
      ProviderDetails: {
        client_id: identity.google.clientId,
        client_secret: '{{resolve:secretsmanager:voice/google:SecretString:::}}',
        authorize_scopes: 'openid email profile',
      },
      AttributeMapping: { email: 'email', name: 'name' },
    });
    const clients = stacks.storage.list<{ SupportedIdentityProviders: unknown[] }>('AWS::Cognito::UserPoolClient');
    expect(clients.map(({ Properties }) => Properties.SupportedIdentityProviders)).toEqual([
      ['COGNITO'],
      [{ Ref: provider.id }, 'COGNITO'],
    ]);
  });

  test('outputs the redirect address that Google must allow', () => {
    expect(JSON.stringify(stacks.storage.outputs.GoogleRedirect?.Value)).toContain(
      '.amazoncognito.com/oauth2/idpresponse',
    );
    expect(buildProdStacks({}).storage.outputs).not.toHaveProperty('GoogleRedirect');
  });

  test('passes cdk-nag', () => {
    reviewStacks('own', { ...prod, identity });
  });
});
