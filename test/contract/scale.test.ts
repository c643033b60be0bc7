import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { plotOf } from '../../bench/scale/plot.ts';
import { growing, readScale } from '../../bench/scale/results.ts';
import { sectionOf, withSection } from '../../bench/scale/section.ts';
import { routes } from '../../shared/routes/index.ts';

describe('what npm run bench:scale measured last', () => {
  const scale = readScale();

  test('is what docs/benchmarks.md and docs/scale.svg tell', () => {
    const page = readFileSync('docs/benchmarks.md', 'utf8');
    expect(withSection(page, sectionOf(scale))).toBe(page);
    expect(readFileSync('docs/scale.svg', 'utf8')).toBe(plotOf(scale));
  });

  test('is of every route, and takes nothing more where there is a hundred times the data', () => {
    const asked = new Set(scale.requests.map(({ route }) => route));
    expect(routes.filter(({ id }) => !asked.has(id))).toEqual([]);
    expect(scale.amounts.map(({ times }) => times)).toEqual([1, 10, 100]);
    expect(growing(scale.requests)).toEqual([]);
  });
});

test('a section takes the place of its own, and stands at the end of a page that has none', () => {
  const page = '# A\n\n## B\n\nold\n\n## C\n\nkept\n';
  expect(withSection(page, '## B\n\nnew\n')).toBe('# A\n\n## B\n\nnew\n\n## C\n\nkept\n');
  expect(withSection(page, '## C\n\nnew\n')).toBe('# A\n\n## B\n\nold\n\n## C\n\nnew\n');
  expect(withSection(page, '## D\n\nnew\n')).toBe(`${page}\n## D\n\nnew\n`);
});
