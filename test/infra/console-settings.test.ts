import { describe, expect, test } from 'vitest';
import { settingsOf } from '../../infra/config.ts';
import { changed, consoleOf, prod, written } from '../support/console.ts';
import { build, reviewed } from '../support/stacks.ts';

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
    const { CallbackURLs, LogoutURLs, ...client } =
      stacks.storage.one<Record<string, unknown[]>>('AWS::Cognito::UserPoolClient').Properties;
    expect(client).toMatchObject({ AllowedOAuthFlows: ['code'], AllowedOAuthScopes: ['openid', 'email', 'profile'] });
    expect(client).not.toHaveProperty('GenerateSecret');
    expect([CallbackURLs?.length, LogoutURLs?.length]).toEqual([1, 1]);
    expect(JSON.stringify(CallbackURLs)).toMatch(/DomainName"\]\},"\/console\/signed-in"/);
    expect(JSON.stringify(LogoutURLs)).toMatch(/DomainName"\]\},"\/console\/"/);
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

  test('may have a client and scopes of its own, which a user pool has not', () => {
    const console = { clientId: 'spa', scope: 'openid api://voice/.default' };
    expect(JSON.parse(written(changed({ identity, console }), 'Config', 'config.json'))).toMatchObject(console);
    expect(() => settingsOf('own', { own: { ...prod, console } })).toThrow(
      'console may name a client and scopes only where identity.kind is "oidc"',
    );
  });
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
    expect(own.storage.one<Record<string, unknown>>('AWS::Cognito::UserPoolClient').Properties.CallbackURLs).toEqual([
      'https://console.example.com/console/signed-in',
    ]);
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
  const { console: _, ...without } = prod;
  const own = build('own', without);

  test('nothing of it is there, and nobody signs in by a browser', () => {
    expect([own.console, own.consoleFiles]).toEqual([undefined, undefined]);
    const types = own.storage.resources
      .map(({ Type }) => Type)
      .filter((type) => /CloudFront|UserPoolDomain|Branding/.test(type));
    expect(types).toEqual([]);
    expect(own.storage.outputs).not.toHaveProperty('ConsoleUrl');
    expect(own.storage.one('AWS::Cognito::UserPoolClient').Properties).toMatchObject({
      AllowedOAuthFlowsUserPoolClient: false,
    });
    expect(own.functionOf('assistants/list').Properties.Environment.Variables.CORS_ORIGINS).toBe('');
  });

  test('the stacks pass the review', () => {
    reviewed('own', without);
  });
});
