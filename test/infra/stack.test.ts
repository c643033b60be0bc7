import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environments } from '../../infra/config.ts';
import { routes } from '../../shared/routes/index.ts';
import { apiKeyKey, knowledgeBasesOf, partitionsOf, userKey } from '../../shared/store/keys.ts';
import { build, ids, type LambdaFunction, type Role, type Stacks } from '../support/stacks.ts';

interface Method {
  HttpMethod: string;
  ResourceId: unknown;
  Integration: { Type: string; Uri: unknown };
}

interface GatewayResponse {
  ResponseType: string;
  StatusCode?: string;
  ResponseParameters: Record<string, string>;
  ResponseTemplates: Record<string, string>;
}

/** The conditions of the rights to look up API keys, and to use the credentials' key. */
const rowsLike = (...keys: string[]) =>
  `{"ForAllValues:StringLike":{"dynamodb:LeadingKeys":${JSON.stringify(keys)}},"Null":{"dynamodb:LeadingKeys":"false"}`;
const onlyApiKeys = {
  look: ['GetItem', `${rowsLike('KEY#*')}}`],
  note: [
    'UpdateItem',
    `${rowsLike('KEY#*')},"ForAllValues:StringEquals":{"dynamodb:Attributes":["pk","sk","last_used_at"]}}`,
  ],
} as const;
/** Partition keys of a kind of rows. */
const patternOf = (kind: string) => (kind === 'keys' ? 'KEY#*' : `USER#*#${kind.toUpperCase()}`);
const onlyInContext =
  '{"Null":{"kms:EncryptionContext:user":"false","kms:EncryptionContext:service":"false","kms:EncryptionContext:name":"false"},' +
  '"ForAllValues:StringEquals":{"kms:EncryptionContextKeys":["user","service","name"]}}';

/** The rights of a role, one line each. */
function rightsOf({ meaning }: Stacks, { Policies = [] }: Role): string[] {
  const statements = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  return statements.flatMap(({ Effect, Action, Resource, Condition }) =>
    [Action]
      .flat()
      .flatMap((action) =>
        [Resource]
          .flat()
          .map((on) => `${Effect} ${action} on ${meaning(on)}${Condition ? ` if ${JSON.stringify(Condition)}` : ''}`),
      ),
  );
}

const all = Object.entries(environments).map(([name, settings]) => [name, build(name, settings)] as const);

