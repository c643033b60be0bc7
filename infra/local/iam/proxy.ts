import { once } from 'node:events';
import { Agent, request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { BodyTooLarge, readBody } from '../body.ts';
import { limitQuery } from '../emulators/dynamodb.ts';
import { isAllowed, isPreflight, isUploadForm } from '../emulators/request-check.ts';
import { createFormQueue, type FormQueue, maxFormBytes, maxObjectBytes } from '../emulators/s3/object-body.ts';
import { parseOperation } from '../emulators/s3/operation.ts';
import type { Assembly } from '../template.ts';
import { type FunctionPermissions, listFunctionPermissions } from './function-permissions.ts';
import {
  type AccessRequest,
  type KeyPattern,
  leadingKeysConditionKey,
  listAllowingPermissions,
  type Permission,
} from './policy.ts';
import { detectService, listAccessRequests, type Service, toListAccess } from './requested-actions.ts';
import { getPartitionKeys, type PartitionKeys } from './table-actions.ts';

/** Use of the granted permissions since the proxies started, one sentence per entry. */
export interface PermissionReport {
  /** Granted permissions, and partition key patterns in them, that no request has needed yet. */
  unused: string[];
  /** Requests that no permission allows. */
  refused: string[];
}

/** The proxies in front of the services, one per function. */
export interface PermissionProxies {
  /** Returns the `AWS_ENDPOINT_URL_*` variables of a function. They name its own proxy, which identifies the function by port. */
  getEndpoints(functionName: string): Record<string, string>;
  report(): PermissionReport;
  stop(): Promise<void>;
}

/** Maximum body of DynamoDB, the largest of the JSON services. The others reject larger bodies than theirs themselves. */
const maxJsonBytes = 16 * 2 ** 20;

interface ErrorAnswer {
  status: number;
  code: string;
  message: string;
}

/** Returns the maximum size of a request's body in bytes. */
function getMaxBytes(request: IncomingMessage): number {
  if (isUploadForm(request)) return maxFormBytes;
  return detectService(request.headers) === 'S3' ? maxObjectBytes : maxJsonBytes;
}

/** Returns the error that AWS answers to a request that no policy allows. */
function buildAccessDenied(service: Service, user: string, { action, resource }: AccessRequest): ErrorAnswer {
  const reason = `because no identity-based policy allows the ${action} action`;
  const message = `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
  return service === 'S3'
    ? { status: 403, code: 'AccessDenied', message }
    : { status: 400, code: 'AccessDeniedException', message };
}

/** Returns the answer to a body that is too large or invalid JSON, or undefined for any other error. */
function toBodyError(service: Service, error: unknown): ErrorAnswer | undefined {
  if (error instanceof SyntaxError) return { status: 400, code: 'SerializationException', message: '' };
  if (!(error instanceof BodyTooLarge)) return undefined;
  const message = 'The body is larger than the service accepts';
  return service === 'S3'
    ? { status: 400, code: 'EntityTooLarge', message }
    : { status: 413, code: 'RequestEntityTooLargeException', message };
}

/** Sends an error in the format of the service. */
function sendError(response: ServerResponse, service: Service, { status, code, message }: ErrorAnswer): void {
  if (service !== 'S3') {
    const body = JSON.stringify({ __type: `com.amazon.coral.service#${code}`, message });
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
    return;
  }
  const text = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${text}</Message></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
}

/** Evaluates the permissions of a function, and records which ones are used. */
function createPermissionTracker({ permissions, description }: FunctionPermissions) {
  const used = new Set<Permission | KeyPattern>();
  const granted = permissions
    .filter(({ allows }) => allows)
    .flatMap((permission) => [permission, ...permission.keyPatterns]);
  const refused = new Set<string>();
  return {
    allows(access: AccessRequest): boolean {
      const matching = listAllowingPermissions(permissions, access);
      // Two permissions that allow the same request make each other unnecessary, so neither counts as used.
      const [only, other] = matching;
      if (only && !other) {
        used.add(only);
        const keys = access.context[leadingKeysConditionKey] ?? [];
        for (const pattern of only.keyPatterns) if (keys.some(pattern.matches)) used.add(pattern);
      }
      if (matching.length === 0) refused.add(`${description}: ${access.action} on ${access.resource}`);
      return matching.length > 0;
    },
    report: (): PermissionReport => ({
      unused: [...new Set(granted)]
        .filter((permission) => !used.has(permission))
        .map(({ text }) => `${description}: ${text}`),
      refused: [...refused],
    }),
  };
}

