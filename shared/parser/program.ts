import { buffer } from 'node:stream/consumers';
import { indexDocument } from '../domain/index-document.ts';
import { toErrorLocation } from '../domain/ingestion-result.ts';
import { giveUpRights } from './give-up-rights.ts';
import { encodeResult } from './result-codec.ts';

/** Parses one document. Reads a line of JSON and the file from standard input; writes progress and the result to standard output. */
async function run(): Promise<void> {
  giveUpRights();
  const input = await buffer(process.stdin);
  const end = input.indexOf('\n');
  const hint = JSON.parse(input.toString('utf8', 0, end));
  const bytes = new Uint8Array(input.buffer, input.byteOffset + end + 1, input.length - end - 1); // pdf.js rejects a Buffer
  const result = await indexDocument(bytes, hint, () => process.stdout.write('\n')).catch((error) => ({
    failure: toErrorLocation(error),
  }));
  process.stdout.write(encodeResult(result));
}

await run(); // Node exits with code 13 if a promise of a library never settles
