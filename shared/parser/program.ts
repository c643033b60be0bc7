import { buffer } from 'node:stream/consumers';
import { toErrorPlace } from '../domain/read-result.ts';
import { readDocument } from '../domain/reading.ts';
import { encodeAnswer } from './answer.ts';

/** Program that reads one document: a line of JSON and the file on standard input, progress and answer on standard output. */
async function run(): Promise<void> {
  const input = await buffer(process.stdin);
  const end = input.indexOf('\n');
  const hint = JSON.parse(input.toString('utf8', 0, end));
  const bytes = new Uint8Array(input.buffer, input.byteOffset + end + 1, input.length - end - 1); // pdf.js takes no Buffer
  const answer = await readDocument(bytes, hint, () => process.stdout.write('\n')).catch((error) => ({
    failure: toErrorPlace(error),
  }));
  process.stdout.write(encodeAnswer(answer));
}

run();
