import { describe, expect, test } from 'vitest';
import { getSettings } from '../../infra/config.ts';
import { buildProdStacks, getConsoleStacks, prod, readDeployedFile } from '../support/console.ts';
import { buildStacks, reviewStacks, type Stacks } from '../support/stacks.ts';

type Client = Record<string, unknown[]>;
const listClients = ({ storage }: Stacks) => storage.list<Client>('AWS::Cognito::UserPoolClient');
const getConsoleClient = (stacks: Stacks) => {
  const [, own] = listClients(stacks);
  if (!own) throw new Error('The console has no client of its own');
  return own;
};

const { console: _, ...withoutConsole } = prod;
const without = buildStacks('own', withoutConsole);

describe('the other stacks', () => {
  const stacks = buildProdStacks({});
  /** Matches the console's origin in the root stack and in nested stacks. */
  const origin = /https:\/\/.*Distribution\w*DomainName/;

  test("allow the console's origin in the API and the bucket of documents", () => {
    for (const id of ['assistants/list', 'fallback'])
      expect(JSON.stringify(stacks.getFunction(id).Properties.Environment.Variables.CORS_ORIGINS)).toMatch(origin);
    const { CorsConfiguration } = stacks.storage.getOnly<{ CorsConfiguration: object }>('AWS::S3::Bucket').Properties;
    expect(JSON.stringify(CorsConfiguration)).toMatch(origin);
  });

  test('redirect users only to the console and to the command line, with an authorization code', () => {
    const { CallbackURLs, LogoutURLs, ...client } = getConsoleClient(stacks).Properties;
    expect(client).toMatchObject({
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email', 'profile'],
      EnableTokenRevocation: true,
    });
    expect(client).not.toHaveProperty('GenerateSecret');
    expect([CallbackURLs?.length, LogoutURLs?.length]).toEqual([2, 1]);
    expect(CallbackURLs?.[1]).toBe('http://localhost:8976/signed-in');
    expect(JSON.stringify(CallbackURLs)).toMatch(/DomainName"\]\},"\/console\/signed-in"/);
    expect(JSON.stringify(LogoutURLs)).toMatch(/DomainName"\]\},"\/console\/"/);
  });

  test('accept its tokens next to those of other apps, and leave the client of those apps unchanged', () => {
    const clients = listClients(stacks);
    expect(clients).toHaveLength(2);
    expect(listClients(without)).toEqual(clients.slice(0, 1));
    expect(stacks.resolveValue(stacks.getFunction('assistants/list').Properties.Environment.Variables.AUDIENCES)).toBe(
      clients.map(({ id }) => `storage ${id}`).join(' '),
    );
  });

  test('have styled sign-in pages', () => {
    const { ManagedLoginVersion, Domain } =
      stacks.storage.getOnly<Record<string, unknown>>('AWS::Cognito::UserPoolDomain').Properties;
    expect(ManagedLoginVersion).toBe(2);
    expect(JSON.stringify(Domain)).toMatch(/"voice-assistants-own-".*AWS::StackId/);
    expect(stacks.storage.getOnly('AWS::Cognito::ManagedLoginBranding').Properties).toMatchObject({
      UseCognitoProvidedValues: true,
    });
  });

  test('output its address', () => {
    expect(JSON.stringify(stacks.storage.outputs.ConsoleUrl?.Value)).toMatch(/DomainName"\]\},"\/console\/"/);
  });
});

describe('a console with another issuer', () => {
  const identity = { kind: 'oidc', issuer: 'https://id.example.com/voice', audience: 'voice' } as const;

  test("signs in as the API's client, and requests a refresh token", () => {
    const own = buildProdStacks({ identity });
    expect(JSON.parse(readDeployedFile(own, 'Config', 'config.json'))).toMatchObject({
      issuer: identity.issuer,
      clientId: 'voice',
      scope: 'openid profile email offline_access',
    });
    expect(readDeployedFile(own, 'Named', 'index.html')).toContain(' https://id.example.com https://{Storage');
  });

  test('can have its own client, scopes and parameters, unlike a console with a user pool', () => {
    const authorizeParams = { audience: 'voice' };
    const console = { clientId: 'spa', scope: 'openid api://voice/.default', authorizeParams };
    expect(JSON.parse(readDeployedFile(buildProdStacks({ identity, console }), 'Config', 'config.json'))).toMatchObject(
      console,
    );
    expect(() => getSettings('own', { own: { ...prod, console } })).toThrow(
      'console may set clientId, scope and authorizeParams only if identity.kind is "oidc"',
    );
  });
});

test('a console rejects settings for parameters of the protocol', () => {
  const identity = { kind: 'oidc', issuer: 'https://id.example.com', audience: 'voice' };
  const console = { authorizeParams: { audience: 'voice', state: 'x' } };
  expect(() => getSettings('own', { own: { ...prod, identity, console } })).toThrow(
    'console.authorizeParams.state is set by the console itself',
  );
});

test('a console connects to the servers of LiveKit that its settings name', () => {
  const voiceServers = ['wss://*.livekit.cloud', 'wss://voice.example.com:7443'];
  const own = buildProdStacks({ console: { voiceServers } });
  expect(JSON.parse(readDeployedFile(own, 'Config', 'config.json'))).toMatchObject({ voiceServers });
  expect(readDeployedFile(own, 'Named', 'index.html')).toContain(
    ' wss://*.livekit.cloud https://*.livekit.cloud wss://voice.example.com:7443 https://voice.example.com:7443"',
  );
});

test.each([
  'https://clinic.livekit.cloud',
  'wss://*',
  'wss://clinic.livekit.cloud/',
  'wss:',
  'wss://a.b; script-src *',
])('a console rejects the server of LiveKit %s', (server) => {
  expect(() => getSettings('own', { own: { ...prod, console: { voiceServers: [server] } } })).toThrow(
    'must be wss:// and a host',
  );
});

describe('a console with a domain', () => {
  const domain = {
    name: 'console.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b',
    hostedZoneId: 'Z0123456789ABC',
  };
  const own = buildProdStacks({ console: { domain } });
  const [site] = getConsoleStacks(own);

  test('is served at that domain, with TLS 1.2 or later', () => {
    expect(
      site.getOnly<{ DistributionConfig: object }>('AWS::CloudFront::Distribution').Properties.DistributionConfig,
    ).toMatchObject({
      Aliases: ['console.example.com'],
      ViewerCertificate: { AcmCertificateArn: domain.certificateArn, MinimumProtocolVersion: 'TLSv1.2_2021' },
    });
    expect(own.storage.outputs.ConsoleUrl?.Value).toBe('https://console.example.com/console/');
    expect(getConsoleClient(own).Properties.CallbackURLs).toEqual([
      'https://console.example.com/console/signed-in',
      'http://localhost:8976/signed-in',
    ]);
    expect(own.getFunction('assistants/list').Properties.Environment.Variables.CORS_ORIGINS).toBe(
      'https://console.example.com',
    );
  });

  test('has DNS records if its hosted zone is set, and outputs their target', () => {
    const records = site.list<{ Name: string; Type: string }>('AWS::Route53::RecordSet');
    expect(records.map(({ Properties: { Name, Type } }) => [Name, Type])).toEqual([
      ['console.example.com', 'A'],
      ['console.example.com', 'AAAA'],
    ]);
    expect(own.storage.outputs).toHaveProperty('ConsoleDomainTarget');
  });

  test('passes cdk-nag', () => {
    reviewStacks('own', { ...prod, console: { domain } });
  });

  test('requires a certificate in us-east-1', () => {
    const certificateArn = domain.certificateArn.replace('us-east-1', 'eu-central-1');
    expect(() => getSettings('own', { own: { ...prod, console: { domain: { ...domain, certificateArn } } } })).toThrow(
      'console.domain.certificateArn must be in us-east-1',
    );
  });
});

describe('an environment without a console', () => {
  test('has no console resources and no browser sign-in', () => {
    expect([without.console, without.consoleFiles]).toEqual([undefined, undefined]);
    const types = without.storage.resources
      .map(({ Type }) => Type)
      .filter((type) => /CloudFront|UserPoolDomain|Branding/.test(type));
    expect(types).toEqual([]);
    expect(without.storage.outputs).not.toHaveProperty('ConsoleUrl');
    expect(without.storage.getOnly('AWS::Cognito::UserPoolClient').Properties).toMatchObject({
      AllowedOAuthFlowsUserPoolClient: false,
    });
    expect(without.getFunction('assistants/list').Properties.Environment.Variables.CORS_ORIGINS).toBe('');
  });

  test('passes cdk-nag', () => {
    reviewStacks('own', withoutConsole);
  });
});
