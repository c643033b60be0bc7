import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countUnsafe, hideEscapedSecrets, hideSecrets, hideSecretsInCut } from '../../shared/domain/hide-secrets.ts';
import { cpuTimeSince } from '../support/cpu-time.ts';

it.each([
  ['a key-1234 and key-1234', ['key-1234'], 'a **** and ****'],
  ['Bearer key-1234, key-1234', ['key-1234', 'Bearer key-1234'], '****, ****'],
  ['cut: Bearer key-1234:pass', ['key-1234', 'Bearer key-1234:password'], 'cut: Bearer ****:pass'],
  ['x key-1-key-1-key-1 end', ['key-1-key-1'], 'x **** end'],
  ['key-1-key-1-key', ['key-1-key-1'], '****-key'],
  ['{"a":"x\\"y\\\\z"}', ['x"y\\z'], '{"a":"****"}'],
  ['x"y\\z', ['x"y\\z'], '****'],
  ['it ends with key-123', ['key-1234'], 'it ends with key-123'], // or who guesses a secret learns each character
  ['got key-1234, key-1234', ['key-1234 \t'], 'got ****, ****'],
  ['yes and abc', ['yes', 'abc', ''], 'yes and abc'],
  ['$& $1', ['$& $1'], '****'],
  ['', ['key-1234'], ''],
])('hides whole secrets of four characters or more: %s', (text, secrets, hidden) => {
  expect(hideSecrets(text, secrets)).toBe(hidden);
});

it('counts the characters that may be the beginning of a secret, however JSON escapes it', () => {
  expect([countUnsafe([]), countUnsafe(['key-1234', 'Bearer key-1234'])]).toEqual([0, 240]);
});

it('shows no beginning of a secret at the end of a text that was cut, however often it is repeated before', () => {
  const key = 'key-'.padEnd(400, '0123456789');
  const before = 'x'.repeat(9_000);
  for (let length = 0; length < 9_000; length += 7) {
    const shown = hideSecretsInCut(before + `${key}\n`.repeat(30).slice(0, length), [key]);
    expect(shown).not.toContain('key-');
    expect(shown).toMatch(/^x{2600,9000}(\*{4}\n)*\*{0,4}$/);
  }
});

it('shows no beginning of a secret at the end of a text that was cut, whichever JSON within JSON has it', () => {
  const key = 'key-"="';
  const byCode = '{"got":"\\u006b\\u0065\\u0079\\u002d\\u0022\\u003d\\u0022"}';
  for (let texts = [JSON.stringify({ got: key }), byCode], level = 1; level <= 4; level++) {
    for (const text of texts) {
      for (let length = 0; length <= text.length; length++)
        expect(hideSecretsInCut(`${'x'.repeat(120)}${text.slice(0, length)}`, [key])).not.toMatch(/k|006b/);
    }
    texts = texts.map((text) => JSON.stringify(text));
  }
});

it('leaves no secret, wherever the text is cut', () => {
  const secret = fc.string({ minLength: 8, maxLength: 12, unit: fc.constantFrom('a', 'b', '"', '\\') });
  fc.assert(
    fc.property(secret, fc.nat(60), (key, length) => {
      const text = JSON.stringify({ key, plain: ` ${key}` }).slice(0, length);
      expect(hideSecrets(text, [key])).not.toContain(key);
    }),
  );
});

it.each([
  ['{"got":"k3y\\/Zm9v+Q=="}', '{"got":"****"}'],
  ['{"got":"k3y\\u002FZm9v+Q\\u003d\\u003d","more":1}', '{"got":"****","more":1}'],
  ['{"got":"k3y/Zm9v+Q=="}', '{"got":"****"}'],
  ['{"path":"a\\/b \\u0041"}', '{"path":"a\\/b \\u0041"}'],
  ['{"raw":"{\\"got\\":\\"k3y\\\\/Zm9v+Q==\\"}"}', '{"raw":"{"got":"****"}"}'],
])('hides a secret whose characters JSON escapes: %s', (text, hidden) => {
  expect(hideEscapedSecrets(text, ['k3y/Zm9v+Q=='])).toBe(hidden);
});

it('leaves no secret, whichever characters JSON escapes', () => {
  const secret = fc.string({ minLength: 4, maxLength: 12, unit: fc.constantFrom('a', '/', '"', '\\', '=') });
  fc.assert(
    fc.property(secret, fc.array(fc.boolean()), (key, escaped) => {
      const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
      const spelled = [...key]
        .map((one, i) => (escaped[i] ? toEscape(one) : JSON.stringify(one).slice(1, -1)))
        .join('');
      const hidden = hideEscapedSecrets(`{"got":"${spelled}"}`, [key]);
      expect(hidden).toContain('****');
      expect(hidden).not.toContain(key);
    }),
  );
});

it('hides each occurrence, those that overlap together', () => {
  const letters = (maxLength: number) => fc.string({ minLength: 4, maxLength, unit: fc.constantFrom('a', 'b') });
  fc.assert(
    fc.property(letters(60), letters(9), (text, secret) => {
      const isHidden = [...text].map((_, i) => [...secret].some((_, k) => i >= k && text.startsWith(secret, i - k)));
      const parts = [...text].map((letter, i) => (isHidden[i] ? '*' : letter)).join('');
      expect(hideSecrets(`${text} `, [secret]).replaceAll(/\*+/g, '*')).toBe(`${parts} `.replaceAll(/\*+/g, '*'));
    }),
  );
});

it('hides a secret that fills a text as one part', () => {
  const before = process.memoryUsage.rss();
  expect(hideSecrets('a'.repeat(3_000_000), ['aaaa'])).toBe('****');
  expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000); // 400 MB as a part for each letter
});

it('takes little time, whatever the secret', () => {
  const text = `${'a'.repeat(65_535)}c`;
  const secret = `${'a'.repeat(2_000)}b${'a'.repeat(2_095)}`;
  const before = process.cpuUsage();
  for (let i = 0; i < 20; i++) expect(hideSecrets(text, [secret])).toBe(text);
  expect(cpuTimeSince(before)).toBeLessThan(1_500); // by replaceAll, 5,000
});
