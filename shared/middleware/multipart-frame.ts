import { type Fault, Invalid } from '../errors.ts';

/** Bounds of a body: how many parts it may have, and bytes of headers that each may have. */
const maxParts = 20;
const maxHeadBytes = 16 * 1024;

const fault = (msg: string, loc = ['body']): Fault => ({ loc, msg, type: 'multipart_invalid' });

/** What cannot be read as multipart/form-data. */
export const malformed = (
  msg = 'The body is not valid multipart/form-data: it is cut short, or its boundary is not that of the Content-Type, ' +
    'or its lines do not end in CRLF, or a part does not say "Content-Disposition: form-data" with a name',
) => new Invalid([fault(msg)]);

const noBoundary = () =>
  new Invalid([
    fault(
      'Name the boundary, as in "multipart/form-data; boundary=…": HTTP clients do, unless the header is set by hand',
      ['header', 'content-type'],
    ),
  ]);

/** One parameter of a header: its name in lower case, its value without quotes, and both as they are sent, with the semicolon. */
interface Parameter {
  name: string;
  value: string;
  sent: string;
}

/** The parameters of a header (RFC 2045, section 5.1). Spaces around are allowed; a value without quotes ends at a semicolon. */
function parametersOf(header: string): Parameter[] {
  const found = header.replace(/^[^;]*/, '').matchAll(/\s*;\s*([^\s=;]*)\s*=?\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gy);
  return [...found].map(([sent, name = '', quoted, bare = '']) => ({
    name: name.toLowerCase(),
    value: quoted?.replace(/\\(.)/g, '$1') ?? bare.trim(),
    sent,
  }));
}

/**
 * The boundary that a Content-Type names. Throws Invalid where there is none. More is taken than RFC 2046 allows (1 to 70 of
 * fewer characters), since clients send asterisks and worse; what could end a header's quotes is not.
 */
export function boundaryOf(contentType: string): string {
  const boundary = parametersOf(contentType).find(({ name }) => name === 'boundary')?.value;
  if (!boundary || !/^[ !#-[\]-~]{1,200}$/.test(boundary)) throw noBoundary();
  return boundary;
}

/** Leaves a file that has both names its `filename*` alone (RFC 6266, section 4.3): the parser would take either. */
function withOneName(header: string): string {
  const parameters = parametersOf(header);
  if (!parameters.some(({ name }) => name === 'filename*')) return header;
  const [start = ''] = header.split(';', 1);
  return start + parameters.map(({ name, sent }) => (name === 'filename' ? '' : sent)).join('');
}

/** The headers of a part, each on one line. Throws Invalid where one is none: the parser would drop it and all that follow. */
function headOf(sent: string): string {
  if (sent.length > maxHeadBytes) throw malformed('A part may have at most 16 KB of headers');
  const lines = sent.replace(/\r\n(?=[ \t])/g, '').split('\r\n');
  const headers = lines.map((line) => /^([!-9;-~]+)[ \t]*:[ \t]*(.*)$/.exec(line));
  return headers
    .map((header) => {
      if (!header) throw malformed();
      const [, name = '', value = ''] = header;
      return `${name}: ${withOneName(value)}`;
    })
    .join('\r\n');
}

/** A part, its headers tidied. It begins with what follows the boundary: white space may (RFC 2046, section 5.1.1). */
function partOf(sent: string): string {
  const padding = /^[ \t]*\r\n/.exec(sent)?.[0];
  if (padding === undefined) throw malformed();
  const headStart = padding.length;
  const headEnd = sent.indexOf('\r\n\r\n', headStart);
  if (headEnd !== -1) return headOf(sent.slice(headStart, headEnd)) + sent.slice(headEnd);
  // Legal, though nobody does it: without content, the blank line may be missing too.
  if (sent.endsWith('\r\n')) return `${headOf(sent.slice(headStart, -2))}\r\n\r\n`;
  throw malformed();
}

/** The parts of a body, a character a byte. Throws Invalid where it is not whole (RFC 2046, section 5.1.1) or has too many. */
export function partsOf(body: string, boundary: string): string[] {
  // The first boundary may stand at the very beginning; what stands before it is no part.
  const pieces = `\r\n${body}`.split(`\r\n--${boundary}`, maxParts + 2).slice(1);
  const end = pieces.findIndex((piece) => piece.startsWith('--'));
  if (end === -1) throw pieces.length > maxParts ? malformed(`A body may have at most ${maxParts} parts`) : malformed();
  return pieces.slice(0, end).map(partOf);
}
