import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
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

/** Warns of attachments, which are not read. Pictures within the text count as parts that were left out. */
function warnOfAttachments(attachments: Attachment[], bounds: Bounds): void {
  const names = attachments
    .filter(({ related }) => !related)
    .map(({ filename, mimeType }) => toOneLine(filename ?? mimeType).slice(0, maxNameLength));
  if (names.length === 0) return;
  const listed = names.slice(0, maxListedNames).join(', ');
  const more = names.length > maxListedNames ? ` and ${names.length - maxListedNames} more` : '';
  bounds.warn('parts_left_out', `Attachments were not read: ${listed}${more}: upload those that matter as documents`);
}

async function parseMessage(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes);
  } catch (error) {
    // Only the message says why. The other limit is that of all headers, 2 MB.
    if (!(error instanceof Error) || !/nesting depth/i.test(error.message)) throw error;
    throw new Unreadable('too_deep', 'The message has more than 256 parts in each other: send it as a new one', {
      cause: error,
    });
  }
}

/** Returns the text of an e-mail: subject, people and date, then its body. Forwarded messages are part of it. */
export async function parseEml(bytes: Uint8Array, bounds: Bounds): Promise<string> {
  const message = await parseMessage(bytes);
  const header = bounds.limitText(formatHeader(message));
  const fromHtml = message.html ? parseHtml(message.html, bounds) : '';
  const body = fromHtml || bounds.limitText(normalizeText(message.text ?? ''));
  warnOfAttachments(message.attachments, bounds);
  return normalizeText(`${header}\n\n${body}`);
}