/** The services behind the proxies. */
interface ProxyTarget {
  /** `AWS_ENDPOINT_URL_*` of the services. */
  endpoints: Record<string, string>;
  partitionKeys: PartitionKeys;
  agent: Agent;
  inTurn: FormQueue;
}

/** Starts the proxy of a function. It forwards allowed requests unchanged, including the signed `Host` header, but limits queries. */
async function startProxy(grants: FunctionPermissions, { endpoints, partitionKeys, agent, inTurn }: ProxyTarget) {
  const { allows, report } = createPermissionTracker(grants);

  /** Forwards a request to the service and returns its response. Aborts the request if the function disconnects. */
  async function forward(service: Service, request: IncomingMessage, body: Buffer, response: ServerResponse) {
    const { hostname: host, port } = new URL(endpoints[`AWS_ENDPOINT_URL_${service}`] ?? '');
    const { method, url: path } = request;
    const isQuery = request.headers['x-amz-target'] === 'DynamoDB_20120810.Query';
    const sent = isQuery ? limitQuery(body) : body;
    const headers = isQuery ? { ...request.headers, 'content-length': sent.length } : request.headers;
    const forwarded = ask({ host, port, method, path, headers, agent }).end(sent);
    response.on('close', () => response.writableFinished || forwarded.destroy());
    const [upstream] = (await once(forwarded, 'response')) as [IncomingMessage];
    forwarded.on('error', () => {}); // the response stream reports the same error
    return upstream;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '/', headers } = request;
    const service = detectService(headers);
    const body = await readBody(request, getMaxBytes(request));
    // A CORS preflight request carries no credentials.
    const accesses = isPreflight(request)
      ? []
      : await listAccessRequests({ method, path, headers }, body, partitionKeys);
    const denied = accesses.find((access) => !allows(access));
    if (denied) return sendError(response, service, buildAccessDenied(service, grants.user, denied));
    const upstream = await forward(service, request, body, response);
    if (service === 'S3' && upstream.statusCode === 404) {
      // S3 answers 404 only to callers that may list the bucket, and 403 to all others.
      const { bucket = '', key = '' } = parseOperation(request) ?? {};
      const list = toListAccess(bucket, key);
      if (!allows(list)) {
        upstream.resume();
        return sendError(response, service, buildAccessDenied(service, grants.user, list));
      }
    }
    response.writeHead(upstream.statusCode ?? 502, upstream.headers);
    await pipeline(upstream, response);
  }

  const server = createServer((request, response) => {
    if (!isAllowed(request)) return void response.writeHead(403).end();
    const run = () => handle(request, response);
    const handled = isUploadForm(request) ? inTurn(request, run) : run();
    handled.catch((error) => {
      const service = detectService(request.headers);
      const answer = toBodyError(service, error);
      if (answer) sendError(response, service, answer);
      else request.socket.destroy(); // the service or the function closed its connection
    });
  });
  server.keepAliveTimeout = 0; // otherwise a function may reuse a connection that is about to close
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { functionName: grants.functionName, url, server, report };
}

/** Starts a proxy for each function of the templates. Throws on a policy that the local host cannot evaluate. */
export async function startPermissionProxies(
  assembly: Assembly,
  endpoints: Record<string, string>,
): Promise<PermissionProxies> {
  const agent = new Agent({ keepAlive: true });
  const inTurn = createFormQueue();
  const target = { endpoints, partitionKeys: getPartitionKeys(assembly), agent, inTurn };
  const proxies = await Promise.all(listFunctionPermissions(assembly).map((grants) => startProxy(grants, target)));
  const byFunctionName = new Map(proxies.map((proxy) => [proxy.functionName, proxy]));
  return {
    getEndpoints: (functionName) => {
      const url = byFunctionName.get(functionName)?.url ?? '';
      return Object.fromEntries(Object.keys(endpoints).map((name) => [name, url]));
    },
    report: () => {
      const reports = proxies.map(({ report }) => report());
      return { unused: reports.flatMap(({ unused }) => unused), refused: reports.flatMap(({ refused }) => refused) };
    },
    stop: async () => {
      for (const { server } of proxies) {
        server.closeAllConnections();
        server.close();
      }
      agent.destroy();
    },
  };
}
