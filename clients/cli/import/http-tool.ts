import { isServiceType } from '../../../shared/schemas/credential.ts';
import { isExtraHeader, isHeaderValue } from '../../../shared/schemas/outbound.ts';
import type { Draft, DraftTool, SourceText } from './draft.ts';
import { isKeyLike, isSecretName } from './secrets.ts';
import type { Field } from './source.ts';
import { readPurpose, readToolName } from './tool-parts.ts';

type Credential = { service_type: string; name: null; header: string; prefix: string };

/** A header or a query parameter of a request. */
export interface NamedField {
  name: string;
  field: Field;
}

/** Parts of a tool that sends a request. */
export interface RequestParts {
  field: Field;
  name: Field;
  description: Field;
  url: Field;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers: NamedField[];
  query: NamedField[];
  parameters: Record<string, unknown> | undefined;
  /** Names a key that the platform stores. */
  credential?: Field;
  seconds: { field: Field; value: number | undefined };
  say: NonNullable<DraftTool['say']>;
}

/** Returns the name of the credential that a key for a host is to be stored as. */
export function toServiceType(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname.toLowerCase().replace(/[^a-z0-9_.-]/g, '') : '';
  const name = host.slice(0, 64);
  return isServiceType(name) ? name : 'imported';
}

const explainSecret = (service: string) =>
  `A key is not imported: save it as the credential \`${service}\`, and the tool sends it`;

/** Reads headers without keys. The first key becomes a reference to a credential. */
export function readHeaders(
  headers: NamedField[],
  service: string,
): { headers: [string, SourceText][]; credential: Credential | null } {
  let credential: Credential | null = null;
  const kept: [string, SourceText][] = [];
  for (const { name, field } of headers) {
    if (field.isEmpty) continue;
    const text = typeof field.value === 'string' ? field.value : undefined;
    if (isSecretName(name) || (text !== undefined && isKeyLike(text))) {
      const scheme = /^(Bearer|Basic|Token|ApiKey|Key)\s/i.exec(text ?? '')?.[1];
      const prefix = scheme ? `${scheme} ` : '';
      const canCarry = /^[A-Za-z0-9-]{1,100}$/.test(name) && isExtraHeader(name);
      if (credential || !canCarry) {
        field.withhold('A key is not imported: a tool sends one key, in a header named by letters, digits and -');
        continue;
      }
      credential = { service_type: service, name: null, header: name.toLowerCase(), prefix };
      field.withhold(explainSecret(service));
    } else if (!isExtraHeader(name)) field.lose('The service or the connection sets this header');
    else {
      // ElevenLabs names a variable so.
      const variable = field.get('variable_name');
      const value = variable.isEmpty ? field.scalar() : `{{${variable.text()}}}`;
      if (value === undefined) continue;
      if (isHeaderValue(String(value))) kept.push([name, { text: String(value), field }]);
      else field.lose('A header is up to 1,000 printable ASCII characters');
    }
  }
  return { headers: kept, credential };
}

/** Warns of keys in headers that are not imported with what they belong to. */
export function withholdKeys(headers: NamedField[]): void {
  for (const { name, field } of headers) if (isSecretName(name)) field.withhold('A key is not imported');
}

/** Reads query parameters without keys. */
function readQuery(parameters: NamedField[]): [string, SourceText][] {
  return parameters.flatMap(({ name, field }): [string, SourceText][] => {
    if (field.isEmpty) return [];
    const text = typeof field.value === 'string' ? field.value : undefined;
    if (isSecretName(name) || (text !== undefined && isKeyLike(text))) {
      field.withhold('A key in a query is not imported: let your API take it in a header');
      return [];
    }
    const value = field.scalar();
    if (value === undefined) return [];
    if (String(value).length <= 1_000) return [[name, { text: String(value), field }]];
    field.lose('A query parameter has at most 1,000 characters');
    return [];
  });
}

/** True if a parameter of an address is a key. */
const isSecretParameter = (name: string, value: string): boolean =>
  isSecretName(name) || isKeyLike(value) || value.includes('****');

const explainParameter = 'A key in an address is not imported: let your API take it in a header';

/** Returns an address without its user name, with a warning if it has one. */
function withoutUser(url: string, field: Field): string {
  const { username, password } = new URL(url);
  if (username === '' && password === '') return url;
  field.withhold('A user name in an address is not imported: let your API take a key in a header');
  return url.replace(/\/\/[^/@]*@/, '//');
}

