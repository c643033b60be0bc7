import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Field, isEmpty, type Warning } from '../../../clients/cli/import/source.ts';
import { getSampleSize } from '../../support/sample.ts';

type Reading = 'get' | 'items' | 'entries' | 'text' | 'number' | 'boolean' | 'json' | 'lose';
const readings: Reading[] = ['get', 'items', 'entries', 'text', 'number', 'boolean', 'json', 'lose'];

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns the paths of all values in a document that are neither objects nor lists nor empty. */
const listLeaves = (field: Field): string[] => {
  if (!isContainer(field.value)) return isEmpty(field.value) ? [] : [field.path];
  const keys = Array.isArray(field.value) ? [...field.value.keys()].map(String) : Object.keys(field.value);
  return keys.flatMap((key) => listLeaves(field.get(key)));
};

/** Returns the paths of leaves as a separate reader writes them, so that it opens nothing in the reader under test. */
function listLeafPaths(document: unknown): string[] {
  const openAll = (field: Field): string[] => {
    if (Array.isArray(field.value)) return field.items().flatMap(openAll);
    if (!isContainer(field.value)) return isEmpty(field.value) ? [] : [field.path];
    return Object.keys(field.value).flatMap((key) => openAll(field.get(key)));
  };
  return openAll(Field.open(document, []));
}

const isInside = (path: string, parent: string) =>
  path === parent || (path.startsWith(parent) && (parent === '' || /^[.[]/.test(path.slice(parent.length))));

describe('a field', () => {
  test('is read or named in a warning, whatever is read of a document and in which order', () => {
    const step = fc.record({ keys: fc.array(fc.nat(5), { maxLength: 4 }), reading: fc.constantFrom(...readings) });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.array(step, { maxLength: 12 }), (document, steps) => {
        const warnings: Warning[] = [];
        const root = Field.open(document, warnings);
        const read: string[] = [];
        for (const { keys, reading } of steps) {
          let field = root;
          for (const key of keys) {
            if (Array.isArray(field.value)) field = field.items()[key % field.value.length] ?? field;
            else if (isContainer(field.value))
              field = field.get(Object.keys(field.value)[key % Object.keys(field.value).length] ?? 'absent');
          }
          const result = reading === 'get' ? field.get('absent').text() : field[reading]('test' as never);
          const isLeafRead = ['text', 'number', 'boolean', 'json'].includes(reading) && result !== undefined;
          if (isLeafRead) read.push(field.path);
        }
        root.listUnread();
        const named = warnings.map(({ path }) => path);
        for (const leaf of listLeafPaths(document))
          expect(
            [...read, ...named].some((path) => isInside(leaf, path)),
            leaf,
          ).toBe(true);
        const isReadOneWay = new Set(steps.map(({ reading }) => reading)).size === 1;
        if (isReadOneWay) expect(read.filter((path) => named.includes(path))).toEqual([]);
        expect(new Set(warnings.map(({ path, kind, reason }) => `${kind} ${path} ${reason}`)).size).toBe(
          warnings.length,
        );
      }),
      { numRuns: getSampleSize(2_000) },
    );
  });

  test('of another type is no error, and is named with the type that it should have', () => {
    const warnings: Warning[] = [];
    const root = Field.open({ a: 1, b: 'x', c: [1], d: { e: true }, f: 'long' }, warnings);
    expect(root.get('a').text()).toBeUndefined();
    expect(root.get('b').items()).toEqual([]);
    expect(root.get('c').entries()).toEqual([]);
    expect(root.get('d', 'e').number()).toBeUndefined();
    expect(root.get('f', 'g', 'h').text()).toBeUndefined();
    root.listUnread();
    expect(warnings.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      'a: It should be text, and is number',
      'b: It should be a list, and is string',
      'c: It should be an object, and is a list',
      'd.e: It should be a number, and is boolean',
      'f: It should be an object, and is string',
    ]);
  });

  test('that is null or empty is not named, because it holds nothing', () => {
    const warnings: Warning[] = [];
    Field.open({ a: null, b: '', c: [], d: {}, e: 0, f: false }, warnings).get('x').listUnread();
    expect(warnings).toEqual([]);
    const root = Field.open({ a: null, b: '', c: [], d: {}, e: 0, f: false }, warnings);
    root.get('a');
    root.listUnread();
    expect(warnings.map(({ path }) => path)).toEqual(['e', 'f']);
  });

  test('that was changed hides nothing that it holds', () => {
    const warnings: Warning[] = [];
    const root = Field.open({ a: { b: 1, c: 2 }, d: [{ e: 3 }], f: 'x' }, warnings);
    root.get('a').change('Renamed');
    root.get('a', 'b').number();
    for (const one of root.get('d').items()) one.change('Renamed');
    root.get('f').change('Renamed');
    root.listUnread();
    expect(warnings.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'changed a',
      'changed d[0]',
      'changed f',
      'lost a.c',
      'lost d[0]',
    ]);
  });

  test('with a name that objects treat specially is named and never taken over', () => {
    const warnings: Warning[] = [];
    const root = Field.open(JSON.parse('{"a": {"__proto__": 1, "b": 2}, "c": {"d": {"constructor": {}}}}'), warnings);
    expect(
      root
        .get('a')
        .entries()
        .map(([name]) => name),
    ).toEqual(['b']);
    root.get('a', 'b').number();
    expect(root.get('c').json()).toBeUndefined();
    root.listUnread();
    expect(warnings.map(({ path }) => path)).toEqual(['a.__proto__', 'c']);
    expect(({} as Record<string, unknown>).b).toBeUndefined();
  });

  test('nested a million deep is named without an error', () => {
    const deep = JSON.parse(
      `{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}, "b": ${'{"x":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
    );
    const warnings: Warning[] = [];
    const root = Field.open(deep, warnings);
    expect(root.get('b').json()).toBeUndefined();
    root.listUnread();
    expect(warnings.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      'b: It is nested too deep',
      'a: Assistants have nothing like it',
    ]);
  });

  test('with a long or odd name gets a short path', () => {
    const warnings: Warning[] = [];
    const root = Field.open({ [`${'x'.repeat(5_000)}\n`]: 1, 'a b': { 'c.d': 2 } }, warnings);
    expect(listLeaves(root.get('a b'))).toEqual(['["a b"]["c.d"]']);
    root.listUnread();
    expect(warnings[0]?.path).toBe(`["${'x'.repeat(100)}…"]`);
  });
});
