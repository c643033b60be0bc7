import { describe, expect, it } from 'vitest';
import { faultsIn, Problem, sentenceOf, sortFaults } from '../../../console/src/api/problem.ts';
import { told } from '../../../console/src/ui/told.ts';

const fault = (...loc: string[]) => ({ loc, msg: `wrong ${loc.at(-1)}`, type: 'missing' });

describe('the faults of an answer', () => {
  it('are read from the shape of the service', () => {
    expect(faultsIn({ detail: [fault('body', 'name')] })).toEqual([fault('body', 'name')]);
  });

  it.each([undefined, null, 'Bad Gateway', {}, { detail: 'no' }, { detail: [null, { loc: 'x' }] }])(
    'are none in %j',
    (body) => expect(faultsIn(body)).toEqual([]),
  );
});

describe('a problem', () => {
  it('carries the request id, and the seconds to wait', () => {
    const headers = new Headers({ 'x-request-id': 'r1', 'retry-after': '7' });
    expect(new Problem(429, [], headers)).toMatchObject({ status: 429, requestId: 'r1', retryAfter: 7 });
  });

  it('waits for no date and no nonsense', () => {
    const headers = new Headers({ 'retry-after': 'Sat, 21 Nov 2026 07:00:00 GMT' });
    expect(new Problem(503, [], headers).retryAfter).toBeUndefined();
  });
});

it('is told with the seconds to wait, where the service names them', () => {
  expect(told(new Problem(429, [], new Headers({ 'retry-after': '30' }))).advice).toBe(
    'Wait 30 seconds, then try again.',
  );
  expect(told(new Problem(429, [])).advice).toBe('Wait a few seconds, then try again.');
});

describe('sorting faults', () => {
  const shown = ['name', 'voice.language', 'transport.sip_config'];

  it('brings each to its field', () => {
    const { fields, rest } = sortFaults([fault('body', 'name'), fault('body', 'voice', 'language')], shown);
    expect(fields).toEqual({ name: 'wrong name', 'voice.language': 'wrong language' });
    expect(rest).toEqual([]);
  });

  it('brings what is inside of a field to that field, and only that', () => {
    const inside = fault('body', 'transport', 'sip_config', 'a', '0');
    expect(sortFaults([inside], shown).fields).toEqual({ 'transport.sip_config': 'wrong 0' });
    expect(sortFaults([fault('body', 'names')], shown).rest).toEqual([fault('body', 'names')]);
  });

  it('keeps several of one field', () => {
    expect(sortFaults([fault('body', 'name'), fault('body', 'name')], shown).fields).toEqual({
      name: 'wrong name. wrong name',
    });
  });

  it('leaves the rest: other places, other fields, the body as a whole', () => {
    const rest = [fault('header', 'if-match'), fault('body', 'llm', 'model'), fault('body')];
    expect(sortFaults(rest, shown)).toEqual({ fields: {}, rest });
  });
});

it('tells a fault with its place', () => {
  expect(sentenceOf(fault('body', 'llm', 'model'))).toBe('llm › model: wrong model');
  expect(sentenceOf(fault('body'))).toBe('wrong body');
});
