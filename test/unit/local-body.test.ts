import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BodyTooLarge, readBody } from '../../infra/local/body.ts';

async function* send(pieces: Iterable<Uint8Array>) {
  for (const piece of pieces) yield Buffer.from(piece);
}

test('a body is read whole, in whatever pieces it comes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 50 })), async (pieces) => {
      const whole = Buffer.concat(pieces);
      expect(await readBody(send(pieces), whole.length)).toEqual(whole);
      if (whole.length > 0) await expect(readBody(send(pieces), whole.length - 1)).rejects.toThrow(BodyTooLarge);
    }),
  );
});

test('the pieces of a body are copied, not kept: one of a byte takes hundreds', async () => {
  async function* reuse() {
    const piece = Buffer.alloc(1);
    for (const letter of 'body') {
      piece.write(letter);
      yield piece;
    }
  }
  expect((await readBody(reuse(), 10)).toString()).toBe('body');
});
