import * as v from 'valibot';
import { type ErrorLocation, failureReasons, type IngestionResult } from '../domain/ingestion-result.ts';
import { limits } from '../reading/limits.ts';
import { mediaTypes } from '../reading/media-types.ts';
import { reasons } from '../reading/unreadable.ts';
import { warningTypes } from '../reading/warnings.ts';

/** Failure of the parser process itself, not of the document. */
export interface ParserFailure {
  failure: ErrorLocation;
}

/** Limit of a result without its index, in bytes. Twenty warnings of the longest texts have fewer. */
const maxHeadBytes = 100_000;

/** Text of a bounded length. The table refuses strings that are not well-formed. */
const Text = v.pipe(
  v.string(),
  v.maxLength(500),
  v.check((text) => text.isWellFormed()),
);
/** Number of characters or passages. Separators are added to the text that a file may have. */
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(10 * limits.textBytes));
const MediaType = v.picklist(Object.values(mediaTypes));
const ReasonType = v.picklist([...Object.keys(reasons), ...Object.keys(failureReasons), 'unsupported']);
const Place = v.object({ name: Text, where: v.pipe(v.array(Text), v.maxLength(3)) });
const Warnings = v.pipe(v.array(v.strictObject({ type: v.picklist(warningTypes), msg: Text })), v.maxLength(20));
const Facts = v.strictObject({ content_type: MediaType, char_count: Count, chunk_count: Count, warnings: Warnings });
const NotReadable = v.strictObject({
  content_type: v.optional(MediaType),
  reason: v.strictObject({ type: ReasonType, msg: Text }),
  cause: v.optional(Place),
});
const Failure = v.strictObject({ failure: Place });
const Head = v.union([Facts, NotReadable, Failure]);

/** Encodes a result as a line of JSON followed by the search index. */
export function encodeResult(result: IngestionResult | ParserFailure): Buffer {
  const { index, ...head } = 'index' in result ? result : { index: new Uint8Array(), ...result };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), index]);
}

/**
 * Decodes the output of a parser: one newline per step of progress, then the result. Throws on any other output, because a parser
 * that a malicious document controls could write anything.
 */
export function decodeResult(output: Buffer): IngestionResult | ParserFailure {
  const start = output.indexOf('{');
  const end = output.indexOf('\n', start);
  if (end - start > maxHeadBytes) throw new Error('The parser returned more than a result');
  const head = v.parse(Head, JSON.parse(output.toString('utf8', start, end)));
  return 'chunk_count' in head ? { ...head, index: output.subarray(end + 1) } : head;
}
