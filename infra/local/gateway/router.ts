import { resolveAliases } from '../lambda/aliases.ts';
import type { Assembly } from '../template.ts';

/** A resource of the gateway: a path segment with the integrations of its methods. */
interface Node {
  path: string;
  children: Map<string, Node>;
  /** Integrations by method. `ANY` serves the methods that are not listed. */
  methods: Map<string, Integration>;
}

interface Integration {
  /** Method of the deployed resource, or `ANY`. */
  method: string;
  functionName: string;
  timeoutMs: number;
  /** Passes the function's response on while it is written. */
  streams: boolean;
}

/** The integration that serves a request, with the match details of its event. */
export interface Match extends Integration {
  /** Path of the resource, such as `/assistants/{assistant_id}`. */
  resource: string;
  pathParameters: Record<string, string> | null;
}

type FoundNode = { node: Node; parameters: Record<string, string> } | undefined;

/** Finds a node in API Gateway's order: literal segment, parameter, greedy parameter. Backtracks if a branch does not match. */
function findNode(node: Node, [segment, ...rest]: string[], parameters: Record<string, string>): FoundNode {
  if (segment === undefined) return { node, parameters };
  const literal = node.children.get(segment);
  const found = literal && findNode(literal, rest, parameters);
  if (found) return found;
  for (const [part, child] of node.children) {
    const [, name, greedy] = /^\{(.+?)(\+?)\}$/.exec(part) ?? [];
    if (!name || segment === '') continue;
    const value = greedy ? [segment, ...rest].join('/') : segment;
    const match = findNode(child, greedy ? [] : rest, { ...parameters, [name]: value });
    if (match && (match.node.methods.size > 0 || match.node.children.size > 0)) return match;
  }
  return undefined;
}

/** Lists the methods of the template's REST API with the ids of their resources. */
function listMethods(assembly: Assembly) {
  const released = resolveAliases(assembly);
  return assembly.listResources('AWS::ApiGateway::Method').map(({ stack, Properties }) => {
    const { ResourceId, HttpMethod, Integration } = Properties as {
      ResourceId: { Ref?: string };
      HttpMethod: string;
      Integration: { Uri: unknown; TimeoutInMillis?: number; ResponseTransferMode?: string };
    };
    const uri = String(assembly.resolve(Integration.Uri, stack));
    const { TimeoutInMillis: timeoutMs = 29_000, ResponseTransferMode } = Integration;
    const streams = ResponseTransferMode === 'STREAM';
    const [, arn = '', action] = /\/functions\/(.+)\/([\w-]+)$/.exec(uri) ?? [];
    const functionName = released.get(arn);
    if (!functionName || action !== (streams ? 'response-streaming-invocations' : 'invocations'))
      throw new Error(`The local host does not support the integration ${uri}`);
    return { resourceId: ResourceId.Ref ?? '', integration: { method: HttpMethod, functionName, timeoutMs, streams } };
  });
}

/** Creates the lookup from a method and path to an integration of the template's REST API. */
export function createRouter(assembly: Assembly): (method: string, path: string) => Match | undefined {
  const root: Node = { path: '', children: new Map(), methods: new Map() };
  const nodes = new Map<string, Node>();

  const resources = assembly.listResources('AWS::ApiGateway::Resource');
  const getNode = (id: string): Node => {
    const known = nodes.get(id);
    if (known) return known;
    const resource = resources.find((candidate) => candidate.id === id);
    if (!resource) return root; // the root belongs to the API and is no resource
    const { ParentId, PathPart } = resource.Properties as { ParentId: { Ref?: string }; PathPart: string };
    const parent = getNode(ParentId.Ref ?? '');
    const node: Node = { path: `${parent.path}/${PathPart}`, children: new Map(), methods: new Map() };
    parent.children.set(PathPart, node);
    nodes.set(id, node);
    return node;
  };

  for (const { resourceId, integration } of listMethods(assembly)) {
    getNode(resourceId).methods.set(integration.method, integration);
  }

  return (method, path) => {
    // REST APIs ignore a trailing slash.
    const found = findNode(root, path.replace(/\/$/, '').split('/').slice(1), {});
    const integration = found?.node.methods.get(method) ?? found?.node.methods.get('ANY');
    if (!found || !integration) return undefined;
    const { node, parameters } = found;
    return {
      ...integration,
      resource: node.path || '/',
      pathParameters: Object.keys(parameters).length > 0 ? parameters : null,
    };
  };
}
