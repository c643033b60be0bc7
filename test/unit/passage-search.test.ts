import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildKnowledgeBase, type StoredKnowledgeBase } from '../../shared/domain/knowledge-base.ts';
import { buildFilter, buildTooLarge, listUnknownFilters } from '../../shared/domain/passage-search.ts';

const buildDocument = (changes: Partial<StoredKnowledgeBase> = {}): StoredKnowledgeBase => ({
  ...buildKnowledgeBase('alice', { file_name: 'a.txt', content_type: 'text/plain', size_bytes: 1, sha256: null }),
  ...changes,
});

const variants: ((name: string) => string)[] = [
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => name.normalize('NFD'),
  (name) => name.normalize('NFC'),
];

describe('a filter by names', () => {
  it('finds a name in any case and encoding', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom(...variants), (name, toVariant) => {
        expect(buildFilter({ file_names: [toVariant(name)] })(buildDocument({ file_name: name }))).toBe(true);
      }),
    );
  });

  it.each(['Straße.pdf', 'ΟΔΟΣ.pdf', 'İzmir.pdf', 'Öffnungszeiten.md', 'ẞ'])('knows the case of %s', (file_name) => {
    for (const toVariant of variants)
      expect(buildFilter({ file_names: [toVariant(file_name)] })(buildDocument({ file_name }))).toBe(true);
  });

  it.each(['b.txt', 'a.tx', 'a.txt ', 'ä.txt', 'a.txt/a.txt', ''])('finds whole names only: %j', (name) => {
    expect(buildFilter({ file_names: [name] })(buildDocument())).toBe(false);
  });

  it('finds any of several', () => {
    const isWanted = buildFilter({ content_types: ['application/pdf', 'Text/Plain'], file_names: ['b.txt', 'A.TXT'] });
    expect(isWanted(buildDocument())).toBe(true);
    expect(isWanted(buildDocument({ content_type: 'text/html' }))).toBe(false);
    expect(isWanted(buildDocument({ file_name: 'c.txt' }))).toBe(false);
  });

  it.each([undefined, null, {}, { content_types: [], file_names: null }])('finds all without names: %j', (filters) => {
    expect(buildFilter(filters)(buildDocument())).toBe(true);
  });
});

it('a filter by time includes both ends, in any time zone', () => {
  const document = buildDocument({ created_at: '2026-11-21T07:00:00.000Z' });
  const cases: [object, boolean][] = [
    [{ created_from: '2026-11-21T07:00:00Z' }, true],
    [{ created_from: '2026-11-21T08:00:00.001+01:00' }, false],
    [{ created_to: '2026-11-21T08:00:00+01:00' }, true],
    [{ created_to: '2026-11-21T06:59:59.999Z' }, false],
    [{ created_from: '2026-11-22T00:00:00Z', created_to: '2026-11-20T00:00:00Z' }, false],
  ];
  for (const [filters, isWanted] of cases)
    expect([filters, buildFilter(filters)(document)]).toEqual([filters, isWanted]);
});

it('lists filters that do not exist', () => {
  expect(listUnknownFilters({ filters: { file_name: 'a', file_names: [], toString: 1 } })).toEqual([
    'filters.file_name',
    'filters.toString',
  ]);
  expect(listUnknownFilters({ filters: null })).toEqual([]);
  expect(listUnknownFilters({})).toEqual([]);
});

it('the error for too much memory names what the search covers', () => {
  const search = { query: 'moon', limit: 5 };
  const getPlace = (more: object) => buildTooLarge({ ...search, ...more }).detail[0]?.loc.join('.');
  expect(getPlace({ assistant_id: 'a' })).toBe('body.assistant_id');
  expect(getPlace({ knowledge_base_ids: ['a'] })).toBe('body.knowledge_base_ids');
  expect(getPlace({ assistant_id: null, knowledge_base_ids: null })).toBe('body');
});
