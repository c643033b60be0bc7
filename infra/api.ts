import { Duration, NestedStack, RemovalPolicy, Size } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  ResponseType,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type GatewayFault, gatewayFaults } from '../shared/errors.ts';
import type { KeyAction, Route } from '../shared/route.ts';
import { routes } from '../shared/routes/index.ts';
import type { Settings } from './config.ts';
import { Endpoint } from './endpoint.ts';
import { acceptPrefix } from './review.ts';
import type { Storage } from './storage.ts';

export interface ApiProps {
  /** What the names of all functions begin with. */
  name: string;
  settings: Settings;
  storage: Storage;
  /** The stage's name: the first segment of every address that API Gateway gives. */
  stage: string;
  /** Where the functions' bundles are. */
  bundles: string;
}

/**
 * The API: a gateway and a function per route, all derived from the route table. Holds no data.
 * A stack of its own, nested, since a stack holds at most 500 resources.
 */
export class ApiStack extends NestedStack {
  /** Its address, with a slash at the end. */
  readonly url: string;

  constructor(scope: Construct, id: string, { name, settings, storage, stage, bundles }: ApiProps) {
    super(scope, id);

    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const api = new RestApi(this, 'Api', {
      restApiName: name,
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: Size.kibibytes(1),
      binaryMediaTypes: ['multipart/form-data'],
      cloudWatchRole: settings.gatewayLogRole,
      cloudWatchRoleRemovalPolicy: settings.gatewayLogRole ? RemovalPolicy.RETAIN : undefined,
      deployOptions: {
        stageName: stage,
        throttlingRateLimit: settings.throttle.rate,
        throttlingBurstLimit: settings.throttle.burst,
        dataTraceEnabled: false,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: accessLogFormat(),
      },
    });
    shapeGatewayErrors(api);
    for (const folder of ['transcripts', 'uploads', 'passages']) acceptPrefix(this, storage.bucket, `${folder}/*`);

    const functionName = (id: string) => `${name}-${id.replace('/', '-')}`;
    const cors = { CORS_ORIGINS: settings.corsOrigins.join(',') };
    const { issuer, audience, jwksUri, tokenUse } = storage.issuer;
    const common = {
      ...cors,
      ISSUER: issuer,
      AUDIENCE: audience,
      JWKS_URI: jwksUri,
      ...(tokenUse && { TOKEN_USE: tokenUse }),
      ENVIRONMENT: stage,
      MACHINE_CLIENTS: JSON.stringify(settings.machineClients),
      TABLE_NAME: storage.table.tableName,
      TRANSCRIPT_DAYS: String(settings.transcriptRetentionDays ?? ''),
    };

    for (const route of routes) {
      const { function: handler } = new Endpoint(this, {
        id: route.id,
        functionName: functionName(route.id),
        bundles,
        environment: { ...common, ...whereabouts(route, storage) },
        statements: [apiKeyUse(storage), ...statementsOf(route, storage)],
        settings,
      });
      api.root.resourceForPath(route.path).addMethod(route.method, integration(handler));
    }

    const fallback = new Endpoint(this, {
      id: 'fallback',
      functionName: functionName('fallback'),
      bundles,
      environment: { ...cors, METHODS: JSON.stringify(methodsByPath()) },
      statements: [],
      settings,
    });
    const everythingElse = integration(fallback.function);
    const everyPath = new Set(['/{proxy+}', ...routes.flatMap(({ path }) => prefixesOf(path))]);
    const resources = [...everyPath].map((path) => api.root.resourceForPath(path));
    for (const resource of [api.root, ...resources]) resource.addMethod('ANY', everythingElse);

    this.url = api.url;
  }
}

/** A path and all that lead to it: `/logs` and `/logs/chat` of the latter. */
const prefixesOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((_, i, parts) => `/${parts.slice(0, i + 1).join('/')}`);

/**
 * One permission a function instead of one a method: a stack holds at most 500 resources.
 * The gateway gives up just before the function's own time limit: then the answer is 504, and not that of a crash.
 */
const integration = (handler: Endpoint['function']) =>
  new LambdaIntegration(handler, { scopePermissionToMethod: false, timeout: Duration.seconds(14) });

/** The names of what a route's `needs` name. */
const whereabouts = ({ needs }: Route, { key, bucket }: Storage): Record<string, string> => ({
  ...(needs.key && { KMS_KEY_ID: key.keyId }),
  ...(needs.files && { BUCKET_NAME: bucket.bucketName }),
});

