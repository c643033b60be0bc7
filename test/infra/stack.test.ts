import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environments } from '../../infra/config.ts';
import { nonRouteFunctions } from '../../infra/stacks/non-route-functions.ts';
import { getRows } from '../../shared/route.ts';
import { routes } from '../../shared/routes/index.ts';
import {
  listPartitions,
  toApiKeyKey,
  toEventKey,
  toJobKey,
  toJobTurnKey,
  toKnowledgeBasesPrefix,
  toUserKey,
} from '../../shared/store/table/keys.ts';
import { buildStacks, functionIds, type LambdaFunction, type Role, type Stacks } from '../support/stacks.ts';

interface Method {
  HttpMethod: string;
  ResourceId: unknown;
  Integration: { Type: string; Uri: unknown; TimeoutInMillis: number; ResponseTransferMode?: string };
}

interface GatewayResponse {
  ResponseType: string;
  StatusCode?: string;
  ResponseParameters: Record<string, string>;
  ResponseTemplates: Record<string, string>;
}

/** Builds the condition that limits a permission to these partition keys. */
const buildKeyCondition = (...keys: string[]) =>
  `{"ForAllValues:StringLike":{"dynamodb:LeadingKeys":${JSON.stringify(keys)}},"Null":{"dynamodb:LeadingKeys":"false"}`;
const apiKeyAccess = {
  look: ['GetItem', `${buildKeyCondition('KEY#*')}}`],
  note: [
    'UpdateItem',
    `${buildKeyCondition('KEY#*')},"ForAllValues:StringEquals":{"dynamodb:Attributes":["pk","sk","last_used_at"]}}`,
  ],
} as const;
/** Returns the pattern of the partition keys of one kind of rows. */
const toKeyPattern = (kind: string) => (kind === 'keys' ? 'KEY#*' : `USER#*#${kind.toUpperCase()}`);
/** Conditions that require the full encryption context of a kind of secrets. */
const contextConditions: Record<string, string> = {
  credentials:
    '{"Null":{"kms:EncryptionContext:user":"false","kms:EncryptionContext:service":"false","kms:EncryptionContext:name":"false"},' +
    '"ForAllValues:StringEquals":{"kms:EncryptionContextKeys":["user","service","name"]}}',
  webhooks:
    '{"Null":{"kms:EncryptionContext:user":"false","kms:EncryptionContext:webhook":"false"},' +
    '"ForAllValues:StringEquals":{"kms:EncryptionContextKeys":["user","webhook"]}}',
};

/** Lists the permissions of a role, one line each. */
function listPermissions({ resolveValue }: Stacks, { Policies = [] }: Role): string[] {
  const statements = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  return statements.flatMap(({ Effect, Action, Resource, Condition }) =>
    [Action]
      .flat()
      .flatMap((action) =>
        [Resource]
          .flat()
          .map(
            (on) => `${Effect} ${action} on ${resolveValue(on)}${Condition ? ` if ${JSON.stringify(Condition)}` : ''}`,
          ),
      ),
  );
}

const stacksByEnvironment = Object.entries(environments).map(
  ([name, settings]) => [name, buildStacks(name, settings)] as const,
);

