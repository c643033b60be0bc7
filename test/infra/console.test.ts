import { runInNewContext } from 'node:vm';
import { transform } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { caching, headers } from '../../infra/console/headers.ts';
import { changed, consoleOf, type Deployed, deployment, written } from '../support/console.ts';
import type { Role } from '../support/stacks.ts';

const stacks = changed({});
const [site, files] = consoleOf(stacks);
const bucket = site.one('AWS::S3::Bucket');
const distribution = site.one<{ DistributionConfig: Record<string, unknown> }>('AWS::CloudFront::Distribution');
const config = distribution.Properties.DistributionConfig;

describe('the bucket of the console', () => {
  test('is open to nobody', () => {
    expect(bucket.Properties).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
    expect(bucket.Properties).not.toHaveProperty('WebsiteConfiguration');
  });

  test('is read by this distribution alone, and by TLS', () => {
    const { Statement } = site.one<{ PolicyDocument: { Statement: Record<string, unknown>[] } }>(
      'AWS::S3::BucketPolicy',
    ).Properties.PolicyDocument;
    const [deny, emptier, reader, ...others] = Statement;
    expect(others).toEqual([]);
    expect(deny).toMatchObject({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } });
    expect(JSON.stringify(emptier?.Principal)).toContain('AutoDeleteObjects');
    expect(reader).toMatchObject({
      Principal: { Service: 'cloudfront.amazonaws.com' },
      // To list, too, so that S3 tells what is not there from what is forbidden.
      Action: ['s3:GetObject', 's3:ListBucket'],
    });
    expect(JSON.stringify(reader?.Condition)).toMatch(
      new RegExp(`^{"StringEquals":{"AWS:SourceArn":.*:distribution/",{"Ref":"${distribution.id}"}`),
    );
  });

  test('goes with its stack, and all that is in it', () => {
    expect(bucket.DeletionPolicy).toBe('Delete');
    expect(site.one<{ BucketName: unknown }>('Custom::S3AutoDeleteObjects').Properties.BucketName).toEqual({
      Ref: bucket.id,
    });
  });
});

describe('the distribution', () => {
  test('speaks HTTP/3, by TLS only, and compresses', () => {
    expect(config).toMatchObject({
      HttpVersion: 'http2and3',
      DefaultCacheBehavior: { ViewerProtocolPolicy: 'redirect-to-https', Compress: true },
    });
    expect(config).not.toHaveProperty('CacheBehaviors');
    expect(config).not.toHaveProperty('CustomErrorResponses'); // what is missing stays 404
  });

  test('is named unlike that of another region, where CloudFront is in none', () => {
    const { Name } = site.one<{ OriginAccessControlConfig: { Name: unknown } }>('AWS::CloudFront::OriginAccessControl')
      .Properties.OriginAccessControlConfig;
    const policy = site.one<{ ResponseHeadersPolicyConfig: { Name: unknown } }>(
      'AWS::CloudFront::ResponseHeadersPolicy',
    );
    const { Name: pages } = site.one<{ Name: unknown }>('AWS::CloudFront::Function').Properties;
    const names = [Name, policy.Properties.ResponseHeadersPolicyConfig.Name, pages];
    for (const name of names) expect(JSON.stringify(name)).toContain('{"Ref":"AWS::Region"}');
  });

  test('signs what it asks of its bucket', () => {
    const oac = site.one<{ OriginAccessControlConfig: object }>('AWS::CloudFront::OriginAccessControl');
    expect(config.Origins).toMatchObject([
      {
        DomainName: { 'Fn::GetAtt': [bucket.id, 'RegionalDomainName'] },
        OriginAccessControlId: { 'Fn::GetAtt': [oac.id, 'Id'] },
      },
    ]);
    expect(oac.Properties.OriginAccessControlConfig).toMatchObject({
      SigningBehavior: 'always',
    });
  });

  test('sends the headers that the local host sends, over whatever else there is', () => {
    interface Policy {
      ResponseHeadersPolicyConfig: {
        CustomHeadersConfig: { Items: { Header: string; Value: string; Override: boolean }[] };
        SecurityHeadersConfig: Record<string, Record<string, unknown>>;
      };
    }
    const { id, Properties } = site.one<Policy>('AWS::CloudFront::ResponseHeadersPolicy');
    expect(config.DefaultCacheBehavior).toMatchObject({ ResponseHeadersPolicyId: { Ref: id } });
    const { CustomHeadersConfig, SecurityHeadersConfig } = Properties.ResponseHeadersPolicyConfig;
    const all = [...CustomHeadersConfig.Items, ...Object.values(SecurityHeadersConfig)];
    expect(all.filter(({ Override }) => Override !== true)).toEqual([]);
    const { ContentSecurityPolicy, FrameOptions, ReferrerPolicy, StrictTransportSecurity } = SecurityHeadersConfig;
    const { AccessControlMaxAgeSec, IncludeSubdomains } = StrictTransportSecurity ?? {};
    expect(SecurityHeadersConfig).toHaveProperty('ContentTypeOptions'); // which can say one thing only
    expect({
      ...Object.fromEntries(CustomHeadersConfig.Items.map(({ Header, Value }) => [Header, Value])),
      'content-security-policy': ContentSecurityPolicy?.ContentSecurityPolicy,
      'x-frame-options': FrameOptions?.FrameOption,
      'referrer-policy': ReferrerPolicy?.ReferrerPolicy,
      'strict-transport-security': `max-age=${AccessControlMaxAgeSec}${IncludeSubdomains ? '; includeSubDomains' : ''}`,
      'x-content-type-options': 'nosniff',
    }).toEqual(headers);
  });

  describe('before it looks for a file', () => {
    const code = site.one<{ FunctionCode: string }>('AWS::CloudFront::Function');
    // As it is deployed: nothing from outside is there.
    const handler = runInNewContext(`${code.Properties.FunctionCode}; handler`);
    const asked = (uri: string) => JSON.parse(JSON.stringify(handler({ version: '1.0', request: { uri } })));

    test('is written in the language that CloudFront knows', async () => {
      const supported = { 'const-and-let': true };
      await transform(code.Properties.FunctionCode, { target: 'es5', supported });
      await expect(transform('const { uri } = request', { target: 'es5', supported })).rejects.toThrow(/destructuring/);
    });

    test('has the function see each request', () => {
      expect(config.DefaultCacheBehavior).toMatchObject({
        FunctionAssociations: [
          { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [code.id, 'FunctionARN'] } },
        ],
      });
    });

    test.each(['/', '/console', '/console//', '/console///x', '/console/a//b', '/console/a//'])(
      'leads to its start: %s',
      (uri) => {
        expect(asked(uri)).toEqual({ statusCode: 302, headers: { location: { value: '/console/' } } });
      },
    );

    test.each(['/console/', '/console/assistants', '/console/a/b/', '/console/v1.2/x', '/console/signed-in'])(
      'takes it for a page: %s',
      (uri) => {
        expect(asked(uri).uri).toBe('/console/index.html');
      },
    );

    test.each([
      ['/docs', '/console/docs/index.html'],
      ['/docs/', '/console/docs/index.html'],
      ['/openapi.json', '/console/openapi.json'],
    ])('finds the API reference among the files of the console: %s', (uri, file) => {
      expect(asked(uri).uri).toBe(file);
    });

    test.each([
      '/console/docs/swagger-ui.css',
      '/docs/index.html',
      '/console/assets/index-C0ffee.js',
      '/console/config.json',
      '/console/a/x.png',
      '/console/.sources',
      '/favicon.ico',
      '/consoles',
      '/other/console/',
      '',
    ])('takes it for a file: %j', (uri) => {
      expect(asked(uri).uri).toBe(uri);
    });
  });
});

