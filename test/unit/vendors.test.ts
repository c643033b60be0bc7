import { describe, expect, test } from 'vitest';
import { findVendor } from '../../shared/domain/chat/vendors.ts';
import { stripSlashes } from '../../shared/domain/strip-slashes.ts';
import { VendorRefused } from '../../shared/errors.ts';

const find = (base_url: unknown) => findVendor({ llm_provider: 'somebody', model: 'any', base_url });

/** Returns the CPU time of a function in milliseconds. */
function measure(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('the address of a vendor', () => {
  test.each(['https://a.example/v1', 'https://a.example/v1/', ' https://a.example/v1// '])(
    'has one slash before the path of chat completions: %s',
    (base_url) => {
      expect(find(base_url)?.url).toBe('https://a.example/v1/chat/completions');
    },
  );

  test('has a base of at most 2,048 characters', () => {
    const origin = 'https://a.example/';
    expect(find(origin.padEnd(2_048, 'x'))?.url).toHaveLength(2_048 + '/chat/completions'.length);
    const tooLong = () => find(origin.padEnd(2_049, 'x'));
    expect(tooLong).toThrow(VendorRefused);
    expect(tooLong).toThrow(
      expect.objectContaining({
        detail: [
          expect.objectContaining({ type: 'too_long', msg: 'llm.base_url should have at most 2,048 characters' }),
        ],
      }),
    );
  });
});

describe('slashes', () => {
  test('are removed at the end alone', () => {
    for (const [text, stripped] of [
      ['', ''],
      ['//', ''],
      ['//a//b', '//a//b'],
      ['/a/b///', '/a/b'],
    ] as const)
      expect(stripSlashes(text), text).toBe(stripped);
  });

  test('in the middle of a long text take no time, few or many', () => {
    const text = `${'/'.repeat(150_000)}x`;
    expect(measure(() => expect(stripSlashes(text)).toBe(text))).toBeLessThan(1_000);
  });
});
