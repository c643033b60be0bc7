import { runInNewContext } from 'node:vm';
import { transform } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { cacheControl, headers } from '../../infra/stacks/console/headers.ts';
import {
  type BucketDeployment,
  buildProdStacks,
  getBucketDeployment,
  getConsoleStacks,
  readDeployedFile,
} from '../support/console.ts';
import type { Role } from '../support/stacks.ts';

const stacks = buildProdStacks({});
const [site, files] = getConsoleStacks(stacks);
const bucket = site.getOnly('AWS::S3::Bucket');
const distribution = site.getOnly<{ DistributionConfig: Record<string, unknown> }>('AWS::CloudFront::Distribution');
const config = distribution.Properties.DistributionConfig;

describe('the bucket of the console', () => {
  test('blocks public access', () => {
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

  test('allows reads only by this distribution, over TLS', () => {
    const { Statement } = site.getOnly<{ PolicyDocument: { Statement: Record<string, unknown>[] } }>(
      'AWS::S3::BucketPolicy',
    ).Properties.PolicyDocument;
    const [deny, emptier, reader, ...others] = Statement;
    expect(others).toEqual([]);
    expect(deny).toMatchObject({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } });
    expect(JSON.stringify(emptier?.Principal)).toContain('AutoDeleteObjects');
    expect(reader).toMatchObject({
      Principal: { Service: 'cloudfront.amazonaws.com' },
      // The list permission makes S3 answer 404 instead of 403 for missing objects.
      Action: ['s3:GetObject', 's3:ListBucket'],
    });
    expect(JSON.stringify(reader?.Condition)).toMatch(
      new RegExp(`^{"StringEquals":{"AWS:SourceArn":.*:distribution/",{"Ref":"${distribution.id}"}`),
    );
  });

  test('is deleted with its stack and all its objects', () => {
    expect(bucket.DeletionPolicy).toBe('Delete');
    expect(site.getOnly<{ BucketName: unknown }>('Custom::S3AutoDeleteObjects').Properties.BucketName).toEqual({
      Ref: bucket.id,
    });
  });
});

describe('the distribution', () => {
  test('serves HTTP/3, over TLS only, and compresses', () => {
    expect(config).toMatchObject({
      HttpVersion: 'http2and3',
      DefaultCacheBehavior: { ViewerProtocolPolicy: 'redirect-to-https', Compress: true },
    });
    expect(config).not.toHaveProperty('CacheBehaviors');
    expect(config).not.toHaveProperty('CustomErrorResponses'); // missing files stay 404
  });

  test('has the region in its names, because CloudFront is global', () => {
    const { Name } = site.getOnly<{ OriginAccessControlConfig: { Name: unknown } }>(
      'AWS::CloudFront::OriginAccessControl',
    ).Properties.OriginAccessControlConfig;
    const policy = site.getOnly<{ ResponseHeadersPolicyConfig: { Name: unknown } }>(
      'AWS::CloudFront::ResponseHeadersPolicy',
    );
    const { Name: pages } = site.getOnly<{ Name: unknown }>('AWS::CloudFront::Function').Properties;
    const names = [Name, policy.Properties.ResponseHeadersPolicyConfig.Name, pages];
    for (const name of names) expect(JSON.stringify(name)).toContain('{"Ref":"AWS::Region"}');
  });

  test('signs its requests to the bucket', () => {
    const oac = site.getOnly<{ OriginAccessControlConfig: object }>('AWS::CloudFront::OriginAccessControl');
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

  test('sends the same headers as the local host, overriding all others', () => {
    interface Policy {
      ResponseHeadersPolicyConfig: {
        CustomHeadersConfig: { Items: { Header: string; Value: string; Override: boolean }[] };
        SecurityHeadersConfig: Record<string, Record<string, unknown>>;
      };
    }
    const { id, Properties } = site.getOnly<Policy>('AWS::CloudFront::ResponseHeadersPolicy');
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

  describe('the viewer request function', () => {
    const code = site.getOnly<{ FunctionCode: string }>('AWS::CloudFront::Function');
    // Runs the deployed code without any globals of Node.
    const handler = runInNewContext(`${code.Properties.FunctionCode}; handler`);
    const route = (uri: string) => JSON.parse(JSON.stringify(handler({ version: '1.0', request: { uri } })));

    test('uses only syntax that CloudFront supports', async () => {
      const supported = { 'const-and-let': true };
      await transform(code.Properties.FunctionCode, { target: 'es5', supported });
      await expect(transform('const { uri } = request', { target: 'es5', supported })).rejects.toThrow(/destructuring/);
    });

    test('handles every request', () => {
      expect(config.DefaultCacheBehavior).toMatchObject({
        FunctionAssociations: [
          { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [code.id, 'FunctionARN'] } },
        ],
      });
    });

    test.each(['/', '/console', '/console//', '/console///x', '/console/a//b', '/console/a//'])(
      'redirects to the start page: %s',
      (uri) => {
        expect(route(uri)).toEqual({ statusCode: 302, headers: { location: { value: '/console/' } } });
      },
    );

    test.each(['/console/', '/console/assistants', '/console/a/b/', '/console/v1.2/x', '/console/signed-in'])(
      'serves the page: %s',
      (uri) => {
        expect(route(uri).uri).toBe('/console/index.html');
      },
    );

    test.each([
      ['/docs', '/console/docs/index.html'],
      ['/docs/', '/console/docs/index.html'],
      ['/openapi.json', '/console/openapi.json'],
    ])('serves the API reference: %s', (uri, file) => {
      expect(route(uri).uri).toBe(file);
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
    ])('serves the file itself: %j', (uri) => {
      expect(route(uri).uri).toBe(uri);
    });
  });
});

describe('a deployment of the console', () => {
  const deployments = files.list<BucketDeployment>('Custom::CDKBucketDeployment');
  test('lets browsers cache only hashed files forever', () => {
    const cacheControls = deployments.map(({ Properties: { Include, Exclude, SystemMetadata } }) => [
      { Include, Exclude },
      SystemMetadata,
    ]);
    expect(cacheControls).toEqual([
      [{ Exclude: ['*'], Include: ['assets/*'] }, { 'cache-control': cacheControl.hashed }],
      [{}, { 'cache-control': cacheControl.config }],
      [{ Exclude: ['assets/*'] }, { 'cache-control': cacheControl.named }],
    ]);
  });

  test('keeps the files that open pages still need, and uploads the page last', () => {
    for (const { Properties } of deployments)
      expect(Properties).toMatchObject({ Prune: false, DestinationBucketKeyPrefix: 'console' });
    expect(getBucketDeployment(stacks, 'Named').DependsOn).toEqual(
      expect.arrayContaining([getBucketDeployment(stacks, 'Hashed').id, getBucketDeployment(stacks, 'Config').id]),
    );
  });

  test('writes the configuration of the console', () => {
    expect(JSON.parse(readDeployedFile(stacks, 'Config', 'config.json'))).toEqual({
      api: 'https://{Api}.execute-api.{AWS::Region}.{AWS::URLSuffix}/{ApiDeploymentStageown}',
      issuer: '{StorageUsers.ProviderURL}',
      clientId: '{StorageUsersConsole}',
      scope: 'openid email profile',
      voiceServers: [],
      ocrLanguages: ['en', 'de', 'es', 'fr', 'ar', 'ko', 'zh-Hans'],
    });
  });

  test('lets the page connect only to the API, the issuer, its sign-in pages and the bucket', () => {
    const page = readDeployedFile(stacks, 'Named', 'index.html');
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

  test("applies the same policy to the API reference, and sets this API's address in its document", () => {
    const [policy] = /<meta http-equiv.*>/.exec(readDeployedFile(stacks, 'Named', 'index.html')) ?? [];
    expect(readDeployedFile(stacks, 'Named', 'docs/index.html')).toContain(policy);
    expect(JSON.parse(readDeployedFile(stacks, 'Named', 'openapi.json'))).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'https://{Api}.execute-api.{AWS::Region}.{AWS::URLSuffix}/{ApiDeploymentStageown}' }],
    });
  });

  test('has no other permissions', () => {
    const { Policies, ManagedPolicyArns } = files.getOnly<Role>('AWS::IAM::Role').Properties;
    expect(ManagedPolicyArns).toBeUndefined();
    expect(Policies?.flatMap(({ PolicyDocument }) => PolicyDocument.Statement.flatMap(({ Action }) => Action))).toEqual(
      ['logs:CreateLogStream', 'logs:PutLogEvents', 's3:ListBucket', 's3:PutObject', 's3:GetObject'],
    );
    expect(files.list('AWS::IAM::Policy')).toEqual([]);
  });
});
