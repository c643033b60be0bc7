import { posix } from 'node:path';
import type { Archive, Parts } from './archive.ts';
import type { Layout } from './layout.ts';
import { readXml, toLocalName } from './xml.ts';

/** Unzips the XML parts of an Office file. */
export const unzipXml = (archive: Archive): Parts => archive.unzip((name) => /\.(?:xml|rels)$/i.test(name));

/** Link of a part to another. */
export interface Relation {
  id: string;
  /** Last word of the type, such as `slide`. */
  type: string;
  /** Name of the other part. */
  target: string;
}

/** Returns the links of a part to others in the same file. Links to other files and addresses are ignored. */
export function readRelations(parts: Parts, name: string): Relation[] {
  const { dir, base } = posix.parse(name);
  const xml = parts.get(posix.join(dir, '_rels', `${base}.rels`));
  const relations: Relation[] = [];
  if (!xml) return relations;
  readXml(xml, {
    open(tag, { Id = '', Type = '', Target = '', TargetMode }) {
      if (toLocalName(tag) !== 'Relationship' || TargetMode === 'External') return;
      const target = posix.resolve('/', dir, Target).slice(1); // one name for each part
      relations.push({ id: Id, type: posix.basename(Type), target });
    },
  });
  return relations;
}

/** Names in HTML of elements that hold text, in the markup languages of documents, drawings and charts. */
const htmlNames: Record<string, string> = {
  p: 'div',
  comment: 'div',
  tbl: 'table',
  tr: 'tr',
  tc: 'td',
  txBody: 'p',
  ser: 'div',
  br: 'br',
  cr: 'br',
};

/** Elements with characters that a reader sees. The values of a chart are those that were saved with it. */
const textElements = new Set(['t', 'text', 'v']);

/** Elements that end a word. */
const spaceElements = new Set(['tab', 'v']);

/** Elements that repeat others, or hold what was deleted. */
const hiddenElements = new Set(['Fallback', 'del', 'moveFrom']);

/** Lays out the text of a drawing, a chart, comments or a header. */
export function layOutParagraphs(xml: Uint8Array, layout: Layout): void {
  let hidden = 0;
  let inText = 0;
  readXml(xml, {
    open(tag) {
      const name = toLocalName(tag);
      if (hiddenElements.has(name)) hidden++;
      if (textElements.has(name)) inText++;
      if (Object.hasOwn(htmlNames, name)) layout.open(htmlNames[name] ?? '');
    },
    text(data) {
      if (inText > 0 && hidden === 0) layout.write(data);
    },
    close(tag) {
      const name = toLocalName(tag);
      if (hiddenElements.has(name)) hidden--;
      if (textElements.has(name)) inText--;
      if (spaceElements.has(name)) layout.write(' ');
      if (Object.hasOwn(htmlNames, name)) layout.close(htmlNames[name] ?? '');
    },
  });
}
