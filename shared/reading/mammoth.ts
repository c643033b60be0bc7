import mammoth from 'mammoth';
import { type Message, Result } from 'mammoth/lib/results.js';

/** Message about an element that mammoth does not know. The name may have a namespace in braces, or a prefix. */
const ignoredElement = /^An unrecognised element was ignored: (?:\{.*\})?(.+)$/s;

/** Number of messages that are kept. Documents have some dozens of different ones. */
const maxMessages = 100;

/** Returns the messages about elements that mammoth does not know, each once. The others are of no use. */
function mergeMessages(results: Result[]): Message[] {
  const merged = new Map<string, Message>();
  for (const message of results.flatMap(({ messages }) => messages)) {
    if (merged.size >= maxMessages) break;
    if (ignoredElement.test(message.message)) merged.set(message.message, message);
  }
  return [...merged.values()];
}

// Mammoth compares each message with all others, again for each element around them: 30,000 different styles would take a minute.
Result.combine = (results) =>
  new Result(results.map(({ value }) => value).flat(Number.POSITIVE_INFINITY), mergeMessages(results));
Result.prototype.flatMap = function (toResult) {
  const result = toResult(this.value);
  return new Result(result.value, mergeMessages([this, result]));
};
Result.prototype.flatMapThen = function (toResult) {
  return toResult(this.value).then((result) => new Result(result.value, mergeMessages([this, result])));
};

/** Converts a DOCX to HTML without its pictures. Returns also the names of elements that were ignored, up to 100. */
export async function convertDocx(docx: Buffer): Promise<{ html: string; ignored: string[] }> {
  const { value, messages } = await mammoth.convertToHtml(
    { buffer: docx },
    { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false },
  );
  return { html: value, ignored: messages.map(({ message }) => ignoredElement.exec(message)?.[1] ?? '') };
}
