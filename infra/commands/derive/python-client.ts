import { writeFileSync } from 'node:fs';
import { type Route, supportsIdempotencyKey } from '../../../shared/route.ts';
import { routes } from '../../../shared/routes/index.ts';
import { buildDocument } from './openapi.ts';

const folder = 'clients/python/voice_assistants';

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  description?: string;
}

interface Parameter {
  name: string;
  in: string;
  description: string;
  schema: Schema;
}

interface Operation {
  summary: string;
  description?: string;
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
}

interface Document {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

const keywords = new Set([
  'and',
  'as',
  'class',
  'def',
  'del',
  'from',
  'global',
  'if',
  'import',
  'in',
  'is',
  'not',
  'or',
  'pass',
]);
const toPascal = (text: string) =>
  text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());
const toSnake = (text: string) => text.replaceAll('-', '_');
const toArgument = (name: string) => (keywords.has(name) ? `${name}_` : name);
const getName = ({ $ref = '' }: Schema) => $ref.split('/').at(-1) ?? '';
const quote = (value: unknown) => (value === true ? 'True' : value === false ? 'False' : JSON.stringify(value));

/** Writes the TypedDicts of schemas. A type's name is that of its schema, or else of the field that holds it. */
class TypeWriter {
  readonly #schemas: Record<string, Schema>;
  readonly #written = new Map<string, string>();

  constructor(schemas: Record<string, Schema>) {
    this.#schemas = schemas;
    for (const [name, schema] of Object.entries(schemas)) this.#define(name, schema);
  }

  /** Returns the source code of all types. */
  toSource(): string {
    return [...this.#written.values()].join('\n\n');
  }

  /** Returns the type of a schema, for an annotation. `name` is that of a TypedDict, if one is needed. */
  toType(schema: Schema, name: string): string {
    const { type, anyOf, oneOf, items, properties, additionalProperties } = schema;
    if (schema.$ref) return this.#isOpen(getName(schema)) ? `${getName(schema)} | dict[str, Any]` : getName(schema);
    if (schema.const !== undefined) return `Literal[${quote(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(quote).join(', ')}]`;
    const choices = anyOf ?? oneOf;
    if (choices) return this.#join(choices.map((one, i) => this.toType(one, `${name}${i || ''}`)));
    if (Array.isArray(type)) return this.#join(type.map((one) => this.toType({ ...schema, type: one }, name)));
    if (type === 'array') return `list[${this.toType(items ?? {}, `${name}Item`)}]`;
    if (type === 'object' && properties && Object.keys(properties).length > 0) {
      this.#define(name, schema);
      return additionalProperties ? `${name} | dict[str, Any]` : name;
    }
    if (type === 'object') {
      const value =
        typeof additionalProperties === 'object' ? this.toType(additionalProperties, `${name}Value`) : 'Any';
      return `dict[str, ${value}]`;
    }
    return { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[type ?? ''] ?? 'Any';
  }

  #isOpen = (name: string) => this.#schemas[name]?.additionalProperties === true;

  #join(types: string[]): string {
    const all = new Set(types.flatMap((type) => type.split(' | ')));
    return [...[...all].filter((type) => type !== 'None'), ...(all.has('None') ? ['None'] : [])].join(' | ');
  }

  #define(name: string, schema: Schema): void {
    if (this.#written.has(name)) return;
    this.#written.set(name, ''); // keeps its place, and ends a cycle
    const { properties = {}, required = [], type } = schema;
    if (type !== 'object') {
      this.#written.set(name, `${name}: TypeAlias = ${JSON.stringify(this.toType(schema, `${name}Value`))}\n`);
      return;
    }
    const fields = Object.entries(properties).map(([key, field]): [string, string] => [
      key,
      this.toType(field, `${name}${toPascal(key)}`),
    ]);
    const needed = fields.filter(([key]) => required.includes(key));
    const others = fields.filter(([key]) => !required.includes(key));
    // Python 3.10 cannot mark single fields as optional, so those that are required come from a base.
    if (needed.length === 0) return void this.#written.set(name, this.#writeDict(name, 'TypedDict', others, false));
    if (others.length === 0) return void this.#written.set(name, this.#writeDict(name, 'TypedDict', needed, true));
    const base = this.#writeDict(`_${name}`, 'TypedDict', needed, true);
    this.#written.set(name, `${base}\n\n${this.#writeDict(name, `_${name}`, others, false)}`);
  }

  #writeDict(name: string, base: string, fields: [string, string][], isTotal: boolean): string {
    const total = isTotal ? '' : ', total=False';
    if (fields.every(([key]) => /^\w+$/.test(key) && !keywords.has(key))) {
      const lines = fields.map(([key, type]) => `    ${key}: ${type}\n`).join('');
      return `class ${name}(${base}${total}):\n${lines || '    pass\n'}`;
    }
    const entries = fields.map(([key, type]) => `        ${JSON.stringify(key)}: ${JSON.stringify(type)},\n`).join('');
    const call = (own: string) => `${own} = TypedDict(\n    "${own}",\n    {\n${entries}    }${total},\n)\n`;
    if (base === 'TypedDict') return call(name);
    return `${call(`_${name}Others`)}\n\nclass ${name}(${base}, _${name}Others):\n    pass\n`;
  }
}

