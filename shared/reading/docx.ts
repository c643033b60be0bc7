import { zipSync } from 'fflate';
import { listLeftOutParts, openArchive, type Parts, takePart } from './archive.ts';
import { parseHtml } from './html.ts';
import { createLayout } from './layout.ts';
import { type Bounds, limits } from './limits.ts';
import { convertDocx } from './mammoth.ts';
import { layOutParagraphs, readRelations, unzipXml } from './ooxml.ts';
import { Unreadable } from './unreadable.ts';
import { readXml, toLocalName, type XmlHandlers } from './xml.ts';

const [opening = 0, slash] = Buffer.from('</');

/** Throws Unreadable if there are more elements than fit in memory. */
function checkElements(parts: Parts): void {
  let left = limits.elements;
  for (const part of parts.values()) {
    for (let at = part.indexOf(opening); at >= 0; at = part.indexOf(opening, at + 1)) {
      if (part[at + 1] !== slash) left -= 1;
      if (left < 0) {
        throw new Unreadable(
          'too_large',
          'The document has more than 500,000 elements: split it, then upload its parts',
        );
      }
    }
  }
}

/** Steps that the fields of a document may take, each a few nanoseconds. A thousand citations of 5 KB take a tenth of them. */
const maxFieldSteps = 100_000_000;

/** Returns the steps that mammoth takes to look for a checkbox in the instruction of a field: more for spaces in a row. */
function countSteps(instruction: string): number {
  if (instruction.length > maxFieldSteps / 10) return maxFieldSteps; // of no real field
  let steps = instruction.length;
  for (const [spaces] of instruction.matchAll(/\s+/g)) steps += spaces.length ** 2;
  return steps;
}

/** Throws Unreadable if fields take too long: mammoth looks at all open ones for each run, and joins the pieces of instructions. */
function checkFields(parts: Parts): void {
  let left = maxFieldSteps;
  for (const part of parts.values()) {
    if (!Buffer.from(part.buffer, part.byteOffset, part.length).includes('fldChar')) continue;
    let open = 0;
    let pieces = 0;
    let instruction = '';
    let inInstruction = false;
    const handlers: XmlHandlers = {
      open(tag, attributes) {
        const name = toLocalName(tag);
        inInstruction = name === 'instrText';
        if (inInstruction) pieces++;
        if (name === 'r') left -= 10 * open;
        if (name === 'fldChar') {
          const [, type] = Object.entries(attributes).find(([key]) => toLocalName(key) === 'fldCharType') ?? [];
          if (type === 'begin') {
            open++;
            pieces = 0;
            instruction = '';
          }
          if (type === 'end') open = Math.max(0, open - 1);
          left -= 10 * pieces + countSteps(instruction);
        }
        if (left < 0) throw new Unreadable('too_complex');
      },
      text(data) {
        if (inInstruction) instruction += data;
      },
      close() {
        inInstruction = false;
      },
    };
    readXml(part, handlers, 'utf-8'); // as which mammoth reads it, whatever it declares
  }
}

/** Back link of a note in mammoth's HTML. */
const noteBackLink = /<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g;

/** Parts of a document with text that mammoth does not read, in reading order. */
const textRelations = ['diagramData', 'chart', 'header', 'footer', 'comments'];

/** Returns the texts of diagrams, charts, headers, footers and comments. Pages often repeat a header. */
function readOtherTexts(parts: Parts, document: string, bounds: Bounds): string[] {
  const relations = readRelations(parts, document);
  const names = textRelations.flatMap((type) =>
    relations.filter((one) => one.type === type).map(({ target }) => target),
  );
  const texts = new Set<string>();
  for (const name of names) {
    const layout = createLayout(bounds);
    const part = takePart(parts, name);
    if (part) layOutParagraphs(part, layout);
    texts.add(layout.text());
  }
  return [...texts].filter(Boolean);
}

/** Lists the parts of a document that are not read. Text boxes have a second form, which mammoth reads, unless a program left it out. */
function listLeftOut(names: string[], document: Uint8Array | undefined): string[] {
  const xml = Buffer.from(document ?? []);
  const hasUnreadBoxes = xml.includes('<wps:txbx') && !xml.includes('<v:textbox');
  return [
    ...listLeftOutParts(names),
    ...(hasUnreadBoxes ? ['text boxes'] : []),
    ...(xml.includes('<m:oMath>') ? ['formulas'] : []),
  ];
}

/** Elements with text that another warning names. */
const formulas = new Set(['oMath', 'oMathPara']);

/** Returns true if one of the elements that mammoth ignored has text. Most only describe the layout. */
function hasIgnoredText(ignoredNames: string[], parts: Parts, document: string): boolean {
  const names = new Set(ignoredNames.map(toLocalName));
  for (const name of formulas) names.delete(name);
  if (names.size === 0) return false;
  let found = false;
  for (const [name, part] of parts) {
    if (name !== document && !/\/(?:foot|end)notes\.xml$/.test(name)) continue;
    let ignored = 0;
    let inText = false;
    readXml(part, {
      open(tag) {
        const local = toLocalName(tag);
        if (names.has(local)) ignored++;
        inText = local === 't';
      },
      text(data) {
        if (inText && ignored > 0 && data.trim()) found = true;
      },
      close(tag) {
        if (names.has(toLocalName(tag))) ignored--;
        inText = false;
      },
    });
  }
  return found;
}

/** Returns the text of a Word document: paragraphs, headings, lists, tables and notes, then the others. */
export async function parseDocx(bytes: Uint8Array, bounds: Bounds): Promise<string> {
  const archive = openArchive(bytes);
  const parts = unzipXml(archive);
  checkElements(parts);
  checkFields(parts);
  const document =
    readRelations(parts, '').find(({ type }) => type === 'officeDocument')?.target ?? 'word/document.xml';
  // Zipped again, so that mammoth unzips exactly what was checked. Two unzip libraries may see different files in one archive.
  const checked = Buffer.from(zipSync(Object.fromEntries(parts), { level: 0 }));
  const { html, ignored } = await convertDocx(checked);
  const text = parseHtml(html.replace(noteBackLink, ''), bounds);
  const hasFiles = readRelations(parts, document).some(({ type }) => type === 'aFChunk');
  bounds.warnLeftOut([
    ...listLeftOut(archive.names, parts.get(document)),
    ...(hasFiles ? ['inserted files'] : []),
    ...(hasIgnoredText(ignored, parts, document) ? ['text within unusual elements'] : []),
  ]);
  return [text, ...readOtherTexts(parts, document, bounds)].filter(Boolean).join('\n\n');
}
