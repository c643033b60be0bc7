import { Duration, NestedStack, RemovalPolicy, Size } from 'aws-cdk-lib';
import { EndpointType, LambdaIntegration, LogGroupLogDestination, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Route } from '../shared/route.ts';
import { routes } from '../shared/routes/index.ts';
import { accessLogFormat } from './access-log.ts';
import { serveAt } from './domain.ts';
import { Endpoint } from './endpoint.ts';
import { shapeGatewayErrors } from './gateway-errors.ts';
import { Releases } from './release.ts';
import { acceptPrefix } from './review.ts';
import { apiKeyUse, statementsOf } from './rights.ts';
import type { Settings } from './settings.ts';
import type { Storage } from './storage.ts';
import { guard } from './web-acl.ts';

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
  readonly accessLog: LogGroup;
  /** Where the DNS record of a domain of its own must point to. */
  readonly domainTarget: string | undefined;

  constructor(scope: Construct, id: string, { name, settings, storage, stage, bundles }: ApiProps) {
    super(scope, id);

    this.accessLog = new LogGroup(this, 'AccessLog', {
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
        tracingEnabled: settings.tracing,
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        accessLogFormat: accessLogFormat(),
      },
    });
    shapeGatewayErrors(api);
    for (const folder of new Set(routes.flatMap(({ needs }) => Object.keys(needs.files ?? {}))))
      acceptPrefix(this, storage.bucket, `${folder}/*`);

    const cors = { CORS_ORIGINS: settings.corsOrigins.join(',') };
    const { issuer, audiences, jwksUri, tokenUse } = storage.issuer;
    const common = {
      ...cors,
      ISSUER: issuer,
      AUDIENCES: audiences.join(' '),
      JWKS_URI: jwksUri,
      ...(tokenUse && { TOKEN_USE: tokenUse }),
      ENVIRONMENT: stage,
      MACHINE_CLIENTS: JSON.stringify(settings.machineClients),
      TABLE_NAME: storage.table.tableName,
      TRANSCRIPT_DAYS: String(settings.transcriptRetentionDays ?? ''),
      MAX_ATTACHED: String(settings.knowledgeBases.maxAttached),
      MAX_UPLOAD_MB: String(settings.knowledgeBases.maxUploadMb),
    };

    const releases = settings.releases === 'canary' && new Releases(this, { name, environment: stage });
    for (const route of routes) {
      const endpoint = new Endpoint(this, {
        id: route.id,
        service: name,
        bundles,
        environment: { ...common, ...whereabouts(route, storage) },
        statements: [...apiKeyUse(route, storage), ...statementsOf(route, storage)],
        settings,
        ...(route.memoryMb && { memoryMb: route.memoryMb }),
      });
      api.root.resourceForPath(route.path).addMethod(route.method, integration(endpoint));
      if (releases && route.canary) releases.canary(route, endpoint);
    }

    const fallback = new Endpoint(this, {
      id: 'fallback',
      service: name,
      bundles,
      environment: { ...cors, METHODS: JSON.stringify(methodsByPath()) },
      statements: [],
      settings,
    });
    const everythingElse = integration(fallback);
    const everyPath = new Set(['/{proxy+}', ...routes.flatMap(({ path }) => prefixesOf(path))]);
    const resources = [...everyPath].map((path) => api.root.resourceForPath(path));
    for (const resource of [api.root, ...resources]) resource.addMethod('ANY', everythingElse);

    const { domain, throttle, waf } = settings;
    if (waf) guard(this, api.deploymentStage, throttle.rate);
    this.domainTarget = domain && serveAt(this, api, domain);
    this.url = domain ? `https://${domain.name}/` : api.url;
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
const integration = ({ live }: Endpoint) =>
  new LambdaIntegration(live, { scopePermissionToMethod: false, timeout: Duration.seconds(14) });

/** The names of what a route's `needs` name. */
const whereabouts = ({ needs }: Route, { key, bucket }: Storage): Record<string, string> => ({
  ...(needs.key && { KMS_KEY_ID: key.keyId }),
  ...(needs.files && { BUCKET_NAME: bucket.bucketName }),
});

/** The methods of every path, for the answer 405. */
function methodsByPath(): Record<string, string[]> {
  const paths: Record<string, string[]> = {};
  for (const { path, method } of routes) paths[path] = [...(paths[path] ?? []), method];
  return paths;
}