describe.each(all)('in %s', (name, stacks) => {
  const { settings, storage, api, ingestion, monitoring, meaning, functions, functionOf, functionBehind, roleOf } =
    stacks;
  const restApi = api.one<{ EndpointConfiguration: unknown; Name: string }>('AWS::ApiGateway::RestApi');
  const { id: files } = storage.one('AWS::S3::Bucket');
  const key = storage.one<{ KeyPolicy: unknown }>('AWS::KMS::Key');
  const table = storage.one<{ KeySchema: unknown; Replicas: object[] }>('AWS::DynamoDB::GlobalTable');

  describe('the functions', () => {
    test('are one per route, and one for everything else', () => {
      expect(functions.map(({ Properties }) => Properties.Description).toSorted()).toEqual(ids.toSorted());
    });

    test.each(ids)('run their own code on Node 24 and arm64, and end before the gateway does: %s', (id) => {
      const { Properties } = functionOf(id);
      expect(Properties).toMatchObject({
        FunctionName: `voice-assistants-${name}-${id.replace('/', '-')}`,
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
      });
      expect(Properties.FunctionName.length).toBeLessThanOrEqual(64);
      expect(Properties.Timeout).toBeLessThan(29);
      const asset = `asset.${Properties.Code.S3Key.replace('.zip', '')}`;
      expect(readFileSync(join(stacks.outdir, asset, 'index.js'), 'utf8')).toBe(id);
    });

    test.each(ids)(
      'have the rights that the route needs on table and key, their own log, and nothing else: %s',
      (id) => {
        const needs = routes.find((route) => route.id === id)?.needs;
        const log = meaning(functionOf(id).Properties.LoggingConfig.LogGroup);
        const folders = Object.entries(needs?.files ?? {});
        const keyed = needs
          ? [onlyApiKeys.look, ...(/^api-keys\/(create|rotate)$/.test(id) ? [] : [onlyApiKeys.note])]
          : [];
        const rows = Object.entries(needs?.rows ?? {});
        const actions = new Set(rows.flatMap(([, made]) => made));
        const reads = (action: string) => /^(GetItem|BatchGetItem|Query)$/.test(action);
        // One right for all writes: a transaction names rows of several kinds.
        const rowsOf = (action: string) =>
          rows.flatMap(([kind, made]) =>
            made.some((one) => (reads(action) ? one === action : !reads(one))) ? [patternOf(kind)] : [],
          );
        const on = (action: string, rows: string) => `Allow dynamodb:${action} on storage ${table.id}.Arn if ${rows}`;
        const expected = [
          ...keyed.map(([action, rows]) => on(action, rows)),
          ...[...actions].map((action) => on(action, `${rowsLike(...rowsOf(action))}}`)),
          ...(needs?.indexes ?? []).map((index) => `Allow dynamodb:Query on storage ${table.id}.Arn/index/${index}`),
          ...(needs?.key ?? []).map((action) => `Allow kms:${action} on storage ${key.id}.Arn if ${onlyInContext}`),
          ...folders.flatMap(([folder, actions]) =>
            actions.map((action) => `Allow s3:${action} on storage ${files}.Arn/${folder}/*`),
          ),
          ...(folders.some(([, actions]) => actions.includes('GetObject'))
            ? [`Allow s3:ListBucket on storage ${files}.Arn`]
            : []),
          `Allow logs:CreateLogStream on ${log}.Arn`,
          `Allow logs:PutLogEvents on ${log}.Arn`,
        ];
        expect(rightsOf(stacks, roleOf(id)).toSorted()).toEqual(expected.toSorted());
      },
    );

    test("cannot decrypt but for the worker's read, and that only in the whole context, whatever the key policy says", () => {
      const rights = (id: string) =>
        rightsOf(stacks, roleOf(id)).filter((right) => /^Allow kms:(?!Encrypt )/.test(right));
      expect(Object.fromEntries(ids.map((id) => [id, rights(id)]).filter(([, found]) => found?.length))).toEqual({
        'assistants/runtime-config': [`Allow kms:Decrypt on storage ${key.id}.Arn if ${onlyInContext}`],
      });
      expect(JSON.stringify(key.Properties)).not.toMatch(/lambda|kms:Decrypt/);
    });

    test('are waited for by the gateway a little shorter than they may take', () => {
      for (const { Properties } of api.all<{ Integration: { TimeoutInMillis: number } }>('AWS::ApiGateway::Method')) {
        for (const { Properties: own } of functions) {
          expect(Properties.Integration.TimeoutInMillis).toBeLessThan(own.Timeout * 1000);
        }
      }
    });

    test('have a role and a log group each, which no other has', () => {
      for (const property of ['Role', 'LoggingConfig'] as const) {
        const own = functions.map(({ Properties }) => JSON.stringify(Properties[property]));
        expect(new Set(own).size).toBe(ids.length);
      }
    });

    test.each(ids)('have no rights from elsewhere, and none with a *: %s', (id) => {
      const role = roleOf(id);
      expect(role.AssumeRolePolicyDocument.Statement.map(({ Principal }) => Principal)).toEqual([
        { Service: 'lambda.amazonaws.com' },
      ]);
      expect(role.ManagedPolicyArns ?? []).toEqual([]);
      expect(api.resources.filter(({ Type }) => /^AWS::IAM::(Policy|ManagedPolicy|RolePolicy)$/.test(Type))).toEqual(
        [],
      );
      const wide = rightsOf(stacks, role).map((right) =>
        right.replace(/\/(transcripts|uploads|passages|erasures)\/\*$| if .*$/, ''),
      );
      expect(wide.filter((right) => right.includes('*'))).toEqual([]);
    });

    test.each(ids)('are told the table, in which API keys are, and no secret: %s', (id) => {
      const variables = functionOf(id).Properties.Environment.Variables;
      expect(variables.TABLE_NAME && meaning(variables.TABLE_NAME)).toEqual(
        id === 'fallback' ? undefined : `storage ${table.id}`,
      );
      for (const [variable, value] of Object.entries(variables)) {
        expect(variable).not.toMatch(/SECRET|PASSWORD|PRIVATE|CREDENTIAL|API_?KEY/i);
        expect(JSON.stringify(value)).not.toMatch(/resolve:|BEGIN|AKIA|eyJ/);
        if (typeof value === 'string') expect(value).not.toMatch(/[\w+=-]{32,}/);
      }
    });

    test('know the issuer of the tokens: the user pool of the storage stack', () => {
      const pool = storage.one('AWS::Cognito::UserPool').id;
      const clients = storage.all('AWS::Cognito::UserPoolClient').map(({ id }) => `storage ${id}`);
      for (const { id } of routes) {
        const variables = functionOf(id).Properties.Environment.Variables;
        expect(meaning(variables.ISSUER)).toBe(`storage ${pool}.ProviderURL`);
        expect(meaning(variables.AUDIENCES)).toBe(clients.join(' '));
        expect(variables.TOKEN_USE).toBe('access');
      }
    });

    test('are each invoked by this API under one permission', () => {
      const permissions = api
        .all<Record<string, unknown>>('AWS::Lambda::Permission')
        .map(({ Properties }) => Properties);
      expect(permissions.map(({ FunctionName }) => functionBehind(meaning(FunctionName))).toSorted()).toEqual(
        functions.map(({ id }) => id).toSorted(),
      );
      for (const permission of permissions) {
        expect(permission).toMatchObject({ Action: 'lambda:InvokeFunction', Principal: 'apigateway.amazonaws.com' });
        expect(JSON.stringify(permission.SourceArn)).toContain(`{"Ref":"${restApi.id}"}`);
      }
    });
  });

  describe('the reading of documents', () => {
    interface QueueProperties {
      RedrivePolicy?: { maxReceiveCount: number };
      VisibilityTimeout: number;
      FifoQueue?: boolean;
    }
    const queues = ingestion
      .all<QueueProperties>('AWS::SQS::Queue')
      .filter(({ Properties }) => Properties.RedrivePolicy);
    const arrivals = queues.find(({ Properties }) => !Properties.FifoQueue);
    const documents = queues.find(({ Properties }) => Properties.FifoQueue);
    const sources = ingestion.all<Record<string, unknown>>('AWS::Lambda::EventSourceMapping');
    const readers = ingestion.all<LambdaFunction & { Timeout: number }>('AWS::Lambda::Function');

    /** The rights of a function, but for those to its log and to receive from its queue, which are checked here. */
    function ownRights(id: string, queue: string | undefined): string[] {
      const { Properties } = readers.find(({ Properties: { Description } }) => Description === id) ?? {};
      const role = ingestion.all<Role>('AWS::IAM::Role').find((one) => `${one.id}.Arn` === meaning(Properties?.Role));
      const log = ingestion.all('AWS::Logs::LogGroup').find((one) => one.id.startsWith(id));
      const all = role ? rightsOf(stacks, role.Properties) : [];
      const usual = [
        ...['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((action) => `sqs:${action} on ${queue}.Arn`),
        ...['CreateLogStream', 'PutLogEvents'].map((action) => `logs:${action} on ${log?.id}.Arn`),
      ].map((right) => `Allow ${right}`);
      for (const right of usual) expect(all).toContain(right);
      return all.filter((right) => !usual.includes(right)).toSorted();
    }
    const knowledge = `if ${rowsLike(patternOf('knowledge'))}}`;
    const withAssistants = `if ${rowsLike(patternOf('knowledge'), patternOf('assistants'))}}`;

    test('may do what it needs, and nothing else', () => {
      expect(ownRights('ingest', documents?.id)).toEqual(
        [
          `Allow dynamodb:GetItem on storage ${table.id}.Arn ${knowledge}`,
          `Allow dynamodb:UpdateItem on storage ${table.id}.Arn ${knowledge}`,
          `Allow s3:GetObject on storage ${files}.Arn/uploads/*`,
          `Allow s3:DeleteObject on storage ${files}.Arn/uploads/*`,
          `Allow s3:PutObject on storage ${files}.Arn/passages/*`,
          `Allow s3:DeleteObject on storage ${files}.Arn/passages/*`,
          `Allow s3:ListBucket on storage ${files}.Arn`,
        ].toSorted(),
      );
    });

    test('lets a parser that was broken into reach no credential, key, prompt, session, transcript or remembered answer', () => {
      const rights = ownRights('ingest', documents?.id).filter((right) => right.includes('dynamodb:'));
      const reached = rights.flatMap((right) => {
        const [, list = '[]'] = /"dynamodb:LeadingKeys":(\[.*?\])/.exec(right) ?? [];
        return JSON.parse(list) as string[];
      });
      expect(new Set(reached)).toEqual(new Set([patternOf('knowledge')]));
      const owner = userKey('https://issuer.example', 'alice');
      const others = partitionsOf(owner).filter((pk) => pk !== knowledgeBasesOf(owner).pk);
      for (const pk of [...others, apiKeyKey('hash').pk])
        for (const pattern of reached) expect(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(pk)).toBe(false);
    });

    test('is queued, and deletions are ended, by a function that may open no file', () => {
      expect(ownRights('intake', arrivals?.id)).toEqual(
        [
          `Allow dynamodb:GetItem on storage ${table.id}.Arn ${knowledge}`,
          `Allow dynamodb:UpdateItem on storage ${table.id}.Arn ${withAssistants}`,
          `Allow dynamodb:DeleteItem on storage ${table.id}.Arn ${withAssistants}`,
          ...['uploads', 'passages', 'erasures'].map(
            (folder) => `Allow s3:DeleteObject on storage ${files}.Arn/${folder}/*`,
          ),
          `Allow sqs:SendMessage on ${documents?.id}.Arn`,
        ].toSorted(),
      );
    });

    test('begins when a document arrives, and is told by the bucket through a queue', () => {
      const bucket = storage.one<{ NotificationConfiguration: unknown }>('AWS::S3::Bucket').Properties;
      expect(bucket.NotificationConfiguration).toEqual({ EventBridgeConfiguration: { EventBridgeEnabled: true } });
      const rule = ingestion.one<{ EventPattern: object; Targets: { Arn: unknown; DeadLetterConfig: unknown }[] }>(
        'AWS::Events::Rule',
      ).Properties;
      expect(JSON.stringify(rule.EventPattern)).toContain('"key":[{"prefix":"uploads/"},{"prefix":"erasures/"}]');
      expect(rule.Targets.map(({ Arn }) => meaning(Arn))).toEqual([`${arrivals?.id}.Arn`]);
      expect(rule.Targets[0]?.DeadLetterConfig).toBeDefined();
    });

    test('takes one message at a time, and gives up after six', () => {
      expect(sources.map(({ Properties }) => meaning(Properties.EventSourceArn)).toSorted()).toEqual(
        [`${arrivals?.id}.Arn`, `${documents?.id}.Arn`].toSorted(),
      );
      for (const { Properties } of sources)
        expect(Properties).toMatchObject({ BatchSize: 1, FunctionResponseTypes: ['ReportBatchItemFailures'] });
      for (const { Properties } of queues) expect(Properties.RedrivePolicy).toMatchObject({ maxReceiveCount: 6 });
    });

    test('leaves functions for requests in an account that runs ten at once, as new ones do, in dev', () => {
      const { maxConcurrency } = settings.knowledgeBases;
      for (const { Properties } of sources)
        expect(Properties.ScalingConfig).toEqual({ MaximumConcurrency: maxConcurrency });
      if (name === 'dev') expect(maxConcurrency).toBe(2);
    });

    test('ends before its message comes again', () => {
      const timeout = Math.max(...readers.map(({ Properties }) => Properties.Timeout));
      for (const { Properties } of queues) expect(timeout).toBeLessThan(Properties.VisibilityTimeout);
    });
  });

  describe('the gateway', () => {
    const stage = api.one<Record<string, unknown>>('AWS::ApiGateway::Stage').Properties;

    /** The function behind an integration, which calls its alias. */
    function leadsTo({ Uri }: Method['Integration']): string {
      const [, alias = ''] = /functions\/",{"Ref":"(\w+)"},"\/invocations/.exec(JSON.stringify(Uri)) ?? [];
      return functionBehind(alias) ?? '';
    }

    /** The paths of all resources, by what methods refer to them with. */
    function paths(): Map<string, string> {
      const resources = api.all<{ ParentId: unknown; PathPart: string }>('AWS::ApiGateway::Resource');
      const byParent = Map.groupBy(resources, ({ Properties }) => meaning(Properties.ParentId));
      const found = new Map<string, string>();
      const visit = (id: string, path: string) => {
        found.set(id, path || '/');
        for (const child of byParent.get(id) ?? []) visit(child.id, `${path}/${child.Properties.PathPart}`);
      };
      visit(`${restApi.id}.RootResourceId`, '');
      return found;
    }

    test('takes each route to its function, and every other method and path to the fallback', () => {
      const prefixes = routes.flatMap(({ path }) =>
        path.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/')),
      );
      const everywhere = [...new Set([...prefixes, '/{proxy+}'])].map((path) => `ANY ${path || '/'} → fallback`);
      const expected = [...routes.map(({ id, method, path }) => `${method} ${path} → ${id}`), ...everywhere];

      const byId = new Map(functions.map(({ id, Properties }) => [id, Properties.Description]));
      const pathOf = paths();
      const methods = api.all<Method>('AWS::ApiGateway::Method');
      const actual = methods.map(({ Properties: { HttpMethod, ResourceId, Integration } }) => {
        return `${HttpMethod} ${pathOf.get(meaning(ResourceId))} → ${byId.get(leadsTo(Integration))}`;
      });
      expect(actual.toSorted()).toEqual(expected.toSorted());
      for (const { Properties } of methods) expect(Properties.Integration.Type).toBe('AWS_PROXY');
    });

    test.each(routes)(
      'takes $method $path to the function $id, which has a role of its own',
      ({ id, method, path }) => {
        const [resourceId] = [...paths()].find(([, known]) => known === path) ?? [];
        const behind = api
          .all<Method>('AWS::ApiGateway::Method')
          .map(({ Properties }) => Properties)
          .filter(({ HttpMethod, ResourceId }) => HttpMethod === method && meaning(ResourceId) === resourceId);
        const handler = functionOf(id);
        expect(behind.map(({ Integration }) => leadsTo(Integration))).toEqual([handler.id]);
        expect(handler.Properties.FunctionName).toBe(`voice-assistants-${name}-${id.replace('/', '-')}`);
        const others = functions.filter((one) => one !== handler).map(({ Properties }) => meaning(Properties.Role));
        expect(others).not.toContain(meaning(handler.Properties.Role));
        expect(roleOf(id).Policies).toHaveLength(1);
      },
    );

    test('tells the fallback which methods every path takes', () => {
      const methods: Record<string, string[]> = JSON.parse(
        String(functionOf('fallback').Properties.Environment.Variables.METHODS),
      );
      const told = Object.entries(methods).flatMap(([path, all]) => all.map((method) => `${method} ${path}`));
      expect(told.toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted());
    });

    test('is regional, under its own name', () => {
      expect(restApi.Properties.EndpointConfiguration).toEqual({ Types: ['REGIONAL'] });
      expect(restApi.Properties.Name).toBe(`voice-assistants-${name}`);
      expect(stage.StageName).toBe(name);
    });

    test('throttles every method, and writes no bodies into any log', () => {
      const { rate, burst } = settings.throttle;
      expect(stage.MethodSettings).toEqual([
        {
          HttpMethod: '*',
          ResourcePath: '/*',
          DataTraceEnabled: false,
          ThrottlingRateLimit: rate,
          ThrottlingBurstLimit: burst,
        },
      ]);
      expect([rate, burst]).toEqual([100, 200]);
    });

    test('logs every access: the request id, never a query, a header or a body', () => {
      const { DestinationArn, Format } = stage.AccessLogSetting as { DestinationArn: unknown; Format: string };
      expect(api.all('AWS::Logs::LogGroup').map(({ id }) => `${id}.Arn`)).toContain(meaning(DestinationArn));
      const line: Record<string, string> = JSON.parse(Format);
      expect(line).toMatchObject({ request_id: '$context.requestId', status: '$context.status' });
      for (const value of Object.values(line)) {
        expect(value).toMatch(/^\$context\.(?!path$|authorizer|requestOverride)[\w.]+$/);
      }
    });

    describe('answers by itself', () => {
      const responses = api
        .all<GatewayResponse>('AWS::ApiGateway::GatewayResponse')
        .map(({ Properties }) => [Properties.ResponseType, Properties] as const);
      const retried =
        /^(THROTTLED|QUOTA_EXCEEDED|DEFAULT_5XX|INTEGRATION_|API_CONFIGURATION_ERROR|AUTHORIZER_(FAILURE|CONFIGURATION))/;

      test.each(responses)('in the one error shape, with the request id: %s', (_, response) => {
        expect(Object.keys(response.ResponseTemplates)).toEqual(['application/json']);
        const body: { detail: { loc: string[] }[] } = JSON.parse(response.ResponseTemplates['application/json'] ?? '');
        expect(body).toEqual({
          detail: [{ loc: expect.any(Array), msg: expect.any(String), type: expect.stringMatching(/^[a-z_]+$/) }],
        });
        expect(['body', 'path', 'query', 'header', 'service']).toContain(body.detail[0]?.loc[0]);
        expect(response.ResponseParameters).toMatchObject({
          'gatewayresponse.header.x-request-id': 'context.requestId',
          'gatewayresponse.header.cache-control': "'no-store'",
          'gatewayresponse.header.access-control-allow-origin': "'*'",
        });
      });

      test.each(responses)('with Retry-After where, and only where, trying again may help: %s', (type, response) => {
        const { StatusCode: status = retried.test(type) ? '5' : '4' } = response;
        const retry = response.ResponseParameters['gatewayresponse.header.retry-after'];
        if (status === '429' || status.startsWith('5')) expect(retry).toMatch(/^'[1-9]\d*'$/);
        else expect(retry).toBeUndefined();
      });

      test('whatever it answers', () => {
        const types = Object.fromEntries(
          responses.map(([type, { StatusCode, ResponseTemplates }]) => {
            const { detail } = JSON.parse(ResponseTemplates['application/json'] ?? '');
            return [type, [StatusCode, detail[0].type].filter(Boolean).join(' ')];
          }),
        );
        expect(types).toMatchObject({
          DEFAULT_4XX: '400 bad_request',
          DEFAULT_5XX: '502 bad_gateway',
          INTEGRATION_FAILURE: '502 bad_gateway',
          API_CONFIGURATION_ERROR: '500 internal',
          REQUEST_TOO_LARGE: '413 too_large',
          WAF_FILTERED: '403 forbidden',
          MISSING_AUTHENTICATION_TOKEN: '404 not_found',
          THROTTLED: '429 too_many_requests',
          QUOTA_EXCEEDED: '429 too_many_requests',
          INTEGRATION_TIMEOUT: '504 timeout',
        });
      });
    });
  });

  describe('what is stored', () => {
    test('is in a table on demand, with a time to live; where the settings say so, it can be brought back, and not be deleted', () => {
      expect(table.Properties).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
      });
      expect(table.Properties.Replicas).toHaveLength(1);
      expect(table.Properties.Replicas[0]).toMatchObject({
        DeletionProtectionEnabled: settings.deletionProtection,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: settings.retain },
      });
    });

    test('is in a private, versioned, encrypted bucket, which only the configured web apps and the console reach', () => {
      const { Properties } = storage.one<{ CorsConfiguration?: { CorsRules: object[] } }>('AWS::S3::Bucket');
      expect(Properties).toMatchObject({
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
        VersioningConfiguration: { Status: 'Enabled' },
      });
      expect(Properties).toHaveProperty('BucketEncryption');
      const origins = (Properties.CorsConfiguration?.CorsRules ?? []).map((rule) => Object.entries(rule));
      const consoleOrigin = expect.objectContaining({ 'Fn::Join': expect.anything() });
      expect(new Map(origins.flat()).get('AllowedOrigins')).toEqual([...settings.corsOrigins, consoleOrigin]);
    });

    test('is in a bucket that denies everything that comes without TLS, and lets in nobody but who empties it in the end', () => {
      const bucket = storage.one('AWS::S3::Bucket').id;
      const { Properties } = storage.one<{ Bucket: unknown; PolicyDocument: { Statement: object[] } }>(
        'AWS::S3::BucketPolicy',
      );
      expect(Properties.Bucket).toEqual({ Ref: bucket });
      const [deny, ...others] = Properties.PolicyDocument.Statement;
      const emptier = storage.all<LambdaFunction>('AWS::Lambda::Function')[0]?.Properties.Role;
      expect(others).toEqual(
        settings.retain ? [] : [expect.objectContaining({ Effect: 'Allow', Principal: { AWS: emptier } })],
      );
      expect(deny).toEqual({
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: 's3:*',
        Resource: [{ 'Fn::GetAtt': [bucket, 'Arn'] }, { 'Fn::Join': ['', [{ 'Fn::GetAtt': [bucket, 'Arn'] }, '/*']] }],
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      });
    });

    test('is encrypted, where it is a credential, by a key that rotates', () => {
      expect(storage.one('AWS::KMS::Key').Properties).toMatchObject({ EnableKeyRotation: true });
    });

    const clients = storage.all<{ GenerateSecret?: boolean; CallbackURLs?: string[] }>('AWS::Cognito::UserPoolClient');

    test('has users that nobody can make for himself or delete by accident', () => {
      expect(storage.one('AWS::Cognito::UserPool').Properties).toMatchObject({
        AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
        DeletionProtection: settings.deletionProtection ? 'ACTIVE' : 'INACTIVE',
      });
      for (const { Properties } of clients) {
        expect(Properties).toMatchObject({ PreventUserExistenceErrors: 'ENABLED' });
        expect(Properties.GenerateSecret ?? false).toBe(false);
      }
      // A password goes over the wire only from whoever may act as the pool's administrator.
      expect(clients[0]?.Properties).toHaveProperty('ExplicitAuthFlows', [
        'ALLOW_ADMIN_USER_PASSWORD_AUTH',
        'ALLOW_USER_SRP_AUTH',
        'ALLOW_REFRESH_TOKEN_AUTH',
      ]);
    });

    test('never hands a sign-in over to an address that is not ours', () => {
      for (const { Properties } of clients) expect(Properties.CallbackURLs ?? []).not.toContain('https://example.com');
    });
  });

  test('all logs are kept for as long as configured, and no longer', () => {
    const groups = api.all<{ RetentionInDays?: number }>('AWS::Logs::LogGroup');
    expect(groups).toHaveLength(functions.length + 1);
    for (const { Properties } of groups) expect(Properties.RetentionInDays).toBe(settings.logRetentionDays);
  });

  test('no stack has 400 resources', () => {
    for (const { resources } of [storage, api, ingestion, monitoring]) expect(resources.length).toBeLessThan(400);
  });
});
