import { expect, test } from 'vitest';
import { hideKeys, isKeyLike } from '../../../clients/cli/import/secrets.ts';
import { cpuTimeSince } from '../../support/cpu-time.ts';

test.each([
  'Use sk-proj-0123456789abcdefABCDEF to sign in.',
  'Bearer abcdefghijklmnop1234',
  'Basic dXNlcjpwYXNzd29yZA==',
  `eyJ${'a1'.repeat(600)}.eyJzdWIiOiJ9.0123456789`,
  'token-eyJhbGciOiJ9.eyJzdWIiOiJ9.0123456789',
  '{{ token | fallback: sk_live_0123456789abcdef }}',
  '{{ "sk_live_0123456789abcdef" }}',
])('hides the key in "%s"', (text) => {
  expect(hideKeys(text)).toContain('****');
  expect(hideKeys(text)).not.toMatch(/0123456789|mnop1234|dXNlcjp/);
});

test.each([
  'Basic responsibilities: answer the phone.',
  'Bearer responsibilities-and-duties',
  'The sk_customer_reference_number is in the letter.',
  'Hello {{pk_customer_reference_id}}',
  'Hello {{ pk_customer_reference_2024 }}',
  'Hello {{pk_customer_reference_2024 | default: "you"}}',
  'Hello {{- rk_customer_reference_2024 -}}',
])('keeps the ordinary text "%s"', (text) => {
  expect(hideKeys(text)).toBe(text);
});

test('takes no time that a hostile text chooses', () => {
  const before = process.cpuUsage();
  for (const part of ['sk-', 'Basic ', '{{', '{{a', '{{ ', '-eyJaaaaaaaa', 'eyJaaaaaaaa.'])
    hideKeys(part.repeat(100_000));
  expect(cpuTimeSince(before)).toBeLessThan(10_000); // about a second
});

test('knows a key in a header by its scheme', () => {
  expect(isKeyLike('Token short')).toBe(true);
  expect(isKeyLike('{{ pk_customer_reference_2024 }}')).toBe(false);
});
