/** Reasons why a file cannot be parsed, each with a message for its owner. */
export const reasons = {
  encrypted: 'The file is protected by a password: save it without one, then upload it again',
  damaged: 'The file is damaged: open and save it again, then upload the new file',
  unknown_encoding: 'The characters of the file are in no known encoding: save it as UTF-8, then upload it again',
  empty: 'The file is empty: upload one that has content',
  no_text: 'No text was found in the file: upload one that has text, or a sharper picture of up to 40 megapixels',
  too_many_pages: 'The file has more than 5,000 pages: split it, then upload its parts',
  too_large: 'The file is too large: split it, then upload its parts',
  too_complex:
    'Reading the file needs too much memory or time: split it, or save it in a simpler form, then upload it again',
  too_deep: 'The file is nested more than 2,000 levels deep: flatten it, then upload it again',
} as const satisfies Record<string, string>;

/** Kinds of files that can be read, as a message lists them. */
const readableFiles =
  'PDF, DOCX, PPTX, XLSX, ODT, ODS, ODP, RTF, EPUB, EML, text, Markdown, HTML, CSV or JSON file, or an image (PNG, JPEG, WebP, TIFF, GIF, BMP, JPEG 2000)';

/** First bytes of Office files of before 2007, and of newer ones with a password. */
const oldOfficeStart = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** Matches the first bytes of pictures in HEIF, as Latin-1: the size of a box, then its type and brand. */
const heifStart = /^.{4}ftyp(?:hei|hev|mif1|msf1|avi[fs])/s;

/** Returns the advice for a file of an unsupported kind. */
export function explainUnsupported(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 16));
  if (oldOfficeStart.equals(start.subarray(0, oldOfficeStart.length))) {
    return 'Old Office files (DOC, XLS, PPT, MSG) and those with a password cannot be read: save it as DOCX, XLSX, PPTX or EML, without a password';
  }
  if (heifStart.test(start.toString('latin1'))) {
    return 'HEIC and AVIF pictures cannot be read: export it as JPEG or PNG. An iPhone takes JPEG with Settings > Camera > Formats > Most Compatible';
  }
  return `This kind of file cannot be read: send a ${readableFiles}`;
}

export type Reason = keyof typeof reasons;

/** Thrown if a file cannot be parsed. The message is for the owner; the `cause` from a library is for the log only. */
export class Unreadable extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, message: string = reasons[reason], options?: ErrorOptions) {
    super(message, options);
    this.name = 'Unreadable';
    this.reason = reason;
  }
}

/** Thrown if OCR itself fails, for lack of memory or of its data. It says nothing about the file: another attempt may succeed. */
export class OcrFailed extends Error {
  constructor(cause?: unknown) {
    super('OCR has no memory or no data: try again', { cause });
    this.name = 'OcrFailed';
  }
}
