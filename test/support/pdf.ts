/** An object of a PDF: its dictionary, and its stream if it has one. */
type PdfObject = string | { dictionary: string; stream: Uint8Array | string };

/**
 * Builds a PDF from objects, numbered from 1. The first is the catalog. Allows tests features that no sample file has.
 * `trailer` is added to the trailer's dictionary.
 */
export function buildPdf(objects: PdfObject[], trailer = ''): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  const size = () => parts.reduce((sum, { length }) => sum + length, 0);
  for (const [i, object] of objects.entries()) {
    offsets.push(size());
    if (typeof object === 'string') {
      parts.push(Buffer.from(`${i + 1} 0 obj\n${object}\nendobj\n`, 'latin1'));
    } else {
      const stream = Buffer.from(object.stream);
      const head = `${i + 1} 0 obj\n<< ${object.dictionary} /Length ${stream.length} >>\nstream\n`;
      parts.push(Buffer.from(head, 'latin1'), stream, Buffer.from('\nendstream\nendobj\n'));
    }
  }
  const start = size();
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows}`;
  parts.push(Buffer.from(`${table}trailer\n<< /Size ${count} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF`));
  return new Uint8Array(Buffer.concat(parts));
}

/** Builds a PDF of one page, 612 by 792 points, with these resources and content. It uses the objects 1 to 4 itself. */
export const buildPage = (
  resources: string,
  content: Uint8Array | string,
  more: PdfObject[] = [],
  page = '',
): Uint8Array<ArrayBuffer> =>
  buildPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << ${resources} >> /Contents 4 0 R ${page} >>`,
    { dictionary: '', stream: content },
    ...more,
  ]);

/** Builds a PDF that shows hexadecimal character codes in a Chinese or Japanese font without embedding the font. */
export const buildForeignPdf = (encoding: string, ordering: string, codes: string): Uint8Array<ArrayBuffer> =>
  buildPage('/Font << /F 5 0 R >>', `BT /F 24 Tf 72 700 Td <${codes}> Tj ET`, [
    `<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Any /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor 7 0 R >>`,
    '<< /Type /FontDescriptor /FontName /Any /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  ]);

/** Builds a PDF of one scanned page: an image that fills the page. */
export const buildScannedPdf = (dictionary: string, stream: Uint8Array, page = ''): Uint8Array<ArrayBuffer> =>
  buildPage(
    '/XObject << /Scan 5 0 R >>',
    'q 612 0 0 792 0 0 cm /Scan Do Q',
    [{ dictionary: `/Type /XObject /Subtype /Image ${dictionary}`, stream }],
    page,
  );
