import { Duration, NestedStack, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import {
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  ResponseTransferMode,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { type Alias, type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { WorkspaceRules } from '../../../shared/domain/workspace.ts';
import type { Route } from '../../../shared/route.ts';
import { routes } from '../../../shared/routes/index.ts';
import { scopes } from '../../../shared/scopes.ts';
import type { Settings } from '../../settings.ts';
import { acceptPrefixWildcard } from '../review.ts';
import { findRouteStack, type RouteStack } from '../route-stacks.ts';
import type { Storage } from '../storage.ts';
import { buildAccessLogFormat } from './access-log.ts';
import { addDomain } from './domain.ts';
import { addGatewayErrors } from './gateway-errors.ts';
import { buildApiKeyStatements, buildRouteStatements } from './permissions.ts';
import { Releases } from './releases.ts';
import { toResourceVariables } from './resource-variables.ts';
import { ServiceFunction } from './service-function.ts';
import { createWebAcl } from './web-acl.ts';

export interface ApiProps {
  /** Prefix of every function name. */
  name: string;
  settings: Settings;
  storage: Storage;
  /** Stage name: the first path segment of the gateway's own URL. */
  stage: string;
  /** Folder of the function bundles. */
  bundles: string;
  /** Nested stacks that hold functions of routes (route-stacks.ts). */
  routeStacks: Record<RouteStack, NestedStack>;
}

/**
 * Nested stack of the API: a gateway, and one function per route of the route table. Holds no data. Nested because a
 * stack holds at most 500 resources.
 */
export class ApiStack extends NestedStack {
  /** Base URL, with a trailing slash. */
  readonly url: string;
  readonly accessLog: LogGroup;
  /** Target of the DNS record for a custom domain. */
  readonly domainTarget: string | undefined;

  constructor(scope: Construct, id: string, { name, settings, storage, stage, bundles, routeStacks }: ApiProps) {
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
        accessLogFormat: buildAccessLogFormat(),
      },
    });
    addGatewayErrors(api);

    const cors = { CORS_ORIGINS: settings.corsOrigins.join(',') };
    const { issuer, audiences, jwksUri, tokenUse } = storage.issuer;
    const commonVariables = {
      ...cors,
      ISSUER: issuer,
      AUDIENCES: audiences.join(' '),
      JWKS_URI: jwksUri,
      ...(tokenUse && { TOKEN_USE: tokenUse }),
      ENVIRONMENT: stage,
      MACHINE_CLIENTS: JSON.stringify(settings.machineClients),
      ...(settings.workspaces && { WORKSPACES: JSON.stringify(toWorkspaceRules(settings.workspaces)) }),
      TABLE_NAME: storage.table.tableName,
      TRANSCRIPT_DAYS: String(settings.transcriptRetentionDays ?? ''),
      EVENT_DAYS: String(settings.eventDays),
      MAX_ATTACHED: String(settings.knowledgeBases.maxAttached),
      MAX_UPLOAD_MB: String(settings.knowledgeBases.maxUploadMb),
    };

    const releases = settings.releases === 'canary' && new Releases(this, { name, environment: stage });
    for (const route of routes) {
      const routeStack = findRouteStack(route);
      const endpoint = new ServiceFunction(routeStack ? routeStacks[routeStack] : this, {
        id: route.id,
        service: name,
        bundles,
        environment: { ...commonVariables, ...toResourceVariables(route, storage, settings) },
        statements: [...buildApiKeyStatements(route, storage), ...buildRouteStatements(route, storage, settings)],
        settings,
        ...(route.memoryMb && { memoryMb: route.memoryMb }),
        timeout: Duration.seconds(getGatewaySeconds(route) + 1),
      });
      for (const folder of Object.keys(route.needs.files ?? {}))
        acceptPrefixWildcard(endpoint, storage.bucket, `${folder}/*`);
      const integration = createIntegration(this, route.id, endpoint, route);
      api.root.resourceForPath(route.path).addMethod(route.method, integration);
      if (releases && route.canary) releases.addCanary(route, endpoint);
    }

    const fallback = new ServiceFunction(this, {
      id: 'fallback',
      service: name,
      bundles,
      environment: { ...cors, METHODS: JSON.stringify(listMethodsPerPath()) },
      statements: [],
      settings,
    });
    const fallbackIntegration = createIntegration(this, 'fallback', fallback);
    const everyPath = new Set(['/{proxy+}', ...routes.flatMap(({ path }) => listPrefixes(path))]);
    const resources = [...everyPath].map((path) => api.root.resourceForPath(path));
    for (const resource of [api.root, ...resources]) resource.addMethod('ANY', fallbackIntegration);

    const { domain, throttle, waf } = settings;
    if (waf) createWebAcl(this, api.deploymentStage, throttle);
    this.domainTarget = domain && addDomain(this, api, domain);
    this.url = domain ? `https://${domain.name}/` : api.url;
  }
}

/** Returns a path and all its parents: `/logs` and `/logs/chat` for `/logs/chat`. */
const listPrefixes = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((_, i, parts) => `/${parts.slice(0, i + 1).join('/')}`);

type Timeouts = Pick<Route, 'streamSeconds' | 'timeoutSeconds'>;

/** Returns how long the gateway waits for a route. */
const getGatewaySeconds = ({ streamSeconds, timeoutSeconds = 14 }: Timeouts): number => streamSeconds ?? timeoutSeconds;

/**
 * Creates the integration of a function, with one permission per function instead of one per method: a stack holds at
 * most 500 resources. The gateway times out a second before the function, so the client gets a 504 instead of the
 * response to a crash.
 */
const createIntegration = (api: ApiStack, id: string, { live }: ServiceFunction, route: Timeouts = {}) =>
  new LambdaIntegration(importIntoStack(api, id, live), {
    scopePermissionToMethod: false,
    timeout: Duration.seconds(getGatewaySeconds(route)),
    ...(route.streamSeconds && { responseTransferMode: ResponseTransferMode.STREAM }),
  });

/**
 * Returns an alias as a resource of the API's stack, which then also holds its permission. Otherwise the permission would
 * be in the alias's stack and refer to the API, which refers to the alias.
 */
function importIntoStack(api: ApiStack, id: string, live: Alias): IFunction {
  if (Stack.of(live) === api) return live;
  const attributes = { functionArn: live.functionArn, sameEnvironment: true };
  return LambdaFunction.fromFunctionAttributes(api, id.replace('/', '-'), attributes);
}

/** Returns the rules of workspaces as functions get them: a role with `all` has every scope of this release. */
function toWorkspaceRules({ roles, ...rules }: NonNullable<Settings['workspaces']>): WorkspaceRules {
  const listed = Object.entries(roles ?? {}).map(([name, role]) => [name, role === 'all' ? scopes : role]);
  return { ...rules, ...(roles && { roles: Object.fromEntries(listed) }) } as WorkspaceRules;
}

/** Returns the methods of each path, which the fallback function needs to answer 405. */
function listMethodsPerPath(): Record<string, string[]> {
  const paths: Record<string, string[]> = {};
  for (const { path, method } of routes) paths[path] = [...(paths[path] ?? []), method];
  return paths;
}
