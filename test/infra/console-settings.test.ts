import { describe, expect, test } from 'vitest';
import { settingsOf } from '../../infra/config.ts';
import { changed, consoleOf, prod, written } from '../support/console.ts';
import { build, reviewed, type Stacks } from '../support/stacks.ts';

type Client = Record<string, unknown[]>;
const clientsOf = ({ storage }: Stacks) => storage.all<Client>('AWS::Cognito::UserPoolClient');
const clientOf = (stacks: Stacks) => {
  const [, own] = clientsOf(stacks);
  if (!own) throw new Error('The console has no client of its own');
  return own;
};

const { console: _, ...withoutConsole } = prod;
const without = build('own', withoutConsole);

describe('the other stacks', () => {
  const stacks = changed({});
  /** As the root and the nested stacks know it. */
  const origin = /https:\/\/.*Distribution\w*DomainName/;

  test('let its origin in: the API, and the bucket of documents', () => {
    for (const id of ['assistants/list', 'fallback'])
      expect(JSON.stringify(stacks.functionOf(id).Properties.Environment.Variables.CORS_ORIGINS)).toMatch(origin);
    const { CorsConfiguration } = stacks.storage.one<{ CorsConfiguration: object }>('AWS::S3::Bucket').Properties;
    expect(JSON.stringify(CorsConfiguration)).toMatch(origin);
  });

  test('send people back to it alone, by code', () => {
    const { CallbackURLs, LogoutURLs, ...client } = clientOf(stacks).Properties;
    expect(client).toMatchObject({
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email', 'profile'],
      EnableTokenRevocation: true,
    });
    expect(client).not.toHaveProperty('GenerateSecret');
    expect([CallbackURLs?.length, LogoutURLs?.length]).toEqual([1, 1]);
    expect(JSON.stringify(CallbackURLs)).toMatch(/DomainName"\]\},"\/console\/signed-in"/);
    expect(JSON.stringify(LogoutURLs)).toMatch(/DomainName"\]\},"\/console\/"/);
  });

  test('take its tokens next to those of other apps, whose client is as it is without a console', () => {
    const clients = clientsOf(stacks);
    expect(clients).toHaveLength(2);
    expect(clientsOf(without)).toEqual(clients.slice(0, 1));
    expect(stacks.meaning(stacks.functionOf('assistants/list').Properties.Environment.Variables.AUDIENCES)).toBe(
      clients.map(({ id }) => `storage ${id}`).join(' '),
    );
  });

  test('have pages for that, with a style', () => {
    const { ManagedLoginVersion, Domain } =
      stacks.storage.one<Record<string, unknown>>('AWS::Cognito::UserPoolDomain').Properties;
    expect(ManagedLoginVersion).toBe(2);
    expect(JSON.stringify(Domain)).toMatch(/"voice-assistants-own-".*AWS::StackId/);
    expect(stacks.storage.one('AWS::Cognito::ManagedLoginBranding').Properties).toMatchObject({
      UseCognitoProvidedValues: true,
    });
  });

  test('tell where it is', () => {
    expect(JSON.stringify(stacks.storage.outputs.ConsoleUrl?.Value)).toMatch(/DomainName"\]\},"\/console\/"/);
  });
});

describe('a console of another issuer', () => {
  const identity = { kind: 'oidc', issuer: 'https://id.example.com/voice', audience: 'voice' } as const;

  test('signs in as the client that the API takes, and asks for a token that it can renew by', () => {
    const own = changed({ identity });
    expect(JSON.parse(written(own, 'Config', 'config.json'))).toMatchObject({
      issuer: identity.issuer,
      clientId: 'voice',
      scope: 'openid profile email offline_access',
    });
    expect(written(own, 'Named', 'index.html')).toContain(' https://id.example.com https://{Storage');
  });

  test('may have a client, scopes and parameters of its own, which a user pool has not', () => {
    const authorizeParams = { audience: 'voice' };
    const console = { clientId: 'spa', scope: 'openid api://voice/.default', authorizeParams };
    expect(JSON.parse(written(changed({ identity, console }), 'Config', 'config.json'))).toMatchObject(console);
    expect(() => settingsOf('own', { own: { ...prod, console } })).toThrow(
      'console may name a client, scopes and parameters only where identity.kind is "oidc"',
    );
  });
});

test('a console sets the parameters of the protocol itself', () => {
  const identity = { kind: 'oidc', issuer: 'https://id.example.com', audience: 'voice' };
  const console = { authorizeParams: { audience: 'voice', state: 'x' } };
  expect(() => settingsOf('own', { own: { ...prod, identity, console } })).toThrow(
    'console.authorizeParams.state is set by the console itself',
  );
});

describe('a console with a domain', () => {
  const domain = {
    name: 'console.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b',
    hostedZoneId: 'Z0123456789ABC',
  };
  const own = changed({ console: { domain } });
  const [site] = consoleOf(own);

  test('is served under it, by TLS 1.2 and later', () => {
    expect(
      site.one<{ DistributionConfig: object }>('AWS::CloudFront::Distribution').Properties.DistributionConfig,
    ).toMatchObject({
      Aliases: ['console.example.com'],
      ViewerCertificate: { AcmCertificateArn: domain.certificateArn, MinimumProtocolVersion: 'TLSv1.2_2021' },
    });
    expect(own.storage.outputs.ConsoleUrl?.Value).toBe('https://console.example.com/console/');
    expect(clientOf(own).Properties.CallbackURLs).toEqual(['https://console.example.com/console/signed-in']);
    expect(own.functionOf('assistants/list').Properties.Environment.Variables.CORS_ORIGINS).toBe(
      'https://console.example.com',
    );
  });

  test('has its records where its zone is given, and says where they must lead to', () => {
    const records = site.all<{ Name: string; Type: string }>('AWS::Route53::RecordSet');
    expect(records.map(({ Properties: { Name, Type } }) => [Name, Type])).toEqual([
      ['console.example.com', 'A'],
      ['console.example.com', 'AAAA'],
    ]);
    expect(own.storage.outputs).toHaveProperty('ConsoleDomainTarget');
  });

  test('passes the review', () => {
    reviewed('own', { ...prod, console: { domain } });
  });

  test('needs a certificate of us-east-1', () => {
    const certificateArn = domain.certificateArn.replace('us-east-1', 'eu-central-1');
    expect(() => settingsOf('own', { own: { ...prod, console: { domain: { ...domain, certificateArn } } } })).toThrow(
      'console.domain.certificateArn must be in us-east-1',
    );
  });
});

describe('without a console', () => {
  test('nothing of it is there, and nobody signs in by a browser', () => {
    expect([without.console, without.consoleFiles]).toEqual([undefined, undefined]);
    const types = without.storage.resources
      .map(({ Type }) => Type)
      .filter((type) => /CloudFront|UserPoolDomain|Branding/.test(type));
    expect(types).toEqual([]);
    expect(without.storage.outputs).not.toHaveProperty('ConsoleUrl');
    expect(without.storage.one('AWS::Cognito::UserPoolClient').Properties).toMatchObject({
      AllowedOAuthFlowsUserPoolClient: false,
    });
    expect(without.functionOf('assistants/list').Properties.Environment.Variables.CORS_ORIGINS).toBe('');
  });

  test('the stacks pass the review', () => {
    reviewed('own', withoutConsole);
  });
});
