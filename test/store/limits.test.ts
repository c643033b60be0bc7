import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { buildAssistant } from '../../shared/domain/assistant.ts';
import { buildKnowledgeBase } from '../../shared/domain/knowledge-base.ts';
import { Conflict, TooLarge } from '../../shared/errors.ts';
import { NewAssistant } from '../../shared/schemas/assistant.ts';
import { maxTextBytes } from '../../shared/schemas/knowledge-base.ts';
import { minimal } from '../support/assistants.ts';
import { useEmulator } from '../support/store.ts';

useEmulator({ MAX_ATTACHED: '2', MAX_UPLOAD_MB: '20' });
const assistants = await import('../../shared/store/assistants.ts');
const attachments = await import('../../shared/store/knowledge-bases/attachments.ts');
const knowledgeBases = await import('../../shared/store/knowledge-bases/knowledge-bases.ts');
const { createUploadForm } = await import('../../shared/store/knowledge-bases/upload-form.ts');

const describeFile = (size_bytes: number) => ({ file_name: 'a.pdf', content_type: 'application/pdf', size_bytes });

describe('the limits of an environment', () => {
  it('bound the size of an upload, and S3 enforces the size in its form', async () => {
    const { fields } = await createUploadForm('owner', randomUUID(), describeFile(20_000_000));
    const policy = JSON.parse(Buffer.from(fields.Policy ?? '', 'base64').toString());
    expect(policy.conditions).toContainEqual(['content-length-range', 20_000_000, 20_000_000]);
    const refused = await createUploadForm('owner', randomUUID(), describeFile(20_000_001)).catch((error) => error);
    expect(refused).toBeInstanceOf(TooLarge);
    expect(refused.detail).toEqual([
      {
        loc: ['body', 'size_bytes'],
        msg: 'A file may have at most 20 MB here: split it, then upload its parts',
        type: 'too_large',
      },
    ]);
  });

  it('bound the size of a text file, which is always read up to there', async () => {
    const text = { file_name: 'prices.csv', content_type: 'text/csv', size_bytes: maxTextBytes };
    await createUploadForm('owner', randomUUID(), text);
    const refused = await createUploadForm('owner', randomUUID(), { ...text, size_bytes: maxTextBytes + 1 }).catch(
      (error) => error,
    );
    expect(refused).toBeInstanceOf(TooLarge);
    expect(refused.detail[0]).toMatchObject({ loc: ['body', 'size_bytes'], msg: expect.stringContaining('10 MB') });
  });

  it('bound the number of attached knowledge bases', async () => {
    const owner = randomUUID();
    const assistant = buildAssistant(v.parse(NewAssistant, minimal));
    await assistants.insert(owner, assistant, []);
    const document = { file_name: 'a.txt', content_type: 'text/plain', size_bytes: 1, sha256: null };
    const created = Array.from({ length: 3 }, () => buildKnowledgeBase('alice', document));
    for (const one of created) await knowledgeBases.insert(owner, one, []);
    const [first, second, third] = created.map(
      ({ id }) =>
        () =>
          attachments.attach(owner, assistant.id, id, []),
    );
    await first?.();
    await second?.();
    const refused = await third?.().catch((error) => error);
    expect(refused).toBeInstanceOf(Conflict);
    expect(refused.detail[0].msg).toBe('An assistant may have at most 2 knowledge bases: detach one first');
  });
});
