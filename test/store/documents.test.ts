import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { buildKnowledgeBase } from '../../shared/domain/knowledge-base.ts';
import { useEmulator } from '../support/store.ts';

useEmulator();
const knowledgeBases = await import('../../shared/store/knowledge-bases/knowledge-bases.ts');
const documents = await import('../../shared/store/knowledge-bases/documents.ts');
const files = await import('../../shared/store/files/files.ts');
const { toUploadKey } = await import('../../shared/store/knowledge-bases/uploads.ts');

const owner = randomUUID();
const file = { file_name: 'a.txt', content_type: 'text/plain', size_bytes: 1, sha256: null };

it('deletes a file of a knowledge base that is deleted, or being deleted, in the last attempt', async () => {
  await knowledgeBases.insert(owner, { ...buildKnowledgeBase('alice', file), id: 'hidden', ...{ deleting: true } }, []);
  const findLate = async (id: string) => {
    const key = toUploadKey(owner, id);
    await files.put(key, Buffer.from('text'));
    const detail = { reason: 'POST Object', object: { key } };
    expect(await documents.findPending(detail, true)).toBe(undefined);
    expect(await files.exists(key)).toBe(false);
  };
  await Promise.all(['hidden', 'gone'].map(findLate));
});
