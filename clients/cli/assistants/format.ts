import { isDeepStrictEqual } from 'node:util';
import { Document, isMap, isScalar, LineCounter, type Node, parseDocument, Scalar, visit } from 'yaml';

export type Format = 'yaml' | 'json';

type Fields = Record<string, unknown>;

/** Maximum width of a line before it is folded. */
const width = 100;

/** Returns the format of a file by its name. */
export const getFormat = (name: string): Format => (name.endsWith('.json') ? 'json' : 'yaml');

/** Writes long texts as block scalars, which people can read and git compares line by line. */
function useBlocks(node: Node | Document | null): void {
  visit(node, {
    Scalar(key, scalar) {
      if (key === 'key' || typeof scalar.value !== 'string') return;
      if (scalar.value.includes('\n')) scalar.type = Scalar.BLOCK_LITERAL;
      else if (scalar.value.length > width) scalar.type = Scalar.BLOCK_FOLDED;
    },
  });
}

/** Writes an assistant as a file: its id first. */
export function formatFile(format: Format, id: string, fields: Fields): string {
  if (format === 'json') return `${JSON.stringify({ id, ...fields }, null, 2)}\n`;
  const document = new Document({ id, ...fields });
  useBlocks(document);
  return document.toString({ lineWidth: width });
}

/** True if a text has exactly these fields. */
function hasFields(text: string, fields: Fields): boolean {
  try {
    return isDeepStrictEqual(parseFile('yaml', text), fields);
  } catch {
    return false;
  }
}

/** Writes a changed document. Undefined if it does not hold the fields then, as when an alias has lost its anchor. */
function writeDocument(document: Document, fields: Fields): string | undefined {
  try {
    const text = document.toString({ lineWidth: width });
    return hasFields(text, fields) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Writes changed fields into the text of a file. Comments stay, and fields that are equal. */
export function updateFile(format: Format, text: string, id: string, fields: Fields): string {
  if (format === 'json') return formatFile(format, id, fields);
  const document = parseDocument(text, { uniqueKeys: false }); // parseFile has checked them
  const before: Fields = document.toJS();
  const after: Fields = { id, ...fields };
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) document.delete(name);
  for (const [name, value] of Object.entries(after)) {
    if (JSON.stringify(before[name]) === JSON.stringify(value)) continue;
    const { contents } = new Document(value);
    useBlocks(contents);
    document.set(name, contents);
  }
  return writeDocument(document, after) ?? formatFile(format, id, fields);
}

/** Writes the id into the text of a file that has none, and leaves everything else as it is. Throws Error as parseFile does. */
export function addId(format: Format, text: string, id: string): string {
  const fields = parseFile(format, text);
  if (Object.hasOwn(fields, 'id')) throw new Error('it has an id');
  if (format === 'json') return formatFile(format, id, fields);
  const wanted = { id, ...fields };
  // A comment at the top stays at the top.
  const [, head = '', rest = ''] = /^((?:(?:#.*|---[ \t]*|[ \t]*)\r?\n)*)([\s\S]*)$/.exec(text) ?? [];
  const added = `${head}id: ${id}\n${rest}`;
  if (hasFields(added, wanted)) return added;
  const document = parseDocument(text, { uniqueKeys: false }); // parseFile has checked them
  if (isMap(document.contents)) document.contents.items.unshift(document.createPair('id', id));
  return writeDocument(document, wanted) ?? formatFile(format, id, fields);
}

/** Maximum depth of the fields of a file: that of a request. */
const maxDepth = 32;

const tooDeep = `it is nested too deeply, or an alias contains itself: write at most ${maxDepth} levels`;

/** Throws Error if a value is nested too deeply, as is one that contains itself. */
function checkDepth(value: unknown, above: readonly unknown[] = []): void {
  if (typeof value !== 'object' || value === null) return;
  if (above.length >= maxDepth || above.includes(value)) throw new Error(tooDeep);
  for (const inner of Object.values(value)) checkDepth(inner, [...above, value]);
}

/** Mistakes of YAML that a text without quotes causes, by its `: `, or by a sign at its beginning. */
const quotable: readonly string[] = [
  'BLOCK_AS_IMPLICIT_KEY',
  'BAD_SCALAR_START',
  'MULTILINE_IMPLICIT_KEY',
  'UNEXPECTED_TOKEN',
  'BAD_ALIAS',
];

/** Throws Error if a map has a key twice. The parser's own check compares each key with all before. */
function checkKeys(document: Document, lines: LineCounter): void {
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (seen.has(name)) {
          const { line, col } = lines.linePos((key as Node).range?.[0] ?? 0);
          throw new Error(`Map keys must be unique at line ${line}, column ${col}`);
        }
        seen.add(name);
      }
    },
  });
}

function parseYaml(text: string): unknown {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, logLevel: 'error', uniqueKeys: false });
  const [mistake] = document.errors;
  if (mistake?.code === 'RESOURCE_EXHAUSTION') throw new Error(tooDeep);
  if (mistake) {
    const sentence = mistake.message.split('\n', 1)[0]?.replace(/:$/, '');
    throw new Error(quotable.includes(mistake.code) ? `${sentence}: if it is a text, put it in quotes` : sentence);
  }
  checkKeys(document, lineCounter);
  return document.toJS({ maxAliasCount: 50 });
}

/** Parses a file. Throws Error that names the line of a mistake. */
export function parseFile(format: Format, text: string): Fields {
  let value: unknown;
  try {
    // Some editors begin a file with a byte order mark.
    value = format === 'json' ? JSON.parse(text.replace(/^\ufeff/, '')) : parseYaml(text);
  } catch (error) {
    throw error instanceof RangeError ? new Error(tooDeep) : error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('it should hold the fields of one assistant');
  checkDepth(value);
  return value as Fields;
}