describe.each(stacksByEnvironment)('in %s', (name, stacks) => {
  const {
    settings,
    storage,
    api,
    events,
    webhooks,
    routeStacks,
    ingestion,
    monitoring,
    resolveValue,
    functions,
    getFunction,
    getAliasedFunction,
    getRole,
  } = stacks;
  const restApi = api.getOnly<{ EndpointConfiguration: unknown; Name: string }>('AWS::ApiGateway::RestApi');
  const { id: files } = storage.getOnly('AWS::S3::Bucket');
  const key = storage.getOnly<{ KeyPolicy: unknown }>('AWS::KMS::Key');
  const table = storage.getOnly<{ KeySchema: unknown; Replicas: object[] }>('AWS::DynamoDB::GlobalTable');

  const buildListPermission = (folder: string) =>
    `Allow s3:ListBucket on storage ${files}.Arn if {"StringLike":{"s3:prefix":"${folder}/*"}}`;

  describe('the functions', () => {
    test('are one per route, plus the fallback', () => {
      expect(functions.map(({ Properties }) => Properties.Description).toSorted()).toEqual(functionIds.toSorted());
    });

    test.each(functionIds)('run their own code on Node 24 and arm64, and time out before the gateway: %s', (id) => {
      const { Properties } = getFunction(id);
      expect(Properties).toMatchObject({
        FunctionName: `voice-assistants-${name}-${id.replace('/', '-')}`,
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
      });
      expect(Properties.FunctionName.length).toBeLessThanOrEqual(64);
      expect(Properties.Timeout).toBeLessThan(routes.find((one) => one.id === id)?.streamSeconds ? 150 : 29);
      const asset = `asset.${Properties.Code.S3Key.replace('.zip', '')}`;
      expect(readFileSync(join(stacks.outdir, asset, 'index.js'), 'utf8')).toBe(id);
    });

    test.each(functionIds)(
      'have exactly the permissions that the route needs, and those for their own log: %s',
      (id) => {
        const route = routes.find((one) => one.id === id);
        const needs = route?.needs;
        const log = resolveValue(getFunction(id).Properties.LoggingConfig.LogGroup);
        const folders = Object.entries(needs?.files ?? {});
        const keyed = needs
          ? [apiKeyAccess.look, ...(/^api-keys\/(create|rotate)$/.test(id) ? [] : [apiKeyAccess.note])]
          : [];
        const rows = Object.entries(route ? getRows(route) : {});
        const actions = new Set(rows.flatMap(([, made]) => made));
        const reads = (action: string) => /^(GetItem|BatchGetItem|Query)$/.test(action);
        // Each write permission covers all kinds of rows that the route writes, because a transaction may name several kinds.
        const listKeyPatterns = (action: string) =>
          rows.flatMap(([kind, made]) =>
            made.some((one) => (reads(action) ? one === action : !reads(one))) ? [toKeyPattern(kind)] : [],
          );
        const on = (action: string, rows: string) => `Allow dynamodb:${action} on storage ${table.id}.Arn if ${rows}`;
        const expected = [
          ...keyed.map(([action, rows]) => on(action, rows)),
          ...[...actions].map((action) => on(action, `${buildKeyCondition(...listKeyPatterns(action))}}`)),
          ...(needs?.indexes ?? []).map((index) => `Allow dynamodb:Query on storage ${table.id}.Arn/index/${index}`),
          ...Object.entries(needs?.secrets ?? {}).flatMap(([kind, actions]) =>
            actions.map((action) => `Allow kms:${action} on storage ${key.id}.Arn if ${contextConditions[kind]}`),
          ),
          ...folders.flatMap(([folder, actions]) =>
            actions.map((action) => `Allow s3:${action} on storage ${files}.Arn/${folder}/*`),
          ),
          ...folders.flatMap(([folder, actions]) =>
            actions.includes('GetObject') ? [buildListPermission(folder)] : [],
          ),
          `Allow logs:CreateLogStream on ${log}.Arn`,
          `Allow logs:PutLogEvents on ${log}.Arn`,
        ];
        expect(listPermissions(stacks, getRole(id)).toSorted()).toEqual(expected.toSorted());
      },
    );

    test('cannot decrypt secrets, except for those of calls and webhooks/rotate, with the full encryption context', () => {
      const ofCalls = [`Allow kms:Decrypt on storage ${key.id}.Arn if ${contextConditions.credentials}`];
      const rights = (id: string) =>
        listPermissions(stacks, getRole(id)).filter((right) => /^Allow kms:(?!Encrypt )/.test(right));
      expect(
        Object.fromEntries(functionIds.map((id) => [id, rights(id)]).filter(([, found]) => found?.length)),
      ).toEqual({
        'assistants/runtime-config': ofCalls,
        'assistants/start-call': ofCalls,
        'assistants/call-tool': ofCalls,
        'completions/create': ofCalls,
        'search/answer': ofCalls,
        'vision/analyze': ofCalls,
        'web-calls/create': ofCalls,
        'webhooks/rotate': [`Allow kms:Decrypt on storage ${key.id}.Arn if ${contextConditions.webhooks}`],
      });
      expect(JSON.stringify(key.Properties)).not.toMatch(/lambda|kms:Decrypt/);
    });

    test('each have their own role and log group', () => {
      for (const property of ['Role', 'LoggingConfig'] as const) {
        const own = functions.map(({ Properties }) => JSON.stringify(Properties[property]));
        expect(new Set(own).size).toBe(functionIds.length);
      }
    });

    test.each(functionIds)('have no managed or shared policies, and no wildcard permissions: %s', (id) => {
      const role = getRole(id);
      expect(role.AssumeRolePolicyDocument.Statement.map(({ Principal }) => Principal)).toEqual([
        { Service: 'lambda.amazonaws.com' },
      ]);
      expect(role.ManagedPolicyArns ?? []).toEqual([]);
      expect(api.resources.filter(({ Type }) => /^AWS::IAM::(Policy|ManagedPolicy|RolePolicy)$/.test(Type))).toEqual(
        [],
      );
      const wide = listPermissions(stacks, role).map((right) =>
        right.replace(/\/(transcripts|uploads|passages|erasures|jobs)\/\*$| if .*$/, ''),
      );
      expect(wide.filter((right) => right.includes('*'))).toEqual([]);
    });

    test.each(functionIds)('get the name of the table and no secret in their environment: %s', (id) => {
      const variables = getFunction(id).Properties.Environment.Variables;
      expect(variables.TABLE_NAME && resolveValue(variables.TABLE_NAME)).toEqual(
        id === 'fallback' ? undefined : `storage ${table.id}`,
      );
      for (const [variable, value] of Object.entries(variables)) {
        expect(variable).not.toMatch(/SECRET|PASSWORD|PRIVATE|CREDENTIAL|API_?KEY/i);
        expect(JSON.stringify(value)).not.toMatch(/resolve:|BEGIN|AKIA|eyJ/);
        if (typeof value === 'string') expect(value).not.toMatch(/[\w+=-]{32,}/);
      }
    });

    test('accept tokens of the user pool', () => {
      const pool = storage.getOnly('AWS::Cognito::UserPool').id;
      const clients = storage.list('AWS::Cognito::UserPoolClient').map(({ id }) => `storage ${id}`);
      for (const { id } of routes) {
        const variables = getFunction(id).Properties.Environment.Variables;
        expect(resolveValue(variables.ISSUER)).toBe(`storage ${pool}.ProviderURL`);
        expect(resolveValue(variables.AUDIENCES)).toBe(clients.join(' '));
        expect(variables.TOKEN_USE).toBe('access');
      }
    });

    test('can each be invoked only by this API, through one permission', () => {
      const permissions = api
        .list<Record<string, unknown>>('AWS::Lambda::Permission')
        .map(({ Properties }) => Properties);
      expect(permissions.map(({ FunctionName }) => getAliasedFunction(resolveValue(FunctionName))).toSorted()).toEqual(
        functions.map(({ id }) => id).toSorted(),
      );
      for (const permission of permissions) {
        expect(permission).toMatchObject({ Action: 'lambda:InvokeFunction', Principal: 'apigateway.amazonaws.com' });
        expect(JSON.stringify(permission.SourceArn)).toContain(`{"Ref":"${restApi.id}"}`);
      }
    });
  });

  describe('the ingestion of documents', () => {
    interface QueueProperties {
      RedrivePolicy?: { maxReceiveCount: number };
      VisibilityTimeout: number;
      FifoQueue?: boolean;
    }
    const queues = ingestion
      .list<QueueProperties>('AWS::SQS::Queue')
      .filter(({ Properties }) => Properties.RedrivePolicy);
    const arrivals = queues.find(({ Properties }) => !Properties.FifoQueue);
    const findFifo = (name: string) => queues.find(({ id, Properties }) => Properties.FifoQueue && id.startsWith(name));
    const [documents, erasures] = [findFifo('Documents'), findFifo('Erasures')];
    const sources = ingestion.list<Record<string, unknown>>('AWS::Lambda::EventSourceMapping');
    const readers = ingestion.list<LambdaFunction & { Timeout: number }>('AWS::Lambda::Function');

    /** Lists the permissions of a function without those for its log and its queue, which it asserts. */
    function listOwnPermissions(id: string, queue: string | undefined): string[] {
      const { Properties } = readers.find(({ Properties: { Description } }) => Description === id) ?? {};
      const role = ingestion
        .list<Role>('AWS::IAM::Role')
        .find((one) => `${one.id}.Arn` === resolveValue(Properties?.Role));
      const log = ingestion.list('AWS::Logs::LogGroup').find((one) => one.id.startsWith(id));
      const all = role ? listPermissions(stacks, role.Properties) : [];
      const usual = [
        ...['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((action) => `sqs:${action} on ${queue}.Arn`),
        ...['CreateLogStream', 'PutLogEvents'].map((action) => `logs:${action} on ${log?.id}.Arn`),
      ].map((right) => `Allow ${right}`);
      for (const right of usual) expect(all).toContain(right);
      return all.filter((right) => !usual.includes(right)).toSorted();
    }
    const knowledge = `if ${buildKeyCondition(toKeyPattern('knowledge'))}}`;
    const withAssistants = `if ${buildKeyCondition(toKeyPattern('knowledge'), toKeyPattern('assistants'))}}`;

    const withEvents = `if ${buildKeyCondition(toKeyPattern('knowledge'), toKeyPattern('events'))}}`;

    test('has exactly the permissions that it needs', () => {
      expect(listOwnPermissions('ingest', documents?.id)).toEqual(
        [
          `Allow dynamodb:GetItem on storage ${table.id}.Arn ${knowledge}`,
          `Allow dynamodb:UpdateItem on storage ${table.id}.Arn ${withEvents}`,
          `Allow dynamodb:PutItem on storage ${table.id}.Arn ${withEvents}`,
          `Allow s3:GetObject on storage ${files}.Arn/uploads/*`,
          `Allow s3:DeleteObject on storage ${files}.Arn/uploads/*`,
          `Allow s3:PutObject on storage ${files}.Arn/passages/*`,
          `Allow s3:DeleteObject on storage ${files}.Arn/passages/*`,
          buildListPermission('uploads'),
        ].toSorted(),
      );
    });

    test('keeps a compromised parser from credentials, API keys, assistants, sessions, transcripts and idempotency records', () => {
      const rights = listOwnPermissions('ingest', documents?.id).filter((right) => right.includes('dynamodb:'));
      const reached = rights.flatMap((right) => {
        const [, list = '[]'] = /"dynamodb:LeadingKeys":(\[.*?\])/.exec(right) ?? [];
        return JSON.parse(list) as string[];
      });
      expect(new Set(reached)).toEqual(new Set([toKeyPattern('knowledge'), toKeyPattern('events')]));
      const owner = toUserKey('https://issuer.example', 'alice');
      const others = listPartitions(owner).filter(
        (pk) => ![toKnowledgeBasesPrefix(owner).pk, toEventKey(owner, '').pk].includes(pk),
      );
      for (const pk of [...others, toApiKeyKey('hash').pk])
        for (const pattern of reached) expect(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(pk)).toBe(false);
    });

    test('is queued by a function that cannot read files', () => {
      expect(listOwnPermissions('intake', arrivals?.id)).toEqual(
        [
          `Allow dynamodb:GetItem on storage ${table.id}.Arn ${knowledge}`,
          ...['uploads', 'erasures'].map((folder) => `Allow s3:DeleteObject on storage ${files}.Arn/${folder}/*`),
          ...[documents, erasures].map((queue) => `Allow sqs:SendMessage on ${queue?.id}.Arn`),
        ].toSorted(),
      );
    });

    test('is deleted, if a request was interrupted, by a function that cannot read files', () => {
      expect(listOwnPermissions('erase', erasures?.id)).toEqual(
        [
          `Allow dynamodb:GetItem on storage ${table.id}.Arn ${knowledge}`,
          `Allow dynamodb:UpdateItem on storage ${table.id}.Arn ${withAssistants}`,
          `Allow dynamodb:DeleteItem on storage ${table.id}.Arn ${withAssistants}`,
          ...['uploads', 'passages', 'erasures'].map(
            (folder) => `Allow s3:DeleteObject on storage ${files}.Arn/${folder}/*`,
          ),
        ].toSorted(),
      );
    });

    test('starts when a document arrives: the bucket sends an event to a queue', () => {
      const bucket = storage.getOnly<{ NotificationConfiguration: unknown }>('AWS::S3::Bucket').Properties;
      expect(bucket.NotificationConfiguration).toEqual({ EventBridgeConfiguration: { EventBridgeEnabled: true } });
      const rule = ingestion.getOnly<{ EventPattern: object; Targets: { Arn: unknown; DeadLetterConfig: unknown }[] }>(
        'AWS::Events::Rule',
      ).Properties;
      expect(JSON.stringify(rule.EventPattern)).toContain('"key":[{"prefix":"uploads/"},{"prefix":"erasures/"}]');
      expect(rule.Targets.map(({ Arn }) => resolveValue(Arn))).toEqual([`${arrivals?.id}.Arn`]);
      expect(rule.Targets[0]?.DeadLetterConfig).toBeDefined();
    });

    test('queues up to ten documents per event, ingests and deletes one at a time, and gives up after six attempts', () => {
      const batchSizes = sources.map(({ Properties }) => [
        resolveValue(Properties.EventSourceArn),
        Properties.BatchSize,
      ]);
      expect(Object.fromEntries(batchSizes)).toEqual({
        [`${arrivals?.id}.Arn`]: 10,
        [`${documents?.id}.Arn`]: 1,
        [`${erasures?.id}.Arn`]: 1,
      });
      for (const { Properties } of sources)
        expect(Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
      for (const { Properties } of queues) expect(Properties.RedrivePolicy).toMatchObject({ maxReceiveCount: 6 });
    });

    test('leaves concurrency for requests in a new account, which allows ten parallel executions', () => {
      const { maxConcurrency } = settings.knowledgeBases;
      for (const { Properties } of sources)
        expect(Properties.ScalingConfig).toEqual({ MaximumConcurrency: maxConcurrency });
      if (name === 'dev') expect(maxConcurrency).toBe(2);
    });

    test('times out before its message becomes visible again', () => {
      const timeout = Math.max(...readers.map(({ Properties }) => Properties.Timeout));
      for (const { Properties } of queues) expect(timeout).toBeLessThan(Properties.VisibilityTimeout);
    });
  });

  test('acts on up to ten batches of new rows at once per shard of the stream', () => {
    const sources = [...routeStacks, events].flatMap((stack) =>
      stack.list<Record<string, unknown>>('AWS::Lambda::EventSourceMapping'),
    );
    const ofStream = sources.filter(
      ({ Properties }) => resolveValue(Properties.EventSourceArn) === `storage ${table.id}.StreamArn`,
    );
    expect(ofStream.length).toBeGreaterThanOrEqual(2);
    for (const { Properties } of ofStream) expect(Properties).toMatchObject({ ParallelizationFactor: 10 });
  });

  test('runs up to ten jobs at once per shard of the stream', () => {
    const { Properties = {} } =
      routeStacks
        .flatMap((stack) => stack.list<Record<string, unknown>>('AWS::Lambda::EventSourceMapping'))
        .find(({ Properties: { BatchSize, ParallelizationFactor } }) => ParallelizationFactor && BatchSize === 1) ?? {};
    expect(resolveValue(Properties.EventSourceArn)).toBe(`storage ${table.id}.StreamArn`);
    expect(Properties).toMatchObject({ BatchSize: 1, ParallelizationFactor: 10, MaximumRetryAttempts: 3 });
    const [filter] = (Properties.FilterCriteria as { Filters: { Pattern: string }[] }).Filters;
    const keys = [toJobKey('', ''), toJobTurnKey('', '', '')].map(({ sk }) => ({ prefix: sk.replace(/#.*/, '#') }));
    expect(JSON.parse(filter?.Pattern ?? '')).toMatchObject({ dynamodb: { Keys: { sk: { S: keys } } } });
  });

  describe('the event stack', () => {
    /** Lists the permissions of a function, without those for its log. */
    function listOwnPermissions(id: string): string[] {
      const [role] = events.list<Role>('AWS::IAM::Role').filter((one) => one.id.startsWith(id));
      return (role ? listPermissions(stacks, role.Properties) : []).filter((right) => !right.startsWith('Allow logs:'));
    }
    const on = (action: string, ...kinds: string[]) =>
      `Allow dynamodb:${action} on storage ${table.id}.Arn if ${buildKeyCondition(...kinds.map(toKeyPattern))}}`;
    const [deliveries, retries] = ['Deliveries', 'Retries'].map((id) =>
      webhooks.list('AWS::SQS::Queue').find((queue) => queue.id.startsWith(id)),
    );
    const source = events.getOnly<Record<string, unknown>>('AWS::Lambda::EventSourceMapping').Properties;
    const bus = events.getOnly<{ Name: string }>('AWS::Events::EventBus');

    test('sends events to a bus with the name of the stack and to webhooks, by a function that opens no secret', () => {
      expect(bus.Properties.Name).toBe(`voice-assistants-${name}`);
      const stream = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
      expect(listOwnPermissions('relay').toSorted()).toEqual(
        [
          on('BatchGetItem', 'events'),
          on('Query', 'webhooks'),
          on('PutItem', 'deliveries', 'unsent'),
          `Allow sqs:SendMessage on ${deliveries?.id}.Arn`,
          `Allow events:PutEvents on ${bus.id}.Arn`,
          ...stream.map((action) => `Allow dynamodb:${action} on storage ${table.id}.StreamArn`),
        ].toSorted(),
      );
    });

    test('reads only new events from the stream, from its start, and never drops one', () => {
      expect(resolveValue(source.EventSourceArn)).toBe(`storage ${table.id}.StreamArn`);
      const [filter, ...others] = (source.FilterCriteria as { Filters: { Pattern: string }[] }).Filters;
      expect(others).toEqual([]);
      expect(JSON.parse(filter?.Pattern ?? '')).toEqual({
        eventName: ['INSERT'],
        dynamodb: { Keys: { sk: { S: [{ prefix: toEventKey('', '').sk }] } } },
      });
      expect(source).toMatchObject({
        StartingPosition: 'TRIM_HORIZON',
        BisectBatchOnFunctionError: true,
      });
      for (const drops of ['MaximumRetryAttempts', 'MaximumRecordAgeInSeconds', 'DestinationConfig'])
        expect(source).not.toHaveProperty(drops);
      expect(table.Properties).toMatchObject({ StreamSpecification: { StreamViewType: 'KEYS_ONLY' } });
    });

    test('sweeps every five minutes, by a function that changes documents, what waits for webhooks, and sends events again', () => {
      const written = ['knowledge', 'versions', 'events', 'unsent', 'webhooks', 'deliveries', 'jobs'];
      expect(listOwnPermissions('sweep').toSorted()).toEqual(
        [
          on('BatchGetItem', 'events'),
          on('GetItem', 'knowledge', 'unsent'),
          on('Query', 'versions', 'webhooks'),
          on('PutItem', ...written),
          on('UpdateItem', ...written),
          on('DeleteItem', ...written),
          `Allow sqs:SendMessage on ${retries?.id}.Arn`,
          `Allow sqs:SendMessage on ${deliveries?.id}.Arn`,
          `Allow events:PutEvents on ${bus.id}.Arn`,
          `Allow dynamodb:Query on storage ${table.id}.Arn/index/by-due`,
        ].toSorted(),
      );
      const rule = events.getOnly<{ ScheduleExpression: string; Targets: { Arn: unknown }[] }>('AWS::Events::Rule');
      expect(rule.Properties.ScheduleExpression).toBe('rate(5 minutes)');
      const [sweep] = events.list<LambdaFunction>('AWS::Lambda::Function').filter((one) => one.id.startsWith('sweep'));
      const targets = rule.Properties.Targets.map(({ Arn }) => getAliasedFunction(resolveValue(Arn)));
      expect(targets).toEqual([sweep?.id]);
    });
  });

  describe('the webhook stack', () => {
    const [deliver] = webhooks
      .list<LambdaFunction>('AWS::Lambda::Function')
      .filter((one) => one.id.startsWith('deliver'));
    const queues = webhooks.list<{ FifoQueue?: boolean; VisibilityTimeout?: number }>('AWS::SQS::Queue');

    test('sends first attempts in order per group, and later ones with a delay', () => {
      const toNames = (isFifo: boolean) =>
        queues
          .filter(({ Properties }) => (Properties.FifoQueue ?? false) === isFifo)
          .map(({ id }) => id.slice(0, -8))
          .toSorted();
      expect(toNames(true)).toEqual(['Deliveries', 'FailedDeliveries']);
      expect(toNames(false)).toEqual(['FailedRetries', 'Retries']);
    });

    test('lets a function end before its messages become visible again, and send to its own queue', () => {
      expect(deliver?.Properties).toMatchObject({ RecursiveLoop: 'Allow', Timeout: 90 });
      for (const { Properties } of queues) expect(Properties.VisibilityTimeout ?? 120).toBeGreaterThan(90);
    });

    test('gives one user at most a third of the functions', () => {
      const { maxConcurrency } = settings.webhooks;
      expect(deliver?.Properties.Environment.Variables.DELIVERY_LANES).toBe(
        String(Math.max(1, Math.floor(maxConcurrency / 3))),
      );
      const sources = webhooks.list<{ ScalingConfig: object }>('AWS::Lambda::EventSourceMapping');
      expect(sources.map(({ Properties }) => Properties.ScalingConfig)).toEqual([
        { MaximumConcurrency: maxConcurrency },
        { MaximumConcurrency: maxConcurrency },
      ]);
    });

    test('opens the secrets of webhooks only, and reaches no credential', () => {
      const role = webhooks.list<Role>('AWS::IAM::Role').find((one) => one.id.startsWith('deliver'))?.Properties;
      const rights = role ? listPermissions(stacks, role) : [];
      expect(rights.filter((right) => right.includes('kms:'))).toEqual([
        `Allow kms:Decrypt on storage ${key.id}.Arn if ${contextConditions.webhooks}`,
      ]);
      expect(rights.join()).not.toMatch(/CREDENTIALS|KEY#|ASSISTANTS|KNOWLEDGE/);
    });
  });

  describe('the gateway', () => {
    const stage = api.getOnly<Record<string, unknown>>('AWS::ApiGateway::Stage').Properties;

    /** Returns the logical id of the function behind an integration. */
    function getTargetFunction({ Uri }: Method['Integration']): string {
      const [, alias = ''] = /functions\/(\w+)\/(?:response-streaming-)?invocations$/.exec(resolveValue(Uri)) ?? [];
      return getAliasedFunction(alias) ?? '';
    }

    /** Returns the paths of all resources, by the reference that methods use. */
    function getPaths(): Map<string, string> {
      const resources = api.list<{ ParentId: unknown; PathPart: string }>('AWS::ApiGateway::Resource');
      const byParent = Map.groupBy(resources, ({ Properties }) => resolveValue(Properties.ParentId));
      const found = new Map<string, string>();
      const visit = (id: string, path: string) => {
        found.set(id, path || '/');
        for (const child of byParent.get(id) ?? []) visit(child.id, `${path}/${child.Properties.PathPart}`);
      };
      visit(`${restApi.id}.RootResourceId`, '');
      return found;
    }

    test('sends each route to its function, and every other method and path to the fallback', () => {
      const prefixes = routes.flatMap(({ path }) =>
        path.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/')),
      );
      const everywhere = [...new Set([...prefixes, '/{proxy+}'])].map((path) => `ANY ${path || '/'} → fallback`);
      const expected = [...routes.map(({ id, method, path }) => `${method} ${path} → ${id}`), ...everywhere];

      const byId = new Map(functions.map(({ id, Properties }) => [id, Properties.Description]));
      const pathsById = getPaths();
      const methods = api.list<Method>('AWS::ApiGateway::Method');
      const actual = methods.map(({ Properties: { HttpMethod, ResourceId, Integration } }) => {
        return `${HttpMethod} ${pathsById.get(resolveValue(ResourceId))} → ${byId.get(getTargetFunction(Integration))}`;
      });
      expect(actual.toSorted()).toEqual(expected.toSorted());
      for (const { Properties } of methods) expect(Properties.Integration.Type).toBe('AWS_PROXY');
    });

    test('waits a second less than each function may run, and streams what the route says', () => {
      for (const { Properties } of api.list<Method>('AWS::ApiGateway::Method')) {
        const { Integration } = Properties;
        const handler = functions.find(({ id }) => id === getTargetFunction(Integration));
        const streams = routes.some(({ id, streamSeconds }) => streamSeconds && id === handler?.Properties.Description);
        expect(Integration.TimeoutInMillis).toBe((Number(handler?.Properties.Timeout) - 1) * 1000);
        expect(Integration.ResponseTransferMode).toBe(streams ? 'STREAM' : undefined);
        expect(resolveValue(Integration.Uri).endsWith('/response-streaming-invocations')).toBe(streams);
      }
    });

    test.each(routes)('sends $method $path to the function $id, which has its own role', ({ id, method, path }) => {
      const [resourceId] = [...getPaths()].find(([, known]) => known === path) ?? [];
      const behind = api
        .list<Method>('AWS::ApiGateway::Method')
        .map(({ Properties }) => Properties)
        .filter(({ HttpMethod, ResourceId }) => HttpMethod === method && resolveValue(ResourceId) === resourceId);
      const handler = getFunction(id);
      expect(behind.map(({ Integration }) => getTargetFunction(Integration))).toEqual([handler.id]);
      expect(handler.Properties.FunctionName).toBe(`voice-assistants-${name}-${id.replace('/', '-')}`);
      const others = functions.filter((one) => one !== handler).map(({ Properties }) => resolveValue(Properties.Role));
      expect(others).not.toContain(resolveValue(handler.Properties.Role));
      expect(getRole(id).Policies).toHaveLength(1);
    });

    test('passes the allowed methods of each path to the fallback', () => {
      const methods: Record<string, string[]> = JSON.parse(
        String(getFunction('fallback').Properties.Environment.Variables.METHODS),
      );
      const actual = Object.entries(methods).flatMap(([path, all]) => all.map((method) => `${method} ${path}`));
      expect(actual.toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted());
    });

    test('is regional and named after its environment', () => {
      expect(restApi.Properties.EndpointConfiguration).toEqual({ Types: ['REGIONAL'] });
      expect(restApi.Properties.Name).toBe(`voice-assistants-${name}`);
      expect(stage.StageName).toBe(name);
    });

    test('throttles every method and logs no bodies', () => {
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

    test('logs every request with its id, but no query, header or body', () => {
      const { DestinationArn, Format } = stage.AccessLogSetting as { DestinationArn: unknown; Format: string };
      expect(api.list('AWS::Logs::LogGroup').map(({ id }) => `${id}.Arn`)).toContain(resolveValue(DestinationArn));
      const line: Record<string, string> = JSON.parse(Format);
      expect(line).toMatchObject({ request_id: '$context.requestId', status: '$context.status' });
      for (const value of Object.values(line)) {
        expect(value).toMatch(/^\$context\.(?!path$|authorizer|requestOverride)[\w.]+$/);
      }
    });

    describe('an error of the gateway itself', () => {
      const responses = api
        .list<GatewayResponse>('AWS::ApiGateway::GatewayResponse')
        .map(({ Properties }) => [Properties.ResponseType, Properties] as const);
      const retried =
        /^(THROTTLED|QUOTA_EXCEEDED|DEFAULT_5XX|INTEGRATION_|API_CONFIGURATION_ERROR|AUTHORIZER_(FAILURE|CONFIGURATION))/;

      test.each(responses)('has the common error shape and the request id: %s', (_, response) => {
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

      test.each(responses)('has Retry-After only if a retry may help: %s', (type, response) => {
        const { StatusCode: status = retried.test(type) ? '5' : '4' } = response;
        const retry = response.ResponseParameters['gatewayresponse.header.retry-after'];
        if (status === '429' || status.startsWith('5')) expect(retry).toMatch(/^'[1-9]\d*'$/);
        else expect(retry).toBeUndefined();
      });

      test('has the status and type of its cause', () => {
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

  describe('the stored data', () => {
    test('is in an on-demand table with a time to live, and with recovery and deletion protection by the settings', () => {
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

    test('is in a private, versioned, encrypted bucket that allows only the configured origins and the console', () => {
      const { Properties } = storage.getOnly<{ CorsConfiguration?: { CorsRules: object[] } }>('AWS::S3::Bucket');
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

    test('is in a bucket that requires TLS, and that only its own cleanup function can access by policy', () => {
      const bucket = storage.getOnly('AWS::S3::Bucket').id;
      const { Properties } = storage.getOnly<{ Bucket: unknown; PolicyDocument: { Statement: object[] } }>(
        'AWS::S3::BucketPolicy',
      );
      expect(Properties.Bucket).toEqual({ Ref: bucket });
      const [deny, ...others] = Properties.PolicyDocument.Statement;
      const emptier = storage.list<LambdaFunction>('AWS::Lambda::Function')[0]?.Properties.Role;
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

    test('has its credentials encrypted by a rotating key', () => {
      expect(storage.getOnly('AWS::KMS::Key').Properties).toMatchObject({ EnableKeyRotation: true });
    });

    const clients = storage.list<{ GenerateSecret?: boolean; CallbackURLs?: string[] }>('AWS::Cognito::UserPoolClient');

    test('has users that only an administrator creates, protected from deletion by the settings', () => {
      expect(storage.getOnly('AWS::Cognito::UserPool').Properties).toMatchObject({
        AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
        DeletionProtection: settings.deletionProtection ? 'ACTIVE' : 'INACTIVE',
      });
      for (const { Properties } of clients) {
        expect(Properties).toMatchObject({ PreventUserExistenceErrors: 'ENABLED' });
        expect(Properties.GenerateSecret ?? false).toBe(false);
      }
      // Only the pool's administrator may send a password. All others use SRP.
      expect(clients[0]?.Properties).toHaveProperty('ExplicitAuthFlows', [
        'ALLOW_ADMIN_USER_PASSWORD_AUTH',
        'ALLOW_USER_SRP_AUTH',
        'ALLOW_REFRESH_TOKEN_AUTH',
      ]);
    });

    test("does not redirect sign-ins to CDK's default address", () => {
      for (const { Properties } of clients) expect(Properties.CallbackURLs ?? []).not.toContain('https://example.com');
    });
  });

  test('all logs have the configured retention', () => {
    const groups = [...routeStacks, ingestion].flatMap((stack) =>
      stack.list<{ RetentionInDays?: number }>('AWS::Logs::LogGroup'),
    );
    expect(groups).toHaveLength(routes.length + nonRouteFunctions.length + 1);
    for (const { Properties } of groups) expect(Properties.RetentionInDays).toBe(settings.logRetentionDays);
  });

  test('no stack has 470 or more resources, of the 500 that AWS allows', () => {
    for (const { resources } of [storage, ...routeStacks, ingestion, monitoring])
      expect(resources.length).toBeLessThan(470);
  });
});
