import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../shared/domain/parse-json.ts';

/** Returns JSON of lists and objects in each other, with brackets and escapes in texts. */
const nest = (depth: number) => `${'[{"[\\\\\\"":'.repeat(depth / 2)}"}]"${'}]'.repeat(depth / 2)}`;

describe('JSON of others', () => {
  it('is parsed as JSON.parse does, whatever it is', () => {
    const json = fc.oneof(fc.json(), fc.string(), fc.stringMatching(/^[[\]{}",\\:1]*$/));
    const tryTo = (parse: (text: string) => unknown, text: string) => {
      try {
        return { value: parse(text) };
      } catch (error) {
        return (error as Error).name;
      }
    };
    fc.assert(
      fc.property(json, (text) => {
        expect(tryTo(parseJson, text)).toEqual(tryTo(JSON.parse, text));
      }),
    );
  });

  it('may be nested 100 levels deep, brackets in texts not counted', () => {
    expect(JSON.stringify(parseJson(nest(100)))).toBe(nest(100));
    expect(() => parseJson(nest(102))).toThrow(RangeError);
    expect(parseJson(`["${'['.repeat(1_000)}"]`)).toEqual(['['.repeat(1_000)]);
  });
});
