/** An object of a PDF: its dictionary, and the bytes of its stream where it has one. */
type PdfObject = string | { dictionary: string; stream: Uint8Array | string };

/**
 * A PDF of the objects given, numbered from 1; the first is the catalog. Written by hand, for what no PDF at hand has.
 * `trailer` goes into the trailer's dictionary.
 */
export function pdfOf(objects: PdfObject[], trailer = ''): Uint8Array<ArrayBuffer> {
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

/** A PDF of one page, 612 by 792 points, whose resources and content are given. Its own objects are 1 to 4. */
export const pageOf = (
  resources: string,
  content: Uint8Array | string,
  more: PdfObject[] = [],
  page = '',
): Uint8Array<ArrayBuffer> =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << ${resources} >> /Contents 4 0 R ${page} >>`,
    { dictionary: '', stream: content },
    ...more,
  ]);

/** A PDF that shows codes, in hexadecimal, in a font of Chinese or Japanese characters that it does not embed. */
export const foreignPdf = (encoding: string, ordering: string, codes: string): Uint8Array<ArrayBuffer> =>
  pageOf('/Font << /F 5 0 R >>', `BT /F 24 Tf 72 700 Td <${codes}> Tj ET`, [
    `<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Any /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor 7 0 R >>`,
    '<< /Type /FontDescriptor /FontName /Any /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  ]);

/** A PDF of one scanned page: an image that fills it. */
export const scannedPdf = (dictionary: string, stream: Uint8Array, page = ''): Uint8Array<ArrayBuffer> =>
  pageOf(
    '/XObject << /Scan 5 0 R >>',
    'q 612 0 0 792 0 0 cm /Scan Do Q',
    [{ dictionary: `/Type /XObject /Subtype /Image ${dictionary}`, stream }],
    page,
  );
