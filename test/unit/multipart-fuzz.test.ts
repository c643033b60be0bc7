import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UploadedFile } from '../../shared/schemas/upload.ts';
import { buildDisposition, buildForm, buildPart, type Form, parseForm } from '../support/forms.ts';
import { getSampleSize } from '../support/sample.ts';

/** Unhandled errors, which would have ended the process. */
const crashes: unknown[] = [];
const recordCrash = (error: unknown) => crashes.push(error);
const events = ['uncaughtException', 'unhandledRejection'] as const;

beforeAll(() => {
  for (const event of events) process.on(event, recordCrash);
});
afterAll(() => {
  for (const event of events) process.off(event, recordCrash);
});

/** Parses a form, and waits for late errors of its streams. */
async function parseCompletely(body: Buffer, boundary = 'b'): Promise<Form> {
  const form = await parseForm(body, `multipart/form-data; boundary="${boundary}"`);
  await setImmediate();
  expect(crashes).toEqual([]);
  return form;
}

const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(fc.constantFrom('\r\n', '\r', '\n', '-', '--', 'b', ' ', '\0', 'x'), { maxLength: 40 })
    .map((pieces) => Buffer.from(pieces.join(''))),
  fc
    .tuple(fc.integer({ min: 60_000, max: 200_000 }), fc.uint8Array({ minLength: 1 }))
    .map(([size, fill]) => Buffer.alloc(size, fill)), // larger than a stream's buffer
);
const boundaryCharacters = [..."abcXYZ0189'()+_,-./:=?"];
const boundary = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...boundaryCharacters, ' '), maxLength: 69 }),
    fc.constantFrom(...boundaryCharacters),
  )
  .map((both) => both.join(''));
const word = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((name) => !/\p{Cc}|%(22|0[ad])/iu.test(name));
const fileName = word.filter((name) => !/[\\/]|^\.{1,2}$/.test(name));
const quote = (name: string) => name.replace(/["\\]/g, '\\$&');
const encode = (name: string) => encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);

/** Spellings of the `filename` parameter that clients use. */
const spelling = fc.constantFrom(
  (name: string) => `; filename="${quote(name)}"`,
  (name: string) => `;filename="${name.replace(/"/g, '%22').replace(/\\/g, '\\\\')}"`,
  (name: string) => `;\r\n\tFilename*=UTF-8''${encode(name)}`,
  (name: string) => `; filename="other"; filename*=utf-8'en'${encode(name)}; size=1`,
);

describe('any form', () => {
  const part = fc.record({ name: word.filter((name) => name !== 'file'), content });
  const form = fc.record({
    boundary,
    texts: fc.array(part, { maxLength: 10 }),
    file: fc.record({ name: fileName, spelling, content: content.filter(({ length }) => length > 0) }),
    at: fc.nat(10),
    padding: fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 3 }),
    preamble: fc.string({ maxLength: 30 }),
    epilogue: fc.string({ maxLength: 30 }),
  });

  test('is parsed exactly', async () => {
    await fc.assert(
      fc.asyncProperty(form, async ({ boundary, texts, file, at, padding, preamble, epilogue }) => {
        const parts = texts.map(({ name, content }) => buildPart(buildDisposition(quote(name)), content));
        parts.splice(at, 0, buildPart(buildDisposition('file', file.spelling(file.name)), file.content));
        // Clients choose a boundary that does not occur in the form.
        fc.pre(
          [preamble, ...texts.map((text) => text.content), file.content].every(
            (bytes) => !`\r\n${bytes}`.includes(`\r\n--${boundary}`),
          ),
        );
        const body = Buffer.concat([
          Buffer.from(`${preamble}\r\n`),
          buildForm(parts, boundary, padding),
          Buffer.from(epilogue),
        ]);

        const { body: found = {}, faults } = await parseCompletely(body, boundary);
        const { name, bytes } = found.file as UploadedFile;
        expect(name).toBe(file.name);
        expect(Buffer.compare(bytes, file.content)).toBe(0);
        const last = new Map(texts.map(({ name, content }) => [name, content.toString()]));
        expect(new Map(Object.entries(found).filter(([name]) => name !== 'file'))).toEqual(last);
        expect(faults.every(({ type }) => ['string_unicode', 'bytes_too_long'].includes(type))).toBe(true);
      }),
      { numRuns: getSampleSize(300) },
    );
  });
});

describe('a form with a binary file', () => {
  const bytes = Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 7) % 256));
  const whole = buildForm([
    buildPart(buildDisposition('name'), 'Menu'),
    buildPart(
      `${buildDisposition('file', '; filename="a.bin"')}\r\nContent-Type: application/pdf`,
      Buffer.concat([bytes, Buffer.from('\r\n--'), bytes]),
    ),
    buildPart(buildDisposition('name[x]'), '1'),
  ]);

  test('is rejected if it is cut at any byte', async () => {
    const end = whole.lastIndexOf('--') + 2;
    for (let cut = 0; cut <= whole.length; cut++) {
      const { faults, body } = await parseCompletely(whole.subarray(0, cut));
      expect([cut, faults.map(({ type }) => type)]).toEqual([cut, cut < end ? ['multipart_invalid'] : []]);
      expect(body === undefined).toBe(cut < end);
    }
  });

  test('never crashes the parser if it is damaged', async () => {
    const place = fc.nat(whole.length - 1);
    const piece = fc.constantFrom(
      '\r\n',
      '\r',
      '\n',
      '--b',
      '--b--',
      '\r\n--b',
      '\r\n\r\n',
      '"',
      ';',
      '=',
      ':',
      '\\',
      "*=x''",
      '[',
      '\0',
      '\xff',
      'file',
    );
    const damage = fc.record({ at: place, cut: fc.nat(30), piece: fc.oneof(piece, fc.constant('')) });
    const numRuns = getSampleSize(2_000);
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 6 }), async (damages) => {
        let body = whole.toString('latin1');
        for (const { at, cut, piece } of damages) body = body.slice(0, at) + piece + body.slice(at + cut);
        const form = await parseCompletely(Buffer.from(body, 'latin1'));
        if (form.body === undefined) refused += 1;
        expect(form.body === undefined).toBe(form.faults.some(({ type }) => type === 'multipart_invalid'));
      }),
      { numRuns },
    );
    expect(refused).toBeGreaterThan(numRuns / 10);
  });

  test('never crashes the parser if it is random', async () => {
    const piece = fc.constantFrom(
      '--b',
      '--b--',
      '\r\n',
      '\r\n\r\n',
      buildDisposition('file', '; filename=a'),
      buildDisposition('a'),
      buildDisposition('a[b]'),
      'Content-Disposition: form-data',
      ': ',
      'x',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        await parseCompletely(Buffer.from(pieces.join('')));
      }),
      { numRuns: getSampleSize(2_000) },
    );
  });
});
