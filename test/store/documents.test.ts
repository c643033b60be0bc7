import { randomUUID } from 'node:crypto';
import { afterAll, expect, inject, it } from 'vitest';
import { buildKnowledgeBase } from '../../shared/domain/knowledge-base.ts';
import { encodeIndex } from '../../shared/search/encode.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { useEmulator } from '../support/store.ts';

const s3 = await startFaultyProxy(inject('s3'));
useEmulator({ AWS_ENDPOINT_URL_S3: s3.url });
const knowledgeBases = await import('../../shared/store/knowledge-bases/knowledge-bases.ts');
const documents = await import('../../shared/store/knowledge-bases/documents.ts');
const files = await import('../../shared/store/files/files.ts');
const { toUploadKey } = await import('../../shared/store/knowledge-bases/uploads.ts');

afterAll(() => s3.stop());

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

it('stores no search index of a knowledge base that was deleted while it was read', async () => {
  const index = encodeIndex([{ text: 'The archive is in the cellar.', page: null }]);
  const result = { content_type: 'text/plain', char_count: 29, chunk_count: 1, warnings: [], index };
  const knowledgeBase = { ...buildKnowledgeBase('alice', file), id: 'read' };
  s3.seen = [];
  await expect(documents.finish({ owner, knowledgeBase }, result, 'request')).rejects.toThrow('NotAwaited');
  expect(s3.seen).toEqual([]);
});
