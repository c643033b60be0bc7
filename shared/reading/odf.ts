import { posix } from 'node:path';
import { listLeftOutParts, openArchive, type Parts, takePart } from './archive.ts';
import { createLayout, type Layout } from './layout.ts';
import { type Bounds, limits } from './limits.ts';
import type { Page } from './parse-file.ts';
import { createRow, maxColumns } from './rows.ts';
import { createSheetWriter } from './sheet.ts';
import { toOneLine } from './text.ts';
import { Unreadable } from './unreadable.ts';
import { readXml } from './xml.ts';

/** Names in HTML of elements of an OpenDocument file. */
const htmlNames: Record<string, string> = {
  'text:p': 'p',
  'text:h': 'h1',
  'text:list': 'ul',
  'text:list-item': 'li',
  'text:line-break': 'br',
  'table:table-row': 'tr',
  'table:table-cell': 'td',
};

/** Elements with text: paragraphs, and formulas in embedded objects. */
const textElements = new Set(['text:p', 'text:h', 'math', 'math:math']);

/**
 * Elements that are not read: deleted text, numbers of notes, authors of comments, readings of ideographs, scripts, and the source of a
 * formula.
 */
const hiddenElements = new Set([
  'text:tracked-changes',
  'table:tracked-changes',
  'text:note-citation',
  'text:ruby-text',
  'dc:creator',
  'dc:date',
  'office:scripts',
  'annotation',
  'math:annotation',
]);

/** Content of a document, or of an object in it. */
interface Content {
  xml: Uint8Array;
  /** Folder of the document or object. */
  folder: string;
  /** Parts of the file that were not read yet. */
  parts: Parts;
}

interface TextHandlers {
  open?(name: string, attributes: Record<string, string>): void;
  close?(name: string): void;
  layout(): Layout | undefined;
}

/** Returns the content of a folder, but only once. */
function takeContent(parts: Parts, folder: string): Content | undefined {
  const xml = takePart(parts, posix.join(folder, 'content.xml'));
  return xml && { xml, folder, parts };
}

/**
 * Lays out the paragraphs of a part, and of its objects: charts, formulas and other documents. The handlers get the elements of the part,
 * between which `layout` changes.
 */
function layOutText({ xml, folder, parts }: Content, { open, close, layout }: TextHandlers): void {
  let hidden = 0;
  let depth = 0;
  readXml(xml, {
    open(name, attributes) {
      if (hiddenElements.has(name)) hidden++;
      if (textElements.has(name)) depth++;
      if (name === 'text:s' || name === 'text:tab') layout()?.write(' ');
      if (Object.hasOwn(htmlNames, name)) layout()?.open(htmlNames[name] ?? '');
      open?.(name, attributes);
      if (name !== 'draw:object' || hidden > 0) return;
      const object = takeContent(parts, posix.join(folder, attributes['xlink:href'] ?? ''));
      if (object) layOutText(object, { layout });
    },
    text(data) {
      if (depth > 0 && hidden === 0) layout()?.write(data);
    },
    close(name) {
      close?.(name);
      if (hiddenElements.has(name)) hidden--;
      if (textElements.has(name)) depth--;
      if (Object.hasOwn(htmlNames, name)) layout()?.close(htmlNames[name] ?? '');
    },
  });
}

/** Opens an OpenDocument file, and returns its content and styles. Throws Unreadable if it is encrypted or has no content. */
function openDocument(bytes: Uint8Array, bounds: Bounds): { content: Content; styles: Content | undefined } {
  const archive = openArchive(bytes);
  const parts = archive.unzip((name) => /(?:^|\/)content\.xml$|^styles\.xml$|^META-INF\/manifest\.xml$/.test(name));
  const manifest = Buffer.from(parts.get('META-INF/manifest.xml') ?? []).toString('latin1');
  if (/<(?:\w+:)?encryption-data/.test(manifest)) throw new Unreadable('encrypted');
  const content = takeContent(parts, '');
  if (!content) throw new Unreadable('damaged');
  bounds.warnLeftOut(listLeftOutParts(archive.names));
  const styles = parts.get('styles.xml');
  return { content, styles: styles && { ...content, xml: styles } };
}