describe('what is put there', () => {
  const deployments = files.all<Deployed>('Custom::CDKBucketDeployment');
  test('is kept for good where its name tells its content, and nothing else is', () => {
    const told = deployments.map(({ Properties: { Include, Exclude, SystemMetadata } }) => [
      { Include, Exclude },
      SystemMetadata,
    ]);
    expect(told).toEqual([
      [{ Exclude: ['*'], Include: ['assets/*'] }, { 'cache-control': caching.hashed }],
      [{}, { 'cache-control': caching.config }],
      [{ Exclude: ['assets/*'] }, { 'cache-control': caching.named }],
    ]);
  });

  test('leaves what pages that are open still need, and the page comes last', () => {
    for (const { Properties } of deployments)
      expect(Properties).toMatchObject({ Prune: false, DestinationBucketKeyPrefix: 'console' });
    expect(deployment(stacks, 'Named').DependsOn).toEqual(
      expect.arrayContaining([deployment(stacks, 'Hashed').id, deployment(stacks, 'Config').id]),
    );
  });

  test('tells the console where it runs', () => {
    expect(JSON.parse(written(stacks, 'Config', 'config.json'))).toEqual({
      api: 'https://{Api}.execute-api.{AWS::Region}.{AWS::URLSuffix}/{ApiDeploymentStageown}',
      issuer: '{StorageUsers.ProviderURL}',
      clientId: '{StorageUsersConsole}',
      scope: 'openid email profile',
    });
  });

  test('has a page that may talk to the API, the issuer, its pages and the bucket, and to nobody else', () => {
    const page = written(stacks, 'Named', 'index.html');
    expect(page).toContain(
      [
        "connect-src 'self'",
        'https://{Api}.execute-api.{AWS::Region}.{AWS::URLSuffix}/{ApiDeploymentStageown}/',
        '{StorageUsers.ProviderURL}/',
        'https://{StorageUsersPages}.auth.{AWS::Region}.amazoncognito.com',
        'https://{StorageFiles.RegionalDomainName}"',
      ].join(' '),
    );
    expect(page).toMatch(/^<!doctype html><meta charset="utf-8" \/>\s*<meta http-equiv="Content-Security-Policy"/);
  });

  test('has the API reference under the same policy, and its document with the address of this API', () => {
    const [policy] = /<meta http-equiv.*>/.exec(written(stacks, 'Named', 'index.html')) ?? [];
    expect(written(stacks, 'Named', 'docs/index.html')).toContain(policy);
    expect(JSON.parse(written(stacks, 'Named', 'openapi.json'))).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'https://{Api}.execute-api.{AWS::Region}.{AWS::URLSuffix}/{ApiDeploymentStageown}' }],
    });
  });

  test('may do no more than that', () => {
    const { Policies, ManagedPolicyArns } = files.one<Role>('AWS::IAM::Role').Properties;
    expect(ManagedPolicyArns).toBeUndefined();
    expect(Policies?.flatMap(({ PolicyDocument }) => PolicyDocument.Statement.flatMap(({ Action }) => Action))).toEqual(
      ['logs:CreateLogStream', 'logs:PutLogEvents', 's3:ListBucket', 's3:PutObject', 's3:GetObject'],
    );
    expect(files.all('AWS::IAM::Policy')).toEqual([]);
  });
});
