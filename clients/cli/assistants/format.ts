import { Document, type Node, parseDocument, Scalar, visit } from 'yaml';

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

/** Writes changed fields into the text of a file. Comments stay, and fields that are equal. */
export function updateFile(format: Format, text: string, id: string, fields: Fields): string {
  if (format === 'json') return formatFile(format, id, fields);
  const document = parseDocument(text);
  const before: Fields = document.toJS();
  const after: Fields = { id, ...fields };
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) document.delete(name);
  for (const [name, value] of Object.entries(after)) {
    if (JSON.stringify(before[name]) === JSON.stringify(value)) continue;
    const { contents } = new Document(value);
    useBlocks(contents);
    document.set(name, contents);
  }
  return document.toString({ lineWidth: width });
}

/** Writes the id into the text of a file, and leaves everything else as it is. */
export function addId(format: Format, text: string, id: string): string {
  if (format === 'json') return `${JSON.stringify({ id, ...JSON.parse(text) }, null, 2)}\n`;
  // A comment at the top stays at the top.
  const [, head = '', rest = ''] = /^((?:(?:#.*|---[ \t]*|[ \t]*)\r?\n)*)([\s\S]*)$/.exec(text) ?? [];
  return `${head}id: ${id}\n${rest}`;
}

/** Parses a file. Throws Error that names the line of a mistake. */
export function parseFile(format: Format, text: string): Fields {
  if (format === 'json') return checkFields(JSON.parse(text));
  const document = parseDocument(text, { prettyErrors: true });
  const [mistake] = document.errors;
  if (mistake) throw new Error(mistake.message.split('\n', 1)[0]?.replace(/:$/, ''));
  return checkFields(document.toJS({ maxAliasCount: 50 }));
}

function checkFields(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new Error('it should hold the fields of one assistant');
}