/** Maximum length of an address, in characters: beyond any that a server takes. Node takes seconds for megabytes of parameters. */
const maxAddressLength = 65_536;

/** Reads the address of an MCP server without keys. Keeps a text that is no address, which is then refused. */
export function readServerUrl(field: Field): string | undefined {
  const text = field.isEmpty ? undefined : field.text()?.trim();
  if (!text || text.length > maxAddressLength || !URL.canParse(text)) return text;
  const [address = '', search] = text.replace(/#.*$/s, '').split(/\?(.*)/s);
  const parameters = search?.split('&') ?? [];
  const kept = parameters.filter((one) =>
    [...new URLSearchParams(one)].every(([name, value]) => !isSecretParameter(name, value)),
  );
  if (kept.length < parameters.length) field.withhold(explainParameter);
  const url = withoutUser(address, field);
  return kept.length > 0 ? `${url}?${kept.join('&')}` : url;
}

interface Address {
  url: string;
  query: [string, SourceText][];
  /** Names that the model has to fill in. */
  placeholders: string[];
}

/**
 * Reads a URL without keys. Templates in its query become parameters of the query, and templates in its path arguments. Undefined if
 * it cannot be requested.
 */
export function readUrl(field: Field): Address | undefined {
  const text = field.isEmpty ? undefined : field.text()?.trim();
  if (!text || text.length > maxAddressLength) return undefined;
  const [address = '', search] = text.replace(/#.*$/s, '').split(/\?(.*)/s);
  const placeholders: string[] = [];
  const url = address.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (_, name: string) => {
    const plain = name.replace(/[^A-Za-z0-9_]+/g, '_').slice(0, 64) || 'value';
    placeholders.push(plain);
    return `{${plain}}`;
  });
  if (placeholders.length > 0)
    field.change(`Addresses are no templates, so the model fills in ${[...new Set(placeholders)].join(', ')}`);
  if (!URL.canParse(url)) return undefined;
  const query: [string, SourceText][] = [];
  for (const [name, value] of new URLSearchParams(search ?? '')) {
    if (isSecretParameter(name, value)) field.withhold(explainParameter);
    else query.push([name, { text: value, field }]);
  }
  return { url: withoutUser(url, field), query, placeholders };
}

/** Adds placeholders of the URL to the arguments. */
function addPlaceholders(schema: Record<string, unknown>, placeholders: string[]): Record<string, unknown> {
  if (placeholders.length === 0) return schema;
  const properties = typeof schema.properties === 'object' && schema.properties !== null ? schema.properties : {};
  const added = Object.fromEntries(
    placeholders.filter((name) => !Object.hasOwn(properties, name)).map((name) => [name, { type: 'string' }]),
  );
  const required = Array.isArray(schema.required) ? schema.required : [];
  return {
    ...schema,
    properties: { ...properties, ...added },
    required: [...new Set([...required, ...placeholders])],
  };
}

/** Adds a tool that sends a request. */
export function addHttpTool(draft: Draft, parts: RequestParts): void {
  const { field, say } = parts;
  const name = readToolName(parts.name);
  const description = readPurpose(parts.description, name);
  const address = readUrl(parts.url);
  if (!address || !name) {
    withholdKeys([...parts.headers, ...parts.query]);
    field.lose(name ? 'Its address is none that can be requested' : 'It has no name');
    return;
  }
  const service = toServiceType(address.url);
  const { headers, credential: sent } = readHeaders(parts.headers, service);
  const { seconds, credential: stored } = parts;
  const hasStored = stored !== undefined && !stored.isEmpty;
  stored?.withhold(explainSecret(service));
  const credential = sent ?? (hasStored ? { service_type: service } : null);
  const timeout = seconds.value === undefined ? undefined : Math.min(10, Math.max(1, Math.round(seconds.value)));
  if (timeout !== undefined && timeout !== seconds.value)
    seconds.field.change(`A tool may take 1 to 10 seconds: ${timeout}`);
  const schema = parts.parameters ?? { type: 'object' };
  draft.addTool({
    field,
    say,
    headers,
    query: [...address.query, ...readQuery(parts.query)],
    body: {
      type: 'http',
      name,
      description,
      parameters: addPlaceholders(schema, address.placeholders),
      http: { method: parts.method, url: address.url, timeout_seconds: timeout ?? 10, credential },
    },
  });
}
