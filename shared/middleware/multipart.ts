import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import httpMultipartBodyParser from '@middy/http-multipart-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { clipped, type Fault, Invalid, TooLarge, UnsupportedMediaType } from '../errors.ts';
import type { UploadedFile } from '../schemas/upload.ts';
import { boundaryOf, malformed, partsOf } from './multipart-frame.ts';
import { header, type Layer } from './onion.ts';

/** Bounds in bytes: of the file, and of each text field. The platform bounds the whole, at about 4.5 MB. */
const maxFileBytes = 4 * 1024 * 1024;
const maxTextBytes = 10 * 1024;

const plainEncodings = new Set(['7bit', '8bit', 'binary']);

const tooLarge =
  'The file may have at most 4 MB: for a larger one, ask for an upload by POST /assistants/knowledge-base/uploads';

const mediaType = /^\s*multipart\/form-data\s*(?:;|$)/i;

/** A part as the parser leaves it. */
interface Part {
  name: string;
  filename?: string;
  mimetype: string;
  encoding: string;
  content: Buffer;
}

/**
 * Every part is read as a file, as bytes: of text fields, the parser takes `a[b]` for an item of an array `a`, and ends the
 * process where `a` is text already, or where a field has no name. Names may be as long as headers.
 */
const parse = httpMultipartBodyParser({
  disableContentTypeCheck: true, // it takes few of the legal boundaries
  charset: 'latin1',
  busboy: { isPartAFile: () => true, limits: { fieldNameSize: 16 * 1024 } },
}).before as unknown as (request: { event: object }) => Promise<void>;

/**
 * The parts of a body; those of one name stand together, the last first. Throws Invalid where it is malformed.
 * The parser is given a body written anew of parts that were found whole: it would end the process where a file is cut short,
 * wait for ever where a part's headers do not end, and drop headers after a boundary with white space.
 */
async function read({ body, isBase64Encoded }: APIGatewayProxyEvent, boundary: string): Promise<Part[]> {
  const sent = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString('latin1');
  const parts = partsOf(sent, boundary);
  const event = {
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
    body: [...parts.map((part) => `--${boundary}\r\n${part}\r\n`), `--${boundary}--`].join('') as unknown,
  };
  await parse({ event }).catch(() => {
    throw malformed(); // and not its own error, which holds the body
  });
  // By their names, where several parts of one name are an array.
  const found = Object.entries(event.body as Record<string, Part | Part[]>).flatMap(([name, part]) =>
    [part].flat().map((one) => ({ ...one, name: name.toWellFormed() })),
  );
  if (found.length < parts.length) throw malformed(); // it skips what is no part of a form
  // Deprecated (RFC 7578, section 4.7), and read by nobody: what it encodes would be stored encoded.
  if (found.some(({ encoding }) => !plainEncodings.has(encoding.trim()))) {
    throw malformed('Send each part as it is, without a Content-Transfer-Encoding');
  }
  return found;
}

/**
 * A part called `file` is one unless it is plain text without a file name, or is what browsers send where no file was chosen:
 * neither name nor content.
 */
const isFile = ({ filename, mimetype, content }: Part) =>
  content.length > 0 ? filename !== undefined || mimetype !== 'text/plain' : !!filename;

/**
 * The file's name: browsers write quotes and line ends in percent (HTML, section 4.10.22.8), and nothing else. No control
 * characters, no path (the parser cuts it), no half characters. Empty where there is none.
 */
const nameOf = ({ filename = '' }: Part) =>
  filename
    .replace(/%22/g, '"')
    .replace(/%0[ad]|\p{Cc}/giu, ' ')
    .toWellFormed();

/** The declared type without parameters, in lower case. */
const typeOf = ({ mimetype }: Part) =>
  /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/.test(mimetype) ? mimetype : 'application/octet-stream';

function uploaded(part: Part): UploadedFile {
  const { content } = part;
  const sha256 = createHash('sha256').update(content).digest('hex');
  const file = { name: nameOf(part), type: typeOf(part), sha256 };
  // Not enumerable: whoever writes the body as JSON, be it for a hash or a log, means the digest. In memory of their own:
  // readers of documents may take it away, and a small Buffer shares its memory with others.
  return Object.defineProperty(file, 'bytes', { value: new Uint8Array(content) }) as UploadedFile;
}

const atFile = ['body', 'file'];

function* fileFaults(files: Part[]): Generator<Fault> {
  if (files.length > 1) yield { loc: atFile, msg: 'Send one file', type: 'too_many_files' };
  if (files.some(({ content }) => content.length === 0)) {
    yield { loc: atFile, msg: 'The file is empty', type: 'file_empty' };
  }
}

function* textFaults({ name, content }: Part): Generator<Fault> {
  const loc = ['body', clipped(name)];
  if (content.length > maxTextBytes) yield { loc, msg: 'Input should have at most 10 KB', type: 'bytes_too_long' };
  else if (!isUtf8(content) || content.includes(0)) {
    yield { loc, msg: 'Input should be UTF-8 without NUL', type: 'string_unicode' };
  }
}

/**
 * Reads a form with a file (RFC 7578) as an object: its text fields, the last of each name, and `file`. Files of other names
 * are ignored. Throws UnsupportedMediaType and TooLarge; other faults are left to `validate`, which tells all of them at
 * once, and finds by the route's schema that there is no file.
 */
export const multipartBody = (): Layer => ({
  async before({ event, internal }) {
    const contentType = header(event, 'content-type') ?? '';
    if (!mediaType.test(contentType)) throw new UnsupportedMediaType('Send the body as multipart/form-data');
    let parts: Part[];
    try {
      parts = await read(event, boundaryOf(contentType));
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      internal.faults.push(...error.detail);
      return;
    }

    const files = parts.filter((part) => part.name === 'file' && isFile(part));
    if (files.some(({ content }) => content.length > maxFileBytes)) throw new TooLarge(atFile, tooLarge);
    const texts = parts.filter(({ name, filename }) => name !== 'file' && filename === undefined);
    internal.faults.push(...fileFaults(files), ...texts.flatMap((text) => [...textFaults(text)]));
    internal.body = Object.fromEntries([
      ...texts.reverse().map(({ name, content }) => [name, content.toString()]),
      ...files.slice(0, 1).map((file) => ['file', uploaded(file)]),
    ]);
  },
});
