import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import httpMultipartBodyParser from '@middy/http-multipart-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type Fault, Invalid, TooLarge, truncateKey, UnsupportedMediaType } from '../../errors.ts';
import type { UploadedFile } from '../../schemas/upload.ts';
import { getHeader, type Middleware } from './middleware.ts';
import { createMalformedError, parseBoundary, splitParts } from './multipart-frame.ts';

/** Limits of the file and of each text field. Lambda limits the whole body to about 4.5 MB. */
const maxFileBytes = 4 * 1024 * 1024;
const maxTextBytes = 10 * 1024;

const plainEncodings = new Set(['7bit', '8bit', 'binary']);

const tooLargeMessage =
  'The file may have at most 4 MB: for a larger one, get an upload form from POST /assistants/knowledge-base/uploads';

const formMediaType = /^\s*multipart\/form-data\s*(?:;|$)/i;

/** Part of a form, as the parser returns it. */
interface Part {
  name: string;
  filename?: string;
  mimetype: string;
  encoding: string;
  content: Buffer;
}

/**
 * Parses every part as a file, into bytes. For text fields, the parser would treat `a[b]` as an item of an array `a`, and crash the
 * process if `a` is text already or a field has no name. Field names may be as long as headers.
 */
const parseBody = httpMultipartBodyParser({
  disableContentTypeCheck: true, // it rejects many legal boundaries
  charset: 'latin1',
  busboy: { isPartAFile: () => true, limits: { fieldNameSize: 16 * 1024 } },
}).before as unknown as (request: { event: object }) => Promise<void>;

/**
 * Returns the parts of a body, grouped by name with the last one first. Throws Invalid if the body is malformed.
 * Rebuilds the body from complete parts before it is parsed. Otherwise the parser would crash the process on a truncated file, hang
 * on headers without an end, and drop the headers after a boundary with white space.
 */
async function parseParts({ body, isBase64Encoded }: APIGatewayProxyEvent, boundary: string): Promise<Part[]> {
  const sent = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString('latin1');
  const parts = splitParts(sent, boundary);
  const event = {
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    body: [...parts.map((part) => `--${boundary}\r\n${part}\r\n`), `--${boundary}--`].join('') as unknown,
  };
  await parseBody({ event }).catch(() => {
    throw createMalformedError(); // the parser's error would contain the body
  });
  // Keyed by name. Several parts of one name are an array.
  const found = Object.entries(event.body as Record<string, Part | Part[]>).flatMap(([name, part]) =>
    [part].flat().map((one) => ({ ...one, name: name.toWellFormed() })),
  );
  if (found.length < parts.length) throw createMalformedError(); // the parser skips parts that are not form data
  // Transfer encodings are deprecated (RFC 7578, section 4.7) and never decoded: the content would be stored encoded.
  if (found.some(({ encoding }) => !plainEncodings.has(encoding.trim()))) {
    throw createMalformedError('Send each part as it is, without a Content-Transfer-Encoding');
  }
  return found;
}

/**
 * Returns true if a part named `file` is a file. It is not one if it is plain text without a file name, or if it has neither a name
 * nor content, which browsers send if no file was chosen.
 */
const isFile = ({ filename, mimetype, content }: Part) =>
  content.length > 0 ? filename !== undefined || mimetype !== 'text/plain' : !!filename;

/**
 * Returns the file's name without control characters and lone surrogates, or an empty string. Browsers percent-encode quotes and line
 * ends only (HTML, section 4.10.22.8). The parser has removed the path.
 */
const toFileName = ({ filename = '' }: Part) =>
  filename
    .replace(/%22/g, '"')
    .replace(/%0[ad]|\p{Cc}/giu, ' ')
    .toWellFormed();

/** Returns the declared media type without parameters, in lower case. */
const toMediaType = ({ mimetype }: Part) =>
  /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/.test(mimetype) ? mimetype : 'application/octet-stream';

function toUploadedFile(part: Part): UploadedFile {
  const { content } = part;
  const sha256 = createHash('sha256').update(content).digest('hex');
  const file = { name: toFileName(part), type: toMediaType(part), sha256 };
  // Not enumerable, so that JSON for hashes and logs contains the digest instead. Copied, because a parser may transfer the
  // memory away, and a small Buffer shares its memory with others.
  return Object.defineProperty(file, 'bytes', { value: new Uint8Array(content) }) as UploadedFile;
}

const fileLoc = ['body', 'file'];

function* listFileFaults(files: Part[]): Generator<Fault> {
  if (files.length > 1) yield { loc: fileLoc, msg: 'Send one file', type: 'too_many_files' };
  if (files.some(({ content }) => content.length === 0)) {
    yield { loc: fileLoc, msg: 'The file is empty', type: 'file_empty' };
  }
}

function* listTextFaults({ name, content }: Part): Generator<Fault> {
  const loc = ['body', truncateKey(name)];
  if (content.length > maxTextBytes) yield { loc, msg: 'Input should have at most 10 KB', type: 'bytes_too_long' };
  else if (!isUtf8(content) || content.includes(0)) {
    yield { loc, msg: 'Input should be UTF-8 without NUL', type: 'string_unicode' };
  }
}

/**
 * Parses a form with a file (RFC 7578) into an object: `file`, and the last text field of each name. Ignores files of other names.
 * Throws UnsupportedMediaType and TooLarge. Collects all other faults for `validate`, which reports them together. `validate` also
 * detects a missing file, by the route's schema.
 */
export const multipartBody = (): Middleware => ({
  async before({ event, internal }) {
    const contentType = getHeader(event, 'content-type') ?? '';
    if (!formMediaType.test(contentType)) throw new UnsupportedMediaType('Send the body as multipart/form-data');
    let parts: Part[];
    try {
      parts = await parseParts(event, parseBoundary(contentType));
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      internal.faults.push(...error.detail);
      return;
    }

    const files = parts.filter((part) => part.name === 'file' && isFile(part));
    if (files.some(({ content }) => content.length > maxFileBytes)) throw new TooLarge(fileLoc, tooLargeMessage);
    const texts = parts.filter(({ name, filename }) => name !== 'file' && filename === undefined);
    internal.faults.push(...listFileFaults(files), ...texts.flatMap((text) => [...listTextFaults(text)]));
    internal.body = Object.fromEntries([
      ...texts.reverse().map(({ name, content }) => [name, content.toString()]),
      ...files.slice(0, 1).map((file) => ['file', toUploadedFile(file)]),
    ]);
  },
});
