import PostalMime, { type Address, type Attachment, decodeWords, type Email } from 'postal-mime';
import { decodeCertain } from './encoding.ts';
import { parseHtml } from './html.ts';
import type { Bounds } from './limits.ts';
import { normalizeText, toOneLine } from './text.ts';
import { Unreadable } from './unreadable.ts';

function formatAddress({ name, address, group }: Address): string {
  if (group) return `${name}: ${group.map(formatAddress).join(', ')}`;
  return name && address ? `${name} <${address}>` : name || address;
}

/** Returns the lines of a message's header that a reader sees. */
function formatHeader({ subject, from, to = [], cc = [], date }: Email): string {
  const fields = {
    Subject: subject,
    From: from && formatAddress(from),
    To: to.map(formatAddress).join(', '),
    Cc: cc.map(formatAddress).join(', '),
    Date: date,
  };
  return Object.entries(fields)
    .flatMap(([name, value]) => (value ? [`${name}: ${toOneLine(value)}`] : []))
    .join('\n');
}

const maxListedNames = 5;
const maxNameLength = 40;

/** Warns of attachments, which are not read. Pictures within the text are none. */
function warnOfAttachments(attachments: Attachment[], bounds: Bounds): void {
  const names = attachments
    .filter(({ related, mimeType }) => !related || !mimeType.startsWith('image/'))
    .map(({ filename, mimeType }) =>
      toOneLine(filename ?? mimeType)
        .slice(0, maxNameLength)
        .toWellFormed(),
    );
  if (names.length === 0) return;
  const listed = names.slice(0, maxListedNames).join(', ');
  const more = names.length > maxListedNames ? ` and ${names.length - maxListedNames} more` : '';
  bounds.warn('parts_left_out', `Attachments were not read: ${listed}${more}: upload those that matter as documents`);
}

/** Returns true if text in this encoding is read as Windows-1252 for lack of a better one. */
function isGuessed(label: string): boolean {
  if (/ascii|^ansi_x3/i.test(label)) return true;
  try {
    new TextDecoder(label.replace(/^x-/i, ''));
    return false;
  } catch {
    return decodeWords(`=?${label}?Q?=E0?=`) === 'à'; // postal-mime knows more names
  }
}

const hasForeign = (bytes: Buffer): boolean => bytes.some((byte) => byte >= 0x80);

/** Returns true if the body of a part that is read has bytes that are not ASCII, once it is decoded. */
function isForeign(header: string, body: string): boolean {
  if (/^content-disposition:\s*attachment/im.test(header)) return false;
  if (/^content-transfer-encoding:\s*base64/im.test(header)) return hasForeign(Buffer.from(body, 'base64'));
  const isQuoted = /^content-transfer-encoding:\s*quoted-printable/im.test(header);
  return hasForeign(Buffer.from(body, 'latin1')) || (isQuoted && /=[89A-F][0-9A-F]/i.test(body));
}

/** Warns of text in an unknown encoding, or in ASCII with other letters. */
function warnOfGuesses(message: string, bounds: Bounds): void {
  const source = message.replace(/\r\n/g, '\n');
  // Starts after `\n` only. With the flag m, it would also start at each `\r` of a header, and read to the end of the header each time.
  const part = /(?<![^\n])content-type:[ \t]*text\/(?:[^\n]|\n[ \t]){0,2000}?\bcharset\s*=\s*"?([^\s";]+)/gi;
  for (let match = part.exec(source); match; match = part.exec(source)) {
    const header = source.lastIndexOf('\n\n', match.index) + 1;
    const body = source.indexOf('\n\n', match.index);
    if (body < 0) return;
    const next = source.indexOf('\n--', body + 1);
    const end = next < 0 ? source.length : next;
    part.lastIndex = end; // looks at each byte once
    if (isGuessed(match[1] ?? '') && isForeign(source.slice(header, body), source.slice(body, end))) {
      const advice = 'if letters are wrong, save its text as UTF-8 and upload it again';
      bounds.warn('encoding_guessed', `The message names no known encoding and was read as windows-1252: ${advice}`);
      return;
    }
  }
}

/** Start of a second message in a mailbox file. */
const nextMessage = /\n\r?\n(?=From \S+ [^\n]*\d:\d\d)/;

/** Returns the first message of a mailbox file, and warns of the others. */
function takeMessage(source: string, bounds: Bounds): string {
  const next = source.startsWith('From ') ? source.search(nextMessage) : -1;
  if (next < 0) return source;
  bounds.warn(
    'parts_left_out',
    'Only the first message of the mailbox was read: save each one as EML, then upload them',
  );
  return source.slice(0, next + 1);
}

async function parseMessage(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes);
  } catch (error) {
    const message = error instanceof Error ? error.message : ''; // only the message says why
    if (/nesting depth/i.test(message))
      throw new Unreadable('too_deep', 'The message has more than 256 parts in each other: send it as a new one', {
        cause: error,
      });
    if (/header size/i.test(message))
      throw new Unreadable('too_large', 'The message has more than 2 MB of headers: send its text as a new one', {
        cause: error,
      });
    throw error;
  }
}

/** Returns the bytes of a message without a byte order mark. Those of UTF-16, as which some programs save messages, become UTF-8. */
function toMessageBytes(bytes: Uint8Array): Uint8Array {
  const isWide = bytes.subarray(0, 4).includes(0); // a header starts with ASCII
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isWide ? Buffer.from(decodeCertain(bytes) ?? '') : bytes.subarray(isMarked ? 3 : 0);
}

/** Returns the text of an e-mail: subject, people and date, then its body. Forwarded messages are part of it. */
export async function parseEml(bytes: Uint8Array, bounds: Bounds): Promise<string> {
  const source = takeMessage(Buffer.from(toMessageBytes(bytes)).toString('latin1'), bounds);
  const message = await parseMessage(Buffer.from(source, 'latin1'));
  const header = bounds.limitText(formatHeader(message));
  const fromHtml = message.html ? parseHtml(message.html, bounds) : '';
  const body = fromHtml || bounds.limitText(normalizeText(message.text ?? ''));
  warnOfGuesses(source, bounds);
  warnOfAttachments(message.attachments, bounds);
  return normalizeText(`${header}\n\n${body}`);
}
