import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ImportError } from '../../../clients/cli/import/import-document.ts';
import {
  checkAccepted,
  documents,
  formatPath,
  importers,
  isNamed,
  type Json,
  listLeaves,
  listWarnings,
  type Path,
  replaceValue,
} from '../../support/import-documents.ts';
import { drawSample, getSampleSize } from '../../support/sample.ts';

test('ten documents of each platform are there', () => {
  for (const platform of Object.keys(importers))
    expect(documents.filter((one) => one.platform === platform).length).toBeGreaterThanOrEqual(10);
});

describe.each(documents)('$name', ({ name, read, document }) => {
  const draw = <T>(all: T[], count: number) => drawSample(all, count, (one) => [name, one]);
  const leaves = listLeaves(document);

  /** Imports a document and returns if a value reached an assistant, or a warning or refusal explains why not. */
  async function explains(changed: Json, path: Path, marker: string): Promise<boolean> {
    const result = await read(changed);
    const isRefused = result.assistants.some(({ refusal }) => refusal !== undefined);
    const isKept = JSON.stringify(result.assistants.map(({ assistant }) => assistant)).includes(marker);
    return isKept || isRefused || isNamed(path, listWarnings(result));
  }

  test('gives assistants that the service accepts, or a reason', async () => {
    const { assistants } = await read(document);
    expect(assistants.length).toBeGreaterThan(0);
    for (const { assistant, refusal } of assistants) {
      if (assistant) await checkAccepted(assistant);
      else expect(refusal).toMatch(/^It .{10,}/);
    }
  });

  test('loses no text and no number without a warning that names it', async () => {
    const values = leaves.filter(({ value }) => typeof value === 'string' || typeof value === 'number');
    for (const { path, value } of draw(values, 25)) {
      const changed = replaceValue(document, path, typeof value === 'string' ? 'marker7351' : 7351.5);
      expect(await explains(changed, path, '7351'), formatPath(path)).toBe(true);
    }
  });

  test('loses no field that nobody knows without a warning that names it', async () => {
    const parents = [...new Set(leaves.map(({ path }) => JSON.stringify(path.slice(0, -1))))];
    for (const parent of draw(parents, 15)) {
      const path: Path = [...(JSON.parse(parent) as Path), 'field of tomorrow'];
      const holder = (JSON.parse(parent) as Path).reduce<unknown>(
        (value, key) => (value as Record<string | number, unknown>)[key],
        document,
      );
      if (Array.isArray(holder)) continue;
      const changed = replaceValue(document, path, { of: 'tomorrow7351' });
      expect(await explains(changed, path, 'tomorrow7351'), formatPath(path)).toBe(true);
    }
  });

  test('never takes a key over, wherever it is', async () => {
    const key = 'sk-proj-0123456789abcdefABCDEF';
    const texts = leaves.filter(({ value }) => typeof value === 'string');
    for (const { path } of draw(texts, 25)) {
      for (const text of [key, `Use ${key} to sign in.`, `Bearer ${key}`]) {
        const { assistants } = await read(replaceValue(document, path, text));
        expect(JSON.stringify(assistants.map((one) => one.assistant)), formatPath(path)).not.toContain(key);
        expect(JSON.stringify(assistants.map((one) => one.warnings)), formatPath(path)).not.toContain(key);
      }
    }
  });

  test('is imported or refused, whatever is wrong in it', async () => {
    const deep = JSON.parse(`${'[{"a":'.repeat(500)}1${'}]'.repeat(500)}`) as Json;
    const odd: Json[] = [
      ...[null, [], {}, '', ' ', 0, -1, 1e308, true, [[]], [null], deep, { type: {} }],
      ...['x'.repeat(250_000), '{{', '{% if %}', '{{ a | nothing }}', '\u0000\ud800', 'https://', '🙂'.repeat(3_000)],
      JSON.parse('{"__proto__": {"type": "object"}, "constructor": 1}') as Json,
    ];
    const places = leaves.flatMap(({ path }) => path.map((_, i) => path.slice(0, i + 1)));
    const paths = draw([...new Set(places.map((one) => JSON.stringify(one)))], 40);
    for (const [i, path] of paths.entries()) {
      const changed = replaceValue(document, JSON.parse(path) as Path, odd[i % odd.length] ?? null);
      const result = await read(changed).catch((error: Error) => error);
      if (result instanceof Error) expect(result).toBeInstanceOf(ImportError);
      else for (const { assistant } of result.assistants) if (assistant) await checkAccepted(assistant);
    }
  });
});

describe.each(Object.entries(importers))('any document of %s', (_, read) => {
  test('is imported, refused or named as none', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (document) => {
        const result = await read(document).catch((error: Error) => error);
        if (result instanceof Error) expect(result).toBeInstanceOf(ImportError);
        else for (const { assistant } of result.assistants) if (assistant) await checkAccepted(assistant);
      }),
      { numRuns: getSampleSize(300) },
    );
  });
});
