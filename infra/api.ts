import { Duration, NestedStack, RemovalPolicy, Size } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  EndpointType,
  type IResource,
  LambdaIntegration,
  LogGroupLogDestination,
  ResponseType,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type GatewayFault, gatewayFaults } from '../shared/errors.ts';
import type { Route } from '../shared/route.ts';
import { routes } from '../shared/routes/index.ts';
import type { Settings } from './config.ts';
import { Endpoint } from './endpoint.ts';
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

    const functionName = (id: string) => `${name}-${id.replace('/', '-')}`;
    const cors = { CORS_ORIGINS: settings.corsOrigins.join(',') };
    const { issuer, audience, jwksUri, tokenUse } = storage.issuer;
    const identity = {
      ISSUER: issuer,
      AUDIENCE: audience,
      JWKS_URI: jwksUri,
      ...(tokenUse && { TOKEN_USE: tokenUse }),
    };

    for (const route of routes) {
      const { function: handler } = new Endpoint(this, {
        id: route.id,
        functionName: functionName(route.id),
        bundles,
        environment: { ...cors, ...identity, ...whereabouts(route, storage) },
        statements: statementsOf(route, storage),
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
    const addFallback = (resource: IResource) => {
      resource.addMethod('ANY', everythingElse);
      for (const child of resource.node.children) if (isResource(child)) addFallback(child);
    };
    api.root.addResource('{proxy+}');
    addFallback(api.root);

    this.url = api.url;
  }
}

const isResource = (child: unknown): child is IResource => child instanceof Object && 'addMethod' in child;

/**
 * One permission a function instead of one a method: a stack holds at most 500 resources.
 * The gateway gives up just before the function's own time limit: then the answer is 504, and not that of a crash.
 */
const integration = (handler: Endpoint['function']) =>
  new LambdaIntegration(handler, { scopePermissionToMethod: false, timeout: Duration.seconds(14) });

/** The names of what a route's `needs` name. */
const whereabouts = ({ needs }: Route, { table, key }: Storage): Record<string, string> => ({
  ...(needs.table && { TABLE_NAME: table.tableName }),
  ...(needs.key && { KMS_KEY_ID: key.keyId }),
});

/** The rights that a route's `needs` name. */
function statementsOf({ needs }: Route, { table, key }: Storage): PolicyStatement[] {
  const statement = (service: string, actions: readonly string[], resource: string) =>
    new PolicyStatement({ actions: actions.map((action) => `${service}:${action}`), resources: [resource] });
  return [
    ...(needs.table ? [statement('dynamodb', needs.table, table.tableArn)] : []),
    ...(needs.key ? [statement('kms', needs.key, key.keyArn)] : []),
  ];
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

/** What the gateway answers by itself, in the service's one error shape. (Its 413 cannot be shaped.) */
function shapeGatewayErrors(api: RestApi): void {
  const shape = (name: string, type: ResponseType, status: string | undefined, fault: object, retry = false) =>
    api.addGatewayResponse(name, {
      type,
      ...(status && { statusCode: status }),
      responseHeaders: {
        'x-request-id': 'context.requestId',
        'cache-control': "'no-store'",
        'access-control-allow-origin': "'*'",
        'access-control-expose-headers': "'Retry-After, x-request-id'",
        ...(retry && { 'retry-after': "'1'" }),
      },
      templates: { 'application/json': JSON.stringify({ detail: [fault] }) },
    });

  const badRequest = { loc: ['service'], msg: 'The gateway cannot read this request', type: 'bad_request' };
  const notFound = { loc: ['path'], msg: 'No such path', type: 'not_found' };
  const faultOf = ({ msg, type }: GatewayFault) => ({ loc: ['service'], msg, type });
  const throttled = faultOf(gatewayFaults.throttled);
  const timeout = faultOf(gatewayFaults.timeout);
  const internal = { loc: ['service'], msg: 'Something went wrong on our side: try again', type: 'internal' };
  const badGateway = faultOf(gatewayFaults.badGateway);

  shape('BadRequest', ResponseType.DEFAULT_4XX, undefined, badRequest);
  shape('NotFound', ResponseType.MISSING_AUTHENTICATION_TOKEN, '404', notFound);
  shape('Throttled', ResponseType.THROTTLED, '429', throttled, true);
  shape('QuotaExceeded', ResponseType.QUOTA_EXCEEDED, '429', throttled, true);
  shape('Timeout', ResponseType.INTEGRATION_TIMEOUT, '504', timeout, true);
  shape('IntegrationFailure', ResponseType.INTEGRATION_FAILURE, '504', timeout, true);
  shape('Internal', ResponseType.API_CONFIGURATION_ERROR, '500', internal, true);
  shape('BadGateway', ResponseType.DEFAULT_5XX, undefined, badGateway, true);
}
