import { describe, expect, test } from 'vitest';
import { addUsage, readStep, StepBuilder } from '../../shared/domain/chat/completion.ts';

type Delta = Record<string, unknown>;

/** Puts a streamed answer together. */
function build(...deltas: Delta[]) {
  const builder = new StepBuilder();
  for (const delta of deltas) builder.add({ choices: [{ delta }] });
  return builder.build();
}

/** Builds names that all differ. */
const buildFields = (count: number, prefix = 'f') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, 'x']));

const call = { id: 'a', type: 'function' as const, function: { name: 'find', arguments: '{}' } };

describe('an answer', () => {
  test('asks for at most 128 calls, streamed or not', () => {
    const calls = Array.from({ length: 129 }, (_, index) => ({ ...call, index, id: `c${index}` }));
    const whole = readStep({ choices: [{ message: { tool_calls: calls } }] });
    const streamed = build(...calls.map((one) => ({ tool_calls: [one] })));
    for (const step of [whole, streamed]) {
      expect(step?.calls).toHaveLength(128);
      expect(step?.calls.at(-1)?.id).toBe('c127');
    }
  });

  test.each([['a'.repeat(1_000)], [['a', 'b']], [7], [null]])('has no delta that is no object: %j', (delta) => {
    const builder = new StepBuilder();
    builder.add({ choices: [{ delta: delta as unknown as Delta }] });
    expect(Object.keys(builder.build().message)).toEqual(['role', 'content']);
  });

  test('keeps a million characters of the further fields of calls that are streamed', () => {
    const pieces = ['a', 'b', 'c'].map((field) => ({
      tool_calls: [{ ...call, index: 0, [field]: Array(200_000).fill(0) }],
    }));
    expect(Object.keys(build(...pieces).calls[0] ?? {})).toEqual(['a', 'b', 'id', 'type', 'function']);
  });

  test('is copied only as far as its first 128 calls', () => {
    const read = new Set<number>();
    const calls = Array.from({ length: 1_000 }, (_, i) => {
      const asked = { name: 'find', arguments: '{}' };
      const get = () => {
        read.add(i);
        return '{}';
      };
      Object.defineProperty(asked, 'arguments', { enumerable: true, get });
      return { ...call, function: asked };
    });
    readStep({ choices: [{ message: { tool_calls: calls } }] });
    expect(read.size).toBe(128);
  });
});

describe('the usage of several steps', () => {
  test('is the sum of their numbers, also of those in groups', () => {
    const first = { total_tokens: 3, prompt_tokens_details: { cached_tokens: 1, kind: 'x' }, model: 'm' };
    const second = { total_tokens: 4, cost: 0.5, prompt_tokens_details: { cached_tokens: 2, deeper: { n: 1 } } };
    const sum = { total_tokens: 7, cost: 0.5, prompt_tokens_details: { cached_tokens: 3 } };
    expect(addUsage(addUsage({}, first), second)).toEqual(sum);
  });

  test('has at most 20 names, and 20 in each group, however many a vendor sends', () => {
    const numbers = (step: number) => Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${step} ${i}`, 1]));
    const groups = (step: number) => Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`g${i}`, numbers(step)]));
    const sum = [1, 2, 3].reduce((before, step) => addUsage(before, groups(step)), {});
    expect(Object.keys(sum)).toHaveLength(20);
    for (const group of Object.values(sum)) expect(Object.keys(group as object)).toHaveLength(20);
    expect(Object.keys([1, 2, 3].reduce((before, step) => addUsage(before, numbers(step)), {}))).toHaveLength(20);
  });
});

describe('a streamed answer', () => {
  test('has the calls that its pieces make up, with their other fields', () => {
    const first = { index: 0, id: 'a', type: 'function', signature: 's', function: { name: 'fi', arguments: '{' } };
    const second = { index: 0, signature: 't', function: { name: 'nd', arguments: '}' } };
    expect(build({ tool_calls: [first] }, { tool_calls: [second] }).calls).toEqual([{ ...call, signature: 't' }]);
  });

  test('keeps 20 other fields of a call', () => {
    const pieces = Array.from({ length: 30 }, (_, i) => ({ index: 0, id: 'a', [`f${i}`]: i }));
    const [built] = build({ tool_calls: pieces }).calls;
    expect(Object.keys(built ?? {}).filter((name) => name.startsWith('f') && name !== 'function')).toHaveLength(20);
    expect(built).toMatchObject({ id: 'a', f0: 0, f19: 19 });
  });

  test('keeps 20 other texts, and adds to them to the end', () => {
    const { message } = build(buildFields(20), buildFields(30), { content: 'Hi' });
    expect(message).toEqual({
      ...Object.fromEntries(Object.keys(buildFields(20)).map((name) => [name, 'xx'])),
      role: 'assistant',
      content: 'Hi',
    });
  });

  test('takes a field of any name', () => {
    const named = JSON.parse('{"index":0,"id":"a","__proto__":{"id":"b"},"constructor":1}');
    const [built] = build({ tool_calls: [named] }).calls;
    expect(built).toBeInstanceOf(Object);
    expect(Object.getPrototypeOf(built)).toBe(Object.prototype);
    expect(JSON.parse(JSON.stringify(built))).toMatchObject({ id: 'a', constructor: 1 });
  });
});
