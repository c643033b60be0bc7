import { describe, expect, test } from 'vitest';
import { ApiError, parseFaults } from '../../../clients/typescript/src/api-error.ts';
import { formatFault, sortFaults } from '../../../console/src/api/api-error.ts';
import { describeError } from '../../../console/src/ui/feedback/describe-error.ts';

const fault = (...loc: string[]) => ({ loc, msg: `wrong ${loc.at(-1)}`, type: 'missing' });

describe('the faults of a response', () => {
  test("are parsed from the API's format", () => {
    expect(parseFaults({ detail: [fault('body', 'name')] })).toEqual([fault('body', 'name')]);
  });

  test.each([undefined, null, 'Bad Gateway', {}, { detail: 'no' }, { detail: [null, { loc: 'x' }] }])(
    'are empty for %j',
    (body) => expect(parseFaults(body)).toEqual([]),
  );
});

describe('an API error', () => {
  test('has the request id and the seconds to wait', () => {
    const headers = new Headers({ 'x-request-id': 'r1', 'retry-after': '7' });
    expect(new ApiError(429, [], headers)).toMatchObject({ status: 429, requestId: 'r1', retryAfter: 7 });
  });

  test('ignores a Retry-After that is neither a number nor a date', () => {
    const headers = new Headers({ 'retry-after': 'soon' });
    expect(new ApiError(503, [], headers).retryAfter).toBeUndefined();
  });
});

test('names the seconds to wait if the API does', () => {
  expect(describeError(new ApiError(429, [], new Headers({ 'retry-after': '30' }))).advice).toBe(
    'Wait 30 seconds, then try again.',
  );
  expect(describeError(new ApiError(429, [])).advice).toBe('Wait a few seconds, then try again.');
  const msg = "Your tier's limit of completions is 10 a day, and 10 are used: try again after 2026-11-22T00:00:00.000Z";
  const fault = { loc: ['service', 'completions'], msg, type: 'quota_exceeded' };
  expect(describeError(new ApiError(429, [fault], new Headers({ 'retry-after': '9000' })))).toMatchObject({
    title: 'Too many requests',
    advice: '',
    details: [`completions: ${msg}`],
  });
});

describe('splitting faults', () => {
  const shown = ['name', 'voice.language', 'transport.sip_config'];

  test('assigns each fault to its field', () => {
    const { fields, rest } = sortFaults([fault('body', 'name'), fault('body', 'voice', 'language')], shown);
    expect(fields).toEqual({ name: 'wrong name', 'voice.language': 'wrong language' });
    expect(rest).toEqual([]);
  });

  test('assigns a fault inside a field to that field only', () => {
    const inside = fault('body', 'transport', 'sip_config', 'a', '0');
    expect(sortFaults([inside], shown).fields).toEqual({ 'transport.sip_config': 'wrong 0' });
    expect(sortFaults([fault('body', 'names')], shown).rest).toEqual([fault('body', 'names')]);
  });

  test('joins several faults of one field', () => {
    expect(sortFaults([fault('body', 'name'), fault('body', 'name')], shown).fields).toEqual({
      name: 'wrong name. wrong name',
    });
  });

  test('keeps the rest: other locations, other fields, the whole body', () => {
    const rest = [fault('header', 'if-match'), fault('body', 'llm', 'model'), fault('body')];
    expect(sortFaults(rest, shown)).toEqual({ fields: {}, rest });
  });
});

test('prefixes a fault with its location', () => {
  expect(formatFault(fault('body', 'llm', 'model'))).toBe('llm › model: wrong model');
  expect(formatFault(fault('body'))).toBe('wrong body');
});
