import * as v from 'valibot';
import type { ErrorPlace, ReadResult } from '../domain/read-result.ts';

/** Failure of the parser itself, which says nothing about the document. */
export interface ParserFailure {
  failure: ErrorPlace;
}

const Text = v.pipe(v.string(), v.maxLength(500));
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Place = v.object({ name: Text, where: v.pipe(v.array(Text), v.maxLength(3)) });
const Facts = v.strictObject({ content_type: Text, char_count: Count, chunk_count: Count });
const NotReadable = v.strictObject({
  content_type: v.optional(Text),
  reason: v.strictObject({ type: Text, msg: Text }),
  cause: v.optional(Place),
});
const Failure = v.strictObject({ failure: Place });
const Head = v.union([Facts, NotReadable, Failure]);

/** The answer of a parser as bytes: a line of JSON, then the search index. */
export function encodeAnswer(answer: ReadResult | ParserFailure): Buffer {
  const { index, ...head } = 'index' in answer ? answer : { index: new Uint8Array(), ...answer };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), index]);
}

/**
 * Decodes the output of a parser: its answer, after a newline for each step of progress. Throws where it is none, as a parser
 * that a document has taken over may write anything.
 */
export function decodeAnswer(output: Buffer): ReadResult | ParserFailure {
  const start = output.indexOf('{');
  const end = output.indexOf('\n', start);
  const head = v.parse(Head, JSON.parse(output.toString('utf8', start, end)));
  return 'chunk_count' in head ? { ...head, index: output.subarray(end + 1) } : head;
}
