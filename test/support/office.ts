import { zipSync } from 'fflate';
import { toBytes } from './documents.ts';

/** Builds a zip archive of texts, in this order. */
export const buildZip = (parts: Record<string, string | Uint8Array>): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    zipSync(
      Object.fromEntries(
        Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? toBytes(part) : part]),
      ),
    ),
  );

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Builds the relations of a part, from type and target. */
export const buildRelations = (...relations: [type: string, target: string][]): string => {
  const items = relations.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `<Relationships>${items.join('')}</Relationships>`;
};

const buildContentTypes = (type: string) =>
  `<?xml version="1.0"?><Types><Override ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`;

/** Builds a DOCX from the content of its body, and other parts. */
export const buildDocx = (body: string, parts: Record<string, string | Uint8Array> = {}): Uint8Array<ArrayBuffer> =>
  buildZip({
    '[Content_Types].xml': buildContentTypes('wordprocessingml.document'),
    '_rels/.rels': buildRelations(['officeDocument', 'word/document.xml']),
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ...parts,
  });

/** Returns a paragraph of a drawing. */
export const drawText = (text: string): string => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;

/** Builds a PPTX from the content of its slides, and other parts. */
export function buildPptx(slides: string[], parts: Record<string, string | Uint8Array> = {}): Uint8Array<ArrayBuffer> {
  const ids = slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i + 1}"/>`);
  return buildZip({
    '[Content_Types].xml': buildContentTypes('presentationml.presentation'),
    '_rels/.rels': buildRelations(['officeDocument', 'ppt/presentation.xml']),
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${ids.join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': buildRelations(
      ...slides.map((_, i): [string, string] => ['slide', `slides/slide${i + 1}.xml`]),
    ),
    ...Object.fromEntries(
      slides.map((slide, i) => [`ppt/slides/slide${i + 1}.xml`, `<p:sld><p:cSld>${slide}</p:cSld></p:sld>`]),
    ),
    ...parts,
  });
}

/** Builds an XLSX with one sheet from the content of its rows, and other parts. */
export const buildXlsx = (rows: string, parts: Record<string, string | Uint8Array> = {}): Uint8Array<ArrayBuffer> =>
  buildZip({
    '[Content_Types].xml': buildContentTypes('spreadsheetml.sheet'),
    '_rels/.rels': buildRelations(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': '<workbook><sheets><sheet name="Prices" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': buildRelations(
      ['worksheet', 'worksheets/sheet1.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
      ['styles', 'styles.xml'],
    ),
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...parts,
  });

/** Builds an OpenDocument file from the content of its body, and other parts. */
export const buildOdf = (
  kind: 'text' | 'spreadsheet' | 'presentation',
  body: string,
  parts: Record<string, string | Uint8Array> = {},
): Uint8Array<ArrayBuffer> =>
  buildZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...parts,
  });

/** Builds an EPUB from its chapters, and other parts. */
export function buildEpub(
  chapters: string[],
  parts: Record<string, string | Uint8Array> = {},
): Uint8Array<ArrayBuffer> {
  const items = chapters.map((_, i) => `<item id="c${i}" href="text/chapter%20${i}.xhtml"/>`);
  const spine = chapters.map((_, i) => `<itemref idref="c${i}"/>`);
  return buildZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/content.opf"/></rootfiles></container>',
    'OEBPS/content.opf': `<package><manifest>${items.join('')}</manifest><spine>${spine.join('')}</spine></package>`,
    ...Object.fromEntries(chapters.map((chapter, i) => [`OEBPS/text/chapter ${i}.xhtml`, chapter])),
    ...parts,
  });
}

/** Builds an e-mail of lines. */
export const buildMail = (...lines: string[]): Uint8Array<ArrayBuffer> => toBytes(lines.join('\r\n'));
