import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newKnowledgeBase, shownKnowledgeBase } from '../../shared/domain/knowledge-base.ts';
import { failures } from '../../shared/domain/read-result.ts';
import { reasons } from '../../shared/reading/unreadable.ts';

/** The reason that a reader of a record computes when its deadline is over. */
function late(sha256: string | null): string | undefined {
  const made = newKnowledgeBase({ file_name: 'a.txt', content_type: 'text/plain', size_bytes: 1, sha256 });
  return shownKnowledgeBase({ ...made, deadline: made.created_at }).status_reason?.type;
}

test('docs/knowledge-bases.md tells of each reason why a document fails, once', () => {
  const [, table = ''] = readFileSync('docs/knowledge-bases.md', 'utf8').split(/^\| `status_reason\.type` .*$/m);
  const told = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, type]) => type);
  const known = new Set([...Object.keys(reasons), ...Object.keys(failures), late(null), late('abc')]);
  expect(told.toSorted()).toEqual([...known].toSorted());
});
