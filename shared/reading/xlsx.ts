import { listLeftOutParts, openArchive, type Parts, takePart } from './archive.ts';
import { createLayout } from './layout.ts';
import type { Bounds } from './limits.ts';
import { createNumberFormatter } from './number-format.ts';
import { layOutParagraphs, readRelations, unzipXml } from './ooxml.ts';
import { type Cell, createRow } from './rows.ts';
import { createSheetWriter } from './sheet.ts';
import { toOneLine } from './text.ts';
import { Unreadable } from './unreadable.ts';
import { readXml, toLocalName } from './xml.ts';

/** Returns the column of a cell's name, such as 27 of `AB3`. Undefined if it has no name. */
function parseColumn(reference = ''): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(reference) ?? [];
  if (!letters) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Returns the texts that the cells of all sheets share, each in one line. */
function readSharedTexts(xml: Uint8Array): string[] {
  const texts: string[] = [];
  let text = '';
  let inText = false;
  let phonetic = 0;
  readXml(xml, {
    open(tag) {
      const name = toLocalName(tag);
      if (name === 'si') text = '';
      if (name === 'rPh') phonetic++;
      inText = name === 't' && phonetic === 0;
    },
    text(data) {
      if (inText) text += data;
    },
    close(tag) {
      const name = toLocalName(tag);
      inText = false;
      if (name === 'rPh') phonetic--;
      if (name === 'si') texts.push(toOneLine(text));
    },
  });
  return texts;
}

interface Workbook {
  sheets: { name: string; part: Uint8Array; texts: Uint8Array[] }[];
  sharedTexts: string[];
  formatNumber(value: string, style: number): string;
}

function readWorkbook(parts: Parts): Workbook {
  const path = readRelations(parts, '').find(({ type }) => type === 'officeDocument')?.target ?? '';
  const workbook = parts.get(path);
  if (!workbook) throw new Unreadable('damaged');
  const relations = readRelations(parts, path);
  const getPart = (type: string) => parts.get(relations.find((one) => one.type === type)?.target ?? '');
  const targets = new Map(relations.map(({ id, target }) => [id, target]));
  const sheets: Workbook['sheets'] = [];
  let startsIn1904 = false;
  readXml(workbook, {
    open(tag, attributes) {
      const name = toLocalName(tag);
      if (name === 'workbookPr') startsIn1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const [, id = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
      const target = targets.get(id) ?? '';
      const part = takePart(parts, target);
      if (part) sheets.push({ name: attributes.name ?? '', part, texts: findTexts(parts, target) });
    },
  });
  const shared = getPart('sharedStrings');
  return {
    sheets,
    sharedTexts: shared ? readSharedTexts(shared) : [],
    formatNumber: createNumberFormatter(getPart('styles'), startsIn1904),
  };
}

/** Returns the parts of a sheet that have text outside of cells: text boxes and comments. */
const findTexts = (parts: Parts, sheet: string): Uint8Array[] =>
  readRelations(parts, sheet)
    .filter(({ type }) => type === 'drawing' || type === 'comments')
    .flatMap(({ target }) => takePart(parts, target) ?? []);

/** Reads the rows of a sheet. A formula has the value that was saved with it. Returns the number of formulas without a value. */
function readRows(sheet: Uint8Array, { sharedTexts, formatNumber }: Workbook, onRow: (row: Cell[]) => void): number {
  let row = createRow();
  let column = -1;
  let cell = { type: '', style: 0, value: '', isFormula: false };
  let withoutValue = 0;
  let inValue = false;
  let phonetic = 0;
  const formatCell = () => {
    const { type, style, value } = cell;
    if (type === 's') return sharedTexts[Number(value)] ?? '';
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    return toOneLine(type === '' || type === 'n' ? formatNumber(value, style) : value);
  };
  readXml(sheet, {
    open(tag, { r, t = '', s = '0' }) {
      const name = toLocalName(tag);
      if (name === 'row') {
        row = createRow();
        column = -1;
      } else if (name === 'c') {
        column = parseColumn(r) ?? column + 1;
        cell = { type: t, style: Number(s), value: '', isFormula: false };
      } else if (name === 'rPh') phonetic++;
      else if (name === 'f') cell.isFormula = true;
      inValue = name === 'v' || (name === 't' && phonetic === 0);
    },
    text(data) {
      if (inValue) cell.value += data;
    },
    close(tag) {
      const name = toLocalName(tag);
      inValue = false;
      if (name === 'rPh') phonetic--;
      else if (name === 'c') {
        if (cell.value) row.add(column, formatCell());
        else if (cell.isFormula && cell.type !== 'str') withoutValue++; // an empty text is a value
      } else if (name === 'row') onRow(row.cells);
    },
  });
  return withoutValue;
}

/** Returns the text of a spreadsheet: a line per row with column names, sheet by sheet, then its text boxes and comments. */
export function parseXlsx(bytes: Uint8Array, bounds: Bounds): string {
  const archive = openArchive(bytes);
  const workbook = readWorkbook(unzipXml(archive));
  const writer = createSheetWriter(bounds);
  let withoutValue = 0;
  for (const { name, part, texts } of workbook.sheets) {
    writer.startSheet(name);
    withoutValue += readRows(part, workbook, writer.writeRow);
    for (const text of texts) {
      const layout = createLayout(bounds);
      layOutParagraphs(text, layout);
      writer.writeLines(layout.text());
    }
  }
  bounds.warnLeftOut(listLeftOutParts(archive.names));
  if (withoutValue > 0) {
    const what = withoutValue === 1 ? '1 formula has no saved value' : `${withoutValue} formulas have no saved value`;
    bounds.warn('parts_left_out', `${what}: open and save the file in a spreadsheet program, then upload it again`);
  }
  return writer.text();
}
