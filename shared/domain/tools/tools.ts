import { type Fault, Invalid, NotFound, truncateKey } from '../../errors.ts';
import type { HttpTool, McpServer, Tool } from '../../schemas/tool.ts';
import { findParametersFaults } from './parameters.ts';
import { mayBeTemplate } from './template.ts';

/** Placeholders of a URL: `https://api.example.com/orders/{order_id}`. */
const placeholder = /\{([^{}]*)\}/g;

/** Returns the names of the placeholders of a URL. */
export const listPlaceholders = (url: string): string[] => [...url.matchAll(placeholder)].map(([, name = '']) => name);

/** Converts an argument to text. */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value.toWellFormed() : (JSON.stringify(value) ?? '');

/** Maximum length of the URL of a request, in characters. */
const maxUrlCharacters = 8_192;

/** Throws Invalid if the arguments make a URL too long. */
export function checkUrlLength(characters: number): void {
  if (characters <= maxUrlCharacters) return;
  const msg = 'The URL with these arguments would have more than 8,192 characters: send shorter ones';
  throw new Invalid([{ loc: ['body', 'arguments'], msg, type: 'argument' }]);
}

/** Matches a path that leads elsewhere by dots, also for servers that decode slashes before they resolve dots, as nginx does. */
const dotSegment = /(?:[/\\]|%(?:25)*(?:2f|5c))(?:\.|%(?:25)*2e){1,2}(?:[/\\;]|%(?:25)*(?:2f|5c|3b|3f|23)|$)/i;

/**
 * Puts arguments into the placeholders of a URL. Undefined if one is empty, or would lead to another path, as `..` does. Throws Invalid if
 * the URL gets too long.
 */
export function fillPlaceholders(url: string, values: Record<string, unknown>): URL | undefined {
  const names = listPlaceholders(url);
  const getText = (name: string) => (Object.hasOwn(values, name) ? toText(values[name] ?? '') : '');
  const texts = new Map([...new Set(names)].map((name) => [name, encodeURIComponent(getText(name))]));
  const getFilled = (name: string) => texts.get(name) ?? '';
  if (names.some((name) => getFilled(name) === '')) return undefined;
  checkUrlLength(names.reduce((sum, name) => sum + getFilled(name).length - name.length - 2, url.length));
  const filled = url.replaceAll(placeholder, (_, name: string) => getFilled(name));
  const [path = ''] = filled.split(/[?#]/, 1);
  const isElsewhere = dotSegment.test(path) || !URL.canParse(filled);
  return isElsewhere || new URL(filled).origin !== new URL(url).origin ? undefined : new URL(filled);
}

/** Names of headers and query parameters that hold secrets. */
const secretName = /^(?:authorization|cookie|key)$|api[-_]?key|token|secret|password|credential/i;

/** Credentials that the tools of an assistant may name: each costs a request of KMS. */
const maxCredentials = 10;

function* findRequestFaults(
  { url, query, headers }: HttpTool['http'],
  properties: object,
  loc: string[],
): Generator<Fault> {
  if (/[{}]|%7[bd]/i.test(new URL(url).host))
    yield { loc: [...loc, 'url'], msg: 'The host should have no placeholders', type: 'placeholder' };
  for (const name of listPlaceholders(url)) {
    if (Object.hasOwn(properties, name)) continue;
    const msg = `The placeholder {${truncateKey(name)}} should be a property of the parameters`;
    yield { loc: [...loc, 'url'], msg, type: 'placeholder' };
  }
  const fixed = Object.entries(query).filter(([, text]) => !mayBeTemplate(text)); // what templates become is checked at each call
  if (url.length + String(new URLSearchParams(fixed)).length >= maxUrlCharacters) {
    const msg = 'The URL and its query should have at most 8,192 characters together';
    yield { loc: [...loc, 'query'], msg, type: 'too_long' };
  }
  const named: [where: string, string][] = [
    ...[...new URL(url).searchParams.keys()].map((name): [string, string] => ['url', name]),
    ...Object.keys(query).map((name): [string, string] => ['query', name]),
    ...Object.keys(headers).map((name): [string, string] => ['headers', name]),
  ];
  for (const [where, name] of named) {
    if (!secretName.test(name)) continue;
    const msg = `${truncateKey(name)} looks like a secret: save it by POST /user-credentials, and name it in "credential"`;
    yield { loc: [...loc, where, ...(where === 'url' ? [] : [truncateKey(name)])], msg, type: 'secret_in_plain' };
  }
}

/** Finds an `http` tool by its name, in any case. Throws NotFound, or Invalid for a tool of another type. */
export function findHttpTool(tools: readonly Tool[], name: string): HttpTool {
  const tool = tools.find((one) => one.name.toLowerCase() === name.toLowerCase());
  const loc = ['path', 'tool_name'];
  if (!tool) throw new NotFound(loc, 'This assistant has no such tool');
  if (tool.type === 'http') return tool;
  const msg = `Only http tools run here, and this is a tool of type ${tool.type}: the worker runs it`;
  throw new Invalid([{ loc, msg, type: 'tool_type' }]);
}

/** Yields what no schema can say about the tools and servers of an assistant. */
export function* findToolFaults(tools: readonly Tool[], servers: readonly McpServer[]): Generator<Fault> {
  const names = new Set<string>();
  for (const [i, tool] of tools.entries()) {
    const loc = ['body', 'tools', String(i)];
    const name = tool.name.toLowerCase();
    if (names.has(name)) yield { loc: [...loc, 'name'], msg: 'Another tool has this name', type: 'duplicate_name' };
    names.add(name);
    if (tool.type !== 'http' && tool.type !== 'client') continue;
    yield* findParametersFaults(tool.parameters, [...loc, 'parameters']);
    if (tool.type !== 'http') continue;
    const { properties } = tool.parameters;
    yield* findRequestFaults(tool.http, typeof properties === 'object' ? { ...properties } : {}, [...loc, 'http']);
  }
  const serverNames = new Set<string>();
  for (const [i, { name }] of servers.entries()) {
    const isKnown = serverNames.has(name.toLowerCase());
    serverNames.add(name.toLowerCase());
    if (isKnown)
      yield {
        loc: ['body', 'mcp_servers', String(i), 'name'],
        msg: 'Another server has this name',
        type: 'duplicate_name',
      };
  }
  const credentials = listToolCredentials(tools, servers).map((one) => JSON.stringify([one.service_type, one.name]));
  if (new Set(credentials).size > maxCredentials)
    yield { loc: ['body', 'tools'], msg: 'Tools and MCP servers should use at most 10 credentials', type: 'too_long' };
}

/** Lists the credentials that tools and servers name. */
export const listToolCredentials = (tools: readonly Tool[], servers: readonly McpServer[]) =>
  [
    ...tools.map((tool) => (tool.type === 'http' ? tool.http.credential : null)),
    ...servers.map((one) => one.credential),
  ].filter((one) => one !== null);

/** Lists the addresses that tools and servers name, with their places in the body. */
export const listToolUrls = (tools: readonly Tool[], servers: readonly McpServer[]): [url: string, loc: string[]][] => [
  ...tools.flatMap((tool, i): [string, string[]][] =>
    tool.type === 'http' ? [[tool.http.url, ['body', 'tools', String(i), 'http', 'url']]] : [],
  ),
  ...servers.map(({ url }, i): [string, string[]] => [url, ['body', 'mcp_servers', String(i), 'url']]),
];
