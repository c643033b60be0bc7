import { deflateSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { readSample, toBytes } from './documents.ts';
import { buildPptx, buildRelations, buildXlsx } from './office.ts';
import { buildPage, buildPdf } from './pdf.ts';
import { buildTiff } from './tiff.ts';

const namespaces = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** Builds a DOCX from a sample by replacing some of its parts. */
function buildDocx(sampleName: string, parts: Record<string, string>): Uint8Array {
  const changed = Object.entries(parts).map(([name, xml]) => [`word/${name}.xml`, toBytes(xml)] as const);
  return zipSync({ ...unzipSync(readSample(sampleName)), ...Object.fromEntries(changed) });
}

/** Builds a PDF of nested form XObjects. Each paints the next one 4 times, 14 levels deep: 4^14 paint operations without text. */
function buildNestedForms(): Uint8Array {
  const depth = 14;
  const form = (next: number) => ({
    dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /F ${next} 0 R >> >>`,
    stream: '/F Do '.repeat(4),
  });
  const forms = Array.from({ length: depth }, (_, i) => form(i + 6));
  const last = { dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 1 1]', stream: '' };
  return buildPage('/XObject << /F 5 0 R >>', '/F Do', [...forms, last]);
}

/** Builds a DOCX that refers 20,000 times to a long footnote. A naive parser reads the footnote again each time. */
const buildRepeatedNote = (): Uint8Array =>
  buildDocx('footnotes.docx', {
    document: `<w:document ${namespaces}><w:body><w:p>${'<w:r><w:footnoteReference w:id="1"/></w:r>'.repeat(20_000)}</w:p></w:body></w:document>`,
    footnotes: `<w:footnotes ${namespaces}><w:footnote w:id="1">${'<w:p><w:r><w:t>a</w:t></w:r></w:p>'.repeat(5_000)}</w:footnote></w:footnotes>`,
  });

/** Builds a DOCX of 40,000 nested hyperlinks, written as complex fields. */
const buildNestedHyperlinks = (): Uint8Array => {
  const begin =
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "a" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>a</w:t></w:r>';
  return buildDocx('tables.docx', {
    document: `<w:document ${namespaces}><w:body><w:p>${begin.repeat(40_000)}</w:p></w:body></w:document>`,
  });
};

/** Builds a TIFF that claims 100 by 100 pixels and decompresses to 400 MB. */
const buildLyingTiff = (): Uint8Array =>
  buildTiff([{ width: 100, height: 100 }], undefined, deflateSync(Buffer.alloc(400_000_000)));

/** Builds a PDF that repeats one stream twelve times on a page. The stream is compressed twice, and decompresses to 150 MB. */
function buildRepeatedStream(): Uint8Array {
  const stream = deflateSync(deflateSync(Buffer.alloc(150_000_000, ' ')));
  return buildPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << >> /Contents [${'4 0 R '.repeat(12)}] >>`,
    { dictionary: '/Filter [/FlateDecode /FlateDecode]', stream },
  ]);
}

/** Builds a PDF with a compressed and hex-encoded stream, so that a search for compressed streams does not find it. */
const buildHexBomb = (): Uint8Array => {
  const stream = deflateSync(deflateSync(Buffer.alloc(400_000_000))).toString('hex');
  return buildPage('/XObject << /F 5 0 R >>', '/F Do', [
    {
      dictionary: '/Subtype /Form /BBox [0 0 1 1] /Filter [/ASCIIHexDecode /FlateDecode /FlateDecode]',
      stream,
    },
  ]);
};

/** Builds an XLSX that lists one sheet 100,000 times. */
const buildRepeatedSheet = (): Uint8Array =>
  buildXlsx('<row><c><v/></c></row>'.repeat(100_000), {
    'xl/workbook.xml': `<workbook><sheets>${'<sheet name="a" r:id="rId1"/>'.repeat(100_000)}</sheets></workbook>`,
  });

/** Builds a PPTX of a slide with 100,000 comments, which it shows 2,000 times. */
const buildRepeatedSlide = (): Uint8Array =>
  buildPptx([''], {
    'ppt/presentation.xml': `<p:presentation>${'<p:sldId id="1" r:id="rId1"/>'.repeat(2_000)}</p:presentation>`,
    'ppt/slides/_rels/slide1.xml.rels': buildRelations(
      ...Array.from({ length: 100_000 }, (): [string, string] => ['comments', '../comments.xml']),
    ),
  });

/** Small files that a naive parser needs hours or gigabytes for, by name. */
export const hostileFiles = {
  'nested-forms.pdf': buildNestedForms,
  'repeated-note.docx': buildRepeatedNote,
  'nested-hyperlinks.docx': buildNestedHyperlinks,
  'repeated-sheet.xlsx': buildRepeatedSheet,
  'repeated-slide.pptx': buildRepeatedSlide,
  'lying.tiff': buildLyingTiff,
  'repeated-stream.pdf': buildRepeatedStream,
  'hexed-bomb.pdf': buildHexBomb,
};
