import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, inject, it } from 'vitest';
import type { KnowledgeBase } from '../../shared/schemas/knowledge-base.ts';
import { createUser } from '../support/api.ts';
import { createAssistant } from '../support/assistants.ts';
import { getKnowledgeBase } from '../support/knowledge-bases.ts';

const user = await createUser();
const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-upload-'));
afterAll(() => rmSync(dir, { recursive: true }));

const writeFile = (name: string, content: string): string => {
  writeFileSync(join(dir, name), content);
  return join(dir, name);
};

/** Runs `npm run upload`. Throws if it fails, with the message in `stderr`. */
const upload = async (path: string, ...options: string[]) => {
  const env = { ...process.env, BASE_URL: inject('baseUrl'), TOKEN: user.token };
  const command = ['infra/commands/local/upload.ts', path, ...options];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { env });
  return { record: JSON.parse(stdout) as KnowledgeBase, stderr };
};

it('uploads a file, waits until it is parsed, attaches it and prints its knowledge base', async () => {
  const { body: assistant } = await createAssistant(user);
  const done = await upload(writeFile('hours.md', 'We open at eight.'), '--attach', assistant.id);
  expect(done.record).toMatchObject({ status: 'ready', file_name: 'hours.md', attached_assistant_ids: [assistant.id] });
  expect(done.record).toEqual(await getKnowledgeBase(user, done.record.id));
  expect(done.stderr).toContain('100 %');
});

it('uploads files that are too large for the API directly to S3', async () => {
  const { record } = await upload(writeFile('long.txt', 'We open at eight. '.repeat(250_000)));
  expect(record).toMatchObject({ status: 'ready', size_bytes: 4_500_000, char_count: 4_499_999 });
});

it.each([
  ['nothing.txt', undefined, 'There is no file'],
  ['empty.txt', '', 'empty'],
  ['program.pdf', 'MZ\0\0', 'This kind of file cannot be read'],
])('reports why a file is rejected: %s', async (name, content, reason) => {
  const path = content === undefined ? join(dir, name) : writeFile(name, content);
  await expect(upload(path)).rejects.toMatchObject({ stderr: expect.stringContaining(reason), stdout: '' });
});