/** Parameters and fields of an operation that become arguments of its method. */
interface Method {
  route: Route;
  name: string;
  operation: Operation;
  path: Parameter[];
  query: Parameter[];
  /** Type of the body, undefined without one. */
  body: string | undefined;
  result: string;
  resultSchema: Schema;
}

const getParameter = (one: Parameter | { $ref: string }, { components }: Document): Parameter => {
  if (!('$ref' in one)) return one;
  const found = components.parameters[getName(one)];
  if (!found) throw new Error(`${one.$ref} is not in the document`);
  return found;
};

function readMethod(route: Route, document: Document, types: TypeWriter): Method {
  const { id, path, method, form } = route;
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${id} is not in the document`);
  const parameters = operation.parameters.map((one) => getParameter(one, document));
  const inPlace = (place: string) => parameters.filter((one) => one.in === place);
  const bodySchema = form ? undefined : operation.requestBody?.content['application/json']?.schema;
  const resultSchema = operation.responses['200']?.content['application/json']?.schema ?? {};
  const qualify = (type: string) => type.replace(/\b(?!Literal|Any\b)[A-Z]\w+/g, 'types.$&');
  return {
    route,
    name: toSnake(id.split('/')[1] ?? ''),
    operation,
    path: inPlace('path'),
    query: inPlace('query'),
    body: bodySchema && qualify(types.toType(bodySchema, `${toPascal(id)}Body`)),
    result: qualify(types.toType(resultSchema, `${toPascal(id)}Result`)),
    resultSchema,
  };
}

/** Returns the description of a method, in lines of at most 110 characters. */
function writeDocstring({ operation: { summary, description }, route: { id } }: Method, note = ''): string {
  const words = (description ?? '').split(' ').filter(Boolean);
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 108) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  const text = lines.map((line) => `        ${line}\n`).join('');
  const more = text ? `\n${text}` : '';
  return `        r"""${summary} (\`${id}\`).${note}\n${more}        """\n`;
}

const isFlag = ({ enum: values }: Schema) =>
  values?.length === 2 && values.includes('true') && values.includes('false');

const writeQueryArguments = (query: Parameter[]) =>
  query.map(({ name, schema }) => {
    const type = isFlag(schema) ? 'bool' : schema.type === 'integer' ? 'int' : 'str';
    return `${toArgument(name)}: ${type} | None = None`;
  });

const writePath = ({ route, path }: Method): string =>
  path.length === 0 ? `"${route.path}"` : `f"${route.path.replace(/\{(\w+)\}/g, '{segment($1)}')}"`;

const writeDictionary = (entries: [string, string][]) =>
  `{${entries.map(([name, value]) => `"${name}": ${value}`).join(', ')}}`;

/** Writes the method that sends one request. */
function writeCall(one: Method): string {
  const { route, path, query, body, operation, result, name } = one;
  const { method, scope, form, repeatable, tells, quota, conditional } = route;
  const hasKey = supportsIdempotencyKey(route);
  const isOptional = operation.requestBody?.required === false;
  const positional = [
    'self',
    ...path.map((parameter) => `${parameter.name}: str${parameter.name === 'version' ? ' | int' : ''}`),
    ...(form ? ['file: bytes', 'file_name: str'] : []),
    ...(body ? [`body: ${body}${isOptional ? ' | None = None' : ''}`] : []),
  ];
  const named = [
    ...(form ? ['content_type: str = "application/octet-stream"', 'name: str | None = None'] : []),
    ...writeQueryArguments(query),
    ...(hasKey ? ['idempotency_key: str | None = None'] : []),
    ...(conditional === 'if-match' ? ['if_match: str | None = None'] : []),
  ];
  const headers: [string, string][] = [
    ...(hasKey ? [['Idempotency-Key', 'idempotency_key or str(uuid.uuid4())'] satisfies [string, string]] : []),
    ...(conditional === 'if-match' ? [['If-Match', 'if_match'] satisfies [string, string]] : []),
  ];
  // A request that may have been carried out is sent again only if that changes nothing. A POST of scope `any`
  // can do all that its caller can.
  const isSafe = method !== 'POST' || hasKey || (repeatable && scope !== 'any' && !tells && !quota);
  const sent = [
    ...(query.length > 0 ? [`query=${writeDictionary(query.map(({ name }) => [name, toArgument(name)]))}`] : []),
    ...(headers.length > 0 ? [`headers=${writeDictionary(headers)}`] : []),
    ...(form ? ['form=build_form(file, file_name, content_type, {"name": name})'] : []),
    ...(body ? [`body=${isOptional ? 'body or {}' : 'body'}`] : []),
    ...(isSafe ? [] : ['is_safe=False']),
  ];
  const args = [...positional, ...(named.length > 0 ? ['*', ...named] : [])].map((arg) => `        ${arg},\n`).join('');
  const lines = [`"${method}"`, writePath(one), ...sent].map((line) => `            ${line},\n`).join('');
  return (
    `    def ${name}(\n${args}    ) -> Answer[${result}]:\n${writeDocstring(one)}` +
    `        return self._call(\n${lines}        )\n`
  );
}

/** Returns the list in a page, and the expression of its cursor. */
function findPage({ route, resultSchema }: Method): { items: Schema; list: string; cursor: string } {
  if (route.paged) return { items: resultSchema.items ?? {}, list: 'page.body', cursor: 'page.next_cursor' };
  return { items: {}, list: '', cursor: 'page.body["data"]["next_cursor"]' };
}

/** Writes the method that follows the cursors of a list. */
function writeIteration(one: Method, document: Document, types: TypeWriter): string {
  const { route, name, query, path, resultSchema } = one;
  if (!route.paged && !route.cursor) return '';
  const page = findPage(one);
  if (!route.paged) {
    const whole = resultSchema.$ref ? document.components.schemas[getName(resultSchema)] : resultSchema;
    const lists = Object.entries(whole?.properties?.data?.properties ?? {}).filter(
      ([, field]) => field.type === 'array',
    );
    const [found] = lists;
    if (!found || lists.length > 1) throw new Error(`${route.id} should have one list in its data`);
    page.list = `page.body["data"]["${found[0]}"]`;
    page.items = found[1].items ?? {};
  }
  const typeName = `${toPascal(route.id)}ResultData${toPascal(/"(\w+)"\]$/.exec(page.list)?.[1] ?? '')}Item`;
  const item = types.toType(page.items, typeName).replace(/\b(?!Literal|Any\b)[A-Z]\w+/g, 'types.$&');
  const others = query.filter((parameter) => parameter.name !== 'cursor');
  const named = writeQueryArguments(others);
  const positional = ['self', ...path.map((parameter) => `${parameter.name}: str`)];
  const args = [...positional, ...(named.length > 0 ? ['*', ...named] : [])].map((arg) => `        ${arg},\n`).join('');
  const sent = [
    ...path.map((parameter) => parameter.name),
    ...others.map((parameter) => `${toArgument(parameter.name)}=${toArgument(parameter.name)}`),
    'cursor=cursor',
  ].join(', ');
  return (
    `\n    def iterate${name === 'list' ? '' : `_${name}`}(\n${args}    ) -> Iterator[${item}]:\n` +
    `        """Yields all items of \`${name}\`, page by page."""\n` +
    '        cursor: str | None = None\n        while True:\n' +
    `            page = self.${name}(${sent})\n            yield from ${page.list}\n` +
    `            cursor = ${page.cursor}\n            if cursor is None:\n                return\n`
  );
}

/** Writes the method that streams an answer. */
function writeStream(one: Method, document: Document): string {
  const { route, operation, body, name } = one;
  const schema = operation.requestBody?.content['application/json']?.schema ?? {};
  if (!document.components.schemas[getName(schema)]?.properties?.stream) return '';
  return (
    `\n    def stream${name === 'create' ? '' : `_${name}`}(self, body: ${body}) -> Iterator[dict[str, Any]]:\n` +
    `        """Yields the pieces of \`${name}\`, as they come. Raises ApiError if they end early."""\n` +
    `        return self._stream("${route.path}", body, ends_with_done=${quote(!!route.hasOpenAiErrors)})\n`
  );
}

const note = '# Written by npm run derive, from docs/openapi.json.';

/** Returns the files of the Python client that derive from the OpenAPI document, by their paths. */
export function buildPythonClient(): Record<string, string> {
  const document = buildDocument() as unknown as Document;
  const types = new TypeWriter(document.components.schemas);
  // The order of the route table depends on the module loader.
  const sorted = routes.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const methods = sorted.map((route) => readMethod(route, document, types));
  const groups = [...new Set(sorted.map(({ id }) => id.split('/')[0] ?? ''))];
  const classes = groups.map((group) => {
    const own = methods.filter(({ route }) => route.id.startsWith(`${group}/`));
    const bodies = own.map((one) => writeCall(one) + writeIteration(one, document, types) + writeStream(one, document));
    return `class ${toPascal(group)}(Group):\n    """Operations of \`${group}\`."""\n\n${bodies.join('\n')}`;
  });
  const fields = groups.map((group) => `        self.${toSnake(group)} = ${toPascal(group)}(connection)\n`).join('');
  const operations =
    `${note}\n"""Operations of the API, by group."""\n\nfrom __future__ import annotations\n\nimport uuid\n` +
    'from collections.abc import Iterator\nfrom typing import Any\n\nfrom . import types\n' +
    'from ._group import Connection, Group, build_form, segment\nfrom ._http import Answer\n\n\n' +
    `${classes.join('\n\n')}\n\nclass Operations:\n    """All groups of operations."""\n\n` +
    `    def __init__(self, connection: Connection) -> None:\n${fields}`;
  const typed =
    `${note}\n"""Types of what the API takes and returns."""\n\nfrom __future__ import annotations\n\n` +
    `from typing import Any, Literal, TypedDict\n\nfrom typing import TypeAlias\n\n\n${types.toSource()}`;
  return { [`${folder}/operations.py`]: operations, [`${folder}/types.py`]: typed };
}

export function writePythonClient(): void {
  for (const [file, text] of Object.entries(buildPythonClient())) writeFileSync(file, text);
}
