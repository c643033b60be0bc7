import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { run, UserError } from '../../infra/terminal/user-error.ts';

afterEach(() => vi.restoreAllMocks());

/** Runs a command that throws. Returns what it prints. */
async function print(thrown: unknown): Promise<string> {
  const ended = new EventTarget();
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => ended.dispatchEvent(new Event('end'))) as never);
  run(() => Promise.reject(thrown));
  await once(ended, 'end');
  expect(exit).toHaveBeenCalledWith(1);
  return String(printed.mock.lastCall?.[0]);
}

test('a command prints what a user can fix as its message, and anything else with its cause', async () => {
  expect(await print(new UserError('Choose another port'))).toBe('Choose another port');
  const printed = await print(new Error('No answer', { cause: new Error('ECONNREFUSED') }));
  expect(printed).toMatch(/Error: No answer\n {4}at .*ECONNREFUSED/s);
  expect(await print(undefined)).toBe('undefined');
});

test('a command prints no control characters of an error', async () => {
  expect(await print(new UserError('a\u001b]0;b\u0007'))).toBe('a\\u{1b}]0;b\\u{7}');
  expect(await print(new SyntaxError('\u001b is no JSON'))).not.toContain('\u001b');
});
