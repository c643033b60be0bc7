import { releasedFunctions } from './released.ts';
import type { Assembly } from './template.ts';

/** A resource of the gateway: a segment of a path, and the function behind each of its methods. */
interface Node {
  path: string;
  children: Map<string, Node>;
  /** The integration by method; `ANY` for all others. */
  methods: Map<string, Integration>;
}

interface Integration {
  /** The method as it is deployed: `ANY` for those that the resource does not name. */
  method: string;
  functionName: string;
  /** How long the gateway waits for it. */
  timeoutMs: number;
}

/** Which function answers a request, and what the gateway tells it about the match. */
export interface Match extends Integration {
  /** The resource's path, as `/assistants/{assistant_id}`. */
  resource: string;
  pathParameters: Record<string, string> | null;
}

type Found = { node: Node; parameters: Record<string, string> } | undefined;

/** API Gateway's order: a literal segment, then a parameter, then a greedy one; the way back is open. */
function find(node: Node, [segment, ...rest]: string[], parameters: Record<string, string>): Found {
  if (segment === undefined) return { node, parameters };
  const literal = node.children.get(segment);
  const found = literal && find(literal, rest, parameters);
  if (found) return found;
  for (const [part, child] of node.children) {
    const [, name, greedy] = /^\{(.+?)(\+?)\}$/.exec(part) ?? [];
    if (!name || segment === '') continue;
    const value = greedy ? [segment, ...rest].join('/') : segment;
    const match = find(child, greedy ? [] : rest, { ...parameters, [name]: value });
    if (match && (match.node.methods.size > 0 || match.node.children.size > 0)) return match;
  }
  return undefined;
}

/** The methods of the template's REST API, each on its resource. */
function methodsOf(assembly: Assembly) {
  const released = releasedFunctions(assembly);
  return assembly.resources('AWS::ApiGateway::Method').map(({ stack, Properties }) => {
    const { ResourceId, HttpMethod, Integration } = Properties as {
      ResourceId: { Ref?: string };
      HttpMethod: string;
      Integration: { Uri: unknown; TimeoutInMillis?: number };
    };
    const uri = String(assembly.value(Integration.Uri, stack));
    const [, arn = ''] = /\/functions\/(.+)\/invocations$/.exec(uri) ?? [];
    const functionName = released.get(arn);
    if (!functionName) throw new Error(`The local host does not know the integration ${uri}`);
    const { TimeoutInMillis: timeoutMs = 29_000 } = Integration;
    return { resourceId: ResourceId.Ref ?? '', integration: { method: HttpMethod, functionName, timeoutMs } };
  });
}

/** The routing of the template's REST API: its resources, methods and proxy integrations. */
export function router(assembly: Assembly): (method: string, path: string) => Match | undefined {
  const root: Node = { path: '', children: new Map(), methods: new Map() };
  const nodes = new Map<string, Node>();

  const resources = assembly.resources('AWS::ApiGateway::Resource');
  const nodeOf = (id: string): Node => {
    const known = nodes.get(id);
    if (known) return known;
    const resource = resources.find((candidate) => candidate.id === id);
    if (!resource) return root; // only the root is not a resource of its own
    const { ParentId, PathPart } = resource.Properties as { ParentId: { Ref?: string }; PathPart: string };
    const parent = nodeOf(ParentId.Ref ?? '');
    const node: Node = { path: `${parent.path}/${PathPart}`, children: new Map(), methods: new Map() };
    parent.children.set(PathPart, node);
    nodes.set(id, node);
    return node;
  };

  for (const { resourceId, integration } of methodsOf(assembly)) {
    nodeOf(resourceId).methods.set(integration.method, integration);
  }

  return (method, path) => {
    // REST APIs take a path with and without its trailing slash for the same.
    const found = find(root, path.replace(/\/$/, '').split('/').slice(1), {});
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
