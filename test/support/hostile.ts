import { deflateSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { bytesOf, sample } from './documents.ts';
import { pageOf, pdfOf } from './pdf.ts';
import { tiffOf } from './tiff.ts';

const namespaces = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** A DOCX with parts of its own in the place of those of a sample. */
function docxOf(sampleName: string, parts: Record<string, string>): Uint8Array {
  const changed = Object.entries(parts).map(([name, xml]) => [`word/${name}.xml`, bytesOf(xml)] as const);
  return zipSync({ ...unzipSync(sample(sampleName)), ...Object.fromEntries(changed) });
}

/** Form XObjects that paint the next one several times: 4 to the power of 14 paintings, and no text. */
function nestedForms(): Uint8Array {
  const depth = 14;
  const form = (next: number) => ({
    dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /F ${next} 0 R >> >>`,
    stream: '/F Do '.repeat(4),
  });
  const forms = Array.from({ length: depth }, (_, i) => form(i + 6));
  const last = { dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 1 1]', stream: '' };
  return pageOf('/XObject << /F 5 0 R >>', '/F Do', [...forms, last]);
}

/** A long note, referred to 20,000 times, each of which reads it anew. */
const repeatedNote = (): Uint8Array =>
  docxOf('footnotes.docx', {
    document: `<w:document ${namespaces}><w:body><w:p>${'<w:r><w:footnoteReference w:id="1"/></w:r>'.repeat(20_000)}</w:p></w:body></w:document>`,
    footnotes: `<w:footnotes ${namespaces}><w:footnote w:id="1">${'<w:p><w:r><w:t>a</w:t></w:r></w:p>'.repeat(5_000)}</w:footnote></w:footnotes>`,
  });

/** Hyperlinks of complex fields, each within the one before. */
const nestedHyperlinks = (): Uint8Array => {
  const begin =
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "a" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>a</w:t></w:r>';
  return docxOf('tables.docx', {
    document: `<w:document ${namespaces}><w:body><w:p>${begin.repeat(40_000)}</w:p></w:body></w:document>`,
  });
};

/** A TIFF that says 100 by 100 points, and unpacks to 400 MB. */
const lyingTiff = (): Uint8Array =>
  tiffOf([{ width: 100, height: 100 }], undefined, deflateSync(Buffer.alloc(400_000_000)));

/** A page whose contents are one stream of 150 MB, packed twice, a dozen times over. */
function repeatedStream(): Uint8Array {
  const stream = deflateSync(deflateSync(Buffer.alloc(150_000_000, ' ')));
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << >> /Contents [${'4 0 R '.repeat(12)}] >>`,
    { dictionary: '/Filter [/FlateDecode /FlateDecode]', stream },
  ]);
}

/** A stream that is packed, and written in digits besides, so that a look for packed streams does not see it. */
const hexedBomb = (): Uint8Array => {
  const stream = deflateSync(deflateSync(Buffer.alloc(400_000_000))).toString('hex');
  return pageOf('/XObject << /F 5 0 R >>', '/F Do', [
    {
      dictionary: '/Subtype /Form /BBox [0 0 1 1] /Filter [/ASCIIHexDecode /FlateDecode /FlateDecode]',
      stream,
    },
  ]);
};

/** Small files that take hours or gigabytes to read, by name. */
export const hostile = {
  'nested-forms.pdf': nestedForms,
  'repeated-note.docx': repeatedNote,
  'nested-hyperlinks.docx': nestedHyperlinks,
  'lying.tiff': lyingTiff,
  'repeated-stream.pdf': repeatedStream,
  'hexed-bomb.pdf': hexedBomb,
};