/** Every function may look up the API key that it is called with, and note the hour of its use. */
const apiKeyUse = ({ table }: Storage) =>
  new PolicyStatement({
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    resources: [table.tableArn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['KEY#*'] } },
  });

/** The rights that a route's `needs` name. */
function statementsOf({ needs }: Route, { table, key, bucket }: Storage): PolicyStatement[] {
  const statement = (service: string, actions: readonly string[], ...resources: string[]) =>
    new PolicyStatement({ actions: actions.map((action) => `${service}:${action}`), resources });
  const files = Object.entries(needs.files ?? {});
  return [
    ...(needs.table ? [statement('dynamodb', needs.table, table.tableArn)] : []),
    ...(needs.indexes
      ? [statement('dynamodb', ['Query'], ...needs.indexes.map((name) => `${table.tableArn}/index/${name}`))]
      : []),
    ...(needs.key ? [keyStatement(needs.key, key.keyArn)] : []),
    ...files.map(([folder, actions]) => statement('s3', actions, bucket.arnForObjects(`${folder}/*`))),
    // Without it S3 says 'forbidden' of an object that is not there.
    ...(files.some(([, actions]) => actions.includes('GetObject'))
      ? [statement('s3', ['ListBucket'], bucket.bucketArn)]
      : []),
  ];
}

/** The key of the credentials may be used only with all of the context that binds a credential to its row. */
function keyStatement(actions: readonly KeyAction[], keyArn: string): PolicyStatement {
  const context = ['user', 'service', 'name'];
  return new PolicyStatement({
    actions: actions.map((action) => `kms:${action}`),
    resources: [keyArn],
    conditions: {
      Null: Object.fromEntries(context.map((name) => [`kms:EncryptionContext:${name}`, 'false'])),
      'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': context },
    },
  });
}

/** The methods of every path, for the answer 405. */
function methodsByPath(): Record<string, string[]> {
  const paths: Record<string, string[]> = {};
  for (const { path, method } of routes) paths[path] = [...(paths[path] ?? []), method];
  return paths;
}

/** One JSON line per request. No query, no headers: they may hold what nobody should read. */
function accessLogFormat(): AccessLogFormat {
  return AccessLogFormat.custom(
    JSON.stringify({
      request_id: '$context.requestId',
      lambda_request_id: '$context.integration.requestId',
      time: '$context.requestTimeEpoch',
      method: '$context.httpMethod',
      resource: '$context.resourcePath',
      status: '$context.status',
      response_bytes: '$context.responseLength',
      latency_ms: '$context.responseLatency',
      integration_ms: '$context.integrationLatency',
      error: '$context.error.responseType',
      ip: '$context.identity.sourceIp',
    }),
  );
}

/** What the gateway answers by itself, in the service's one error shape. (Its 413 is reported to ignore this.) */
function shapeGatewayErrors(api: RestApi): void {
  const shape = (name: string, type: ResponseType, { status, retry, loc, msg, type: machineName }: GatewayFault) =>
    api.addGatewayResponse(name, {
      type,
      statusCode: String(status),
      responseHeaders: {
        'x-request-id': 'context.requestId',
        'cache-control': "'no-store'",
        'access-control-allow-origin': "'*'",
        'access-control-expose-headers': "'Retry-After, x-request-id'",
        ...(retry && { 'retry-after': "'1'" }),
      },
      templates: { 'application/json': JSON.stringify({ detail: [{ loc, msg, type: machineName }] }) },
    });

  shape('BadRequest', ResponseType.DEFAULT_4XX, gatewayFaults.badRequest);
  shape('NotFound', ResponseType.MISSING_AUTHENTICATION_TOKEN, gatewayFaults.noSuchPath);
  shape('TooLarge', ResponseType.REQUEST_TOO_LARGE, gatewayFaults.tooLarge);
  shape('UnsupportedMediaType', ResponseType.UNSUPPORTED_MEDIA_TYPE, gatewayFaults.unsupported);
  shape('Throttled', ResponseType.THROTTLED, gatewayFaults.throttled);
  shape('QuotaExceeded', ResponseType.QUOTA_EXCEEDED, gatewayFaults.throttled);
  shape('Internal', ResponseType.API_CONFIGURATION_ERROR, gatewayFaults.internal);
  shape('BadGateway', ResponseType.DEFAULT_5XX, gatewayFaults.badGateway);
  // Also what Lambda refuses for the account's concurrency: nothing has run.
  shape('Unavailable', ResponseType.INTEGRATION_FAILURE, gatewayFaults.unavailable);
  shape('Timeout', ResponseType.INTEGRATION_TIMEOUT, gatewayFaults.timeout);
}
