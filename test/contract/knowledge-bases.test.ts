import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { failureReasons } from '../../shared/domain/ingestion-result.ts';
import { buildKnowledgeBase, toPublicKnowledgeBase } from '../../shared/domain/knowledge-base.ts';
import { reasons } from '../../shared/reading/unreadable.ts';
import { warningTypes } from '../../shared/reading/warnings.ts';

/** Returns the computed reason of a knowledge base that missed its deadline. */
function findTimeoutReason(sha256: string | null): string | undefined {
  const made = buildKnowledgeBase('alice', { file_name: 'a.txt', content_type: 'text/plain', size_bytes: 1, sha256 });
  return toPublicKnowledgeBase({ ...made, deadline: made.created_at }).status_reason?.type;
}

/** Returns the types in a table of the documentation, which starts with this column. */
function readTypes(column: string): string[] {
  const [, table = ''] = readFileSync('docs/knowledge-bases.md', 'utf8').split(`\n| \`${column}\` |`);
  return [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, type = '']) => type);
}

test('docs/knowledge-bases.md lists each warning about a document once', () => {
  expect(readTypes('type').toSorted()).toEqual([...warningTypes].toSorted());
});

test('docs/knowledge-bases.md lists each failure reason of a document once', () => {
  const known = new Set([
    ...Object.keys(reasons),
    ...Object.keys(failureReasons),
    'unsupported', // its message depends on the file
    findTimeoutReason(null),
    findTimeoutReason('abc'),
  ]);
  expect(readTypes('status_reason.type').toSorted()).toEqual([...known].toSorted());
});