/** Lays out the headers and footers of all pages. */
function layOutHeaders(styles: Content, layout: Layout): void {
  let inHeader = 0;
  const change = (name: string, by: number) => {
    if (/^style:(?:header|footer)(?:-left|-first)?$/.test(name)) inHeader += by;
  };
  layOutText(styles, {
    open: (name) => change(name, 1),
    close: (name) => change(name, -1),
    layout: () => (inHeader > 0 ? layout : undefined),
  });
}

/** Returns the text of an OpenDocument text: its paragraphs, lists, tables, notes and comments, then headers and footers. */
export function parseOdt(bytes: Uint8Array, bounds: Bounds): string {
  const { content, styles } = openDocument(bytes, bounds);
  const layout = createLayout(bounds);
  layOutText(content, { layout: () => layout });
  if (styles) layOutHeaders(styles, layout);
  return layout.text();
}

/** Returns the text of an OpenDocument presentation, a page per slide, with its notes. */
export async function parseOdp(bytes: Uint8Array, bounds: Bounds): Promise<Page[]> {
  const { content } = openDocument(bytes, bounds);
  const pages: Page[] = [];
  let layout: Layout | undefined;
  layOutText(content, {
    open(name) {
      if (name !== 'draw:page') return;
      if (pages.length >= limits.pages) throw new Unreadable('too_many_pages');
      layout = createLayout(bounds);
    },
    close(name) {
      if (name !== 'draw:page' || !layout) return;
      pages.push({ number: pages.length + 1, text: layout.text() });
      layout = undefined;
      bounds.finishPage();
    },
    layout: () => layout,
  });
  return pages;
}

/** Bounds of the text in a cell. The row limits it. */
const cellBounds = { limitText: (text: string) => text };

/** Returns true for the elements of a sheet that have shapes, charts and other objects. */
const isDrawing = (name: string) => name === 'table:shapes' || name.startsWith('draw:');

/** Returns how many columns a cell fills. Counts that are no whole number from 1 are ignored. */
function countColumns(attributes: Record<string, string>): number {
  const count = Number(attributes['table:number-columns-repeated']);
  return Number.isInteger(count) && count > 0 ? count : 1;
}

/** Returns the text of an OpenDocument spreadsheet: a line per row with column names, sheet by sheet, then its drawings and objects. */
export function parseOds(bytes: Uint8Array, bounds: Bounds): string {
  const { content } = openDocument(bytes, bounds);
  const writer = createSheetWriter(bounds);
  let row = createRow();
  let column = 0;
  let cell: { layout: Layout; columns: number; value: string } | undefined;
  let drawings = createLayout(bounds);
  let drawingDepth = 0;
  const writeRow = () => {
    writer.writeRow(row.cells);
    row = createRow();
    column = 0;
  };
  const writeDrawings = () => {
    writer.writeLines(drawings.text());
    drawings = createLayout(bounds);
  };
  layOutText(content, {
    open(name, attributes) {
      if (isDrawing(name)) drawingDepth++;
      const columns = countColumns(attributes);
      if (drawingDepth > 0) return;
      if (name === 'table:table') {
        writeDrawings(); // of a table around this one
        writer.startSheet(attributes['table:name'] ?? '');
      } else if (name === 'table:table-row')
        writeRow(); // of a row around this one
      else if (name === 'table:table-cell')
        cell = { layout: createLayout(cellBounds), columns, value: attributes['office:value'] ?? '' };
      else if (name === 'table:covered-table-cell') column += columns;
    },
    close(name) {
      if (isDrawing(name)) drawingDepth--;
      if (drawingDepth > 0) return;
      if (name === 'table:table') writeDrawings();
      else if (name === 'table:table-cell' && cell) {
        const value = toOneLine(cell.layout.text() || cell.value); // some programs save no text of a number
        const end = Math.min(maxColumns, column + cell.columns);
        // A row or cell that is repeated is often an empty one, up to the end of the sheet.
        if (value) for (let at = column; at < end; at++) row.add(at, value);
        column += cell.columns;
        cell = undefined;
      } else if (name === 'table:table-row') writeRow();
    },
    layout: () => (drawingDepth > 0 ? drawings : cell?.layout),
  });
  return writer.text();
}
