import { type Fault, Invalid } from '../../errors.ts';

/** Limits of a body: its number of parts, and the size of each part's headers. */
const maxParts = 20;
const maxHeaderBytes = 16 * 1024;

const toFault = (msg: string, loc = ['body']): Fault => ({ loc, msg, type: 'multipart_invalid' });

/** Creates the error for a body that is not valid multipart/form-data. */
export const createMalformedError = (
  msg = 'The body is not valid multipart/form-data: it is cut short, or its boundary differs from the Content-Type, ' +
    'or its lines do not end in CRLF, or a part lacks "Content-Disposition: form-data" with a name',
) => new Invalid([toFault(msg)]);

const createBoundaryError = () =>
  new Invalid([
    toFault(
      'Name the boundary, as in "multipart/form-data; boundary=…": HTTP clients do, unless the header is set by hand',
      ['header', 'content-type'],
    ),
  ]);

/** Parameter of a header: its name in lower case, its value without quotes, and the raw text with its semicolon. */
interface Parameter {
  name: string;
  value: string;
  sent: string;
}

/** Parses the parameters of a header (RFC 2045, section 5.1). Allows spaces around them. An unquoted value ends at a semicolon. */
function parseParameters(header: string): Parameter[] {
  const found = header.replace(/^[^;]*/, '').matchAll(/\s*;\s*([^\s=;]*)\s*=?\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gy);
  return [...found].map(([sent, name = '', quoted, bare = '']) => ({
    name: name.toLowerCase(),
    value: quoted?.replace(/\\(.)/g, '$1') ?? bare.trim(),
    sent,
  }));
}

/**
 * Returns the boundary of a Content-Type. Throws Invalid if there is none. Accepts more than RFC 2046 allows (1 to 70 characters of
 * a smaller set), because clients send asterisks and other characters. Rejects characters that could end the quotes of a header.
 */
export function parseBoundary(contentType: string): string {
  const boundary = parseParameters(contentType).find(({ name }) => name === 'boundary')?.value;
  if (!boundary || !/^[ !#-[\]-~]{1,200}$/.test(boundary)) throw createBoundaryError();
  return boundary;
}

/** Drops `filename` if there is a `filename*` (RFC 6266, section 4.3). The parser would take either. */
function preferExtendedFilename(header: string): string {
  const parameters = parseParameters(header);
  if (!parameters.some(({ name }) => name === 'filename*')) return header;
  const [start = ''] = header.split(';', 1);
  return start + parameters.map(({ name, sent }) => (name === 'filename' ? '' : sent)).join('');
}

/** Returns the headers of a part, each on one line. Throws Invalid on a malformed header: the parser would drop it and the rest. */
function normalizeHeaders(sent: string): string {
  if (sent.length > maxHeaderBytes) throw createMalformedError('A part may have at most 16 KB of headers');
  const lines = sent.replace(/\r\n(?=[ \t])/g, '').split('\r\n');
  const headers = lines.map((line) => /^([!-9;-~]+)[ \t]*:[ \t]*(.*)$/.exec(line));
  return headers
    .map((header) => {
      if (!header) throw createMalformedError();
      const [, name = '', value = ''] = header;
      return `${name}: ${preferExtendedFilename(value)}`;
    })
    .join('\r\n');
}

/** Returns a part with normalized headers. Its text starts right after the boundary, maybe with white space (RFC 2046, section 5.1.1). */
function normalizePart(sent: string): string {
  const padding = /^[ \t]*\r\n/.exec(sent)?.[0];
  if (padding === undefined) throw createMalformedError();
  const headersStart = padding.length;
  const headersEnd = sent.indexOf('\r\n\r\n', headersStart);
  if (headersEnd !== -1) return normalizeHeaders(sent.slice(headersStart, headersEnd)) + sent.slice(headersEnd);
  // Legal but unusual: a part without content may lack the blank line.
  if (sent.endsWith('\r\n')) return `${normalizeHeaders(sent.slice(headersStart, -2))}\r\n\r\n`;
  throw createMalformedError();
}

/**
 * Splits a body, one character per byte, into its parts. Throws Invalid if the body is incomplete (RFC 2046, section 5.1.1) or has
 * too many parts.
 */
export function splitParts(body: string, boundary: string): string[] {
  // The body may start with the first boundary. Text before it is not a part.
  const pieces = `\r\n${body}`.split(`\r\n--${boundary}`, maxParts + 2).slice(1);
  const end = pieces.findIndex((piece) => piece.startsWith('--'));
  if (end === -1)
    throw pieces.length > maxParts
      ? createMalformedError(`A body may have at most ${maxParts} parts`)
      : createMalformedError();
  return pieces.slice(0, end).map(normalizePart);
}
