import { expect, test } from 'vitest';
import { toErrorLocation } from '../../shared/domain/ingestion-result.ts';

const catchError = (run: () => unknown): Error => {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('Nothing was thrown');
};

test('the location of an error has lines of its stack, but no line of a document that its message quotes', () => {
  const error = catchError(() => JSON.parse('{"a":\n    at SECRET\n    at SECRET'));
  expect(error.message).toContain('\n    at SECRET');
  const { name, where } = toErrorLocation(error);
  expect(name).toBe('SyntaxError');
  expect(where[0]).toMatch(/^JSON\.parse/);
  expect(where.join()).not.toContain('SECRET');
});

test('the location of an error whose message was changed has no lines, since they may quote a document', () => {
  const stack = 'SyntaxError: Unexpected token in "\n    at SECRET"\n    at JSON.parse (<anonymous>)';
  expect(toErrorLocation(Object.assign(new SyntaxError('Changed'), { stack })).where).toEqual([]);
});
