import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { findContent, listVersions } from '../../infra/commands/data/deployment/bucket.ts';
import { toAttributes } from '../../infra/commands/data/deployment/row.ts';
import { eraseUserData, listUserData } from '../../infra/commands/data/eraser.ts';
import { toFilePath } from '../../infra/commands/data/export/export-folder.ts';
import { toKnowledgeBaseKey, toSessionKey } from '../../shared/store/table/keys.ts';
import { deployed } from '../support/api.ts';
import { createDeployment, createOwner, exportWholeUser, ignoreProgress } from '../support/recovery.ts';
import { startVersionedS3 } from '../support/versioned-s3.ts';

describe.skipIf(deployed)('a versioned bucket', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'recovery-'));
  const s3 = await startVersionedS3();
  const deployment = createDeployment({ s3: s3.url });
  afterAll(() => {
    s3.stop();
    rmSync(scratch, { recursive: true });
  });

  /** Stores a session that refers to a file. */
  const putSession = (owner: string, id: string, file: string) =>
    deployment.dynamoDb.send(
      new PutItemCommand({
        TableName: deployment.table,
        Item: { ...toAttributes(toSessionKey(owner, id)), file: { S: file } },
      }),
    );

  it('provides deleted files that rows of a restored table refer to, and no other old versions', async () => {
    const { user, owner } = createOwner();
    const [kept, replaced, deleted, lost, stray] = ['kept', 'replaced', 'deleted', 'lost', 'stray'].map(
      (name) => `transcripts/${owner}/${name}/1`,
    ) as [string, string, string, string, string];
    const document = `uploads/${owner}/doc`;
    for (const file of [kept, replaced, deleted, lost]) await putSession(owner, file.split('/')[2] ?? '', file);
    const Item = { ...toAttributes(toKnowledgeBaseKey(owner, 'doc')), sha256: { S: 'known' } };
    await deployment.dynamoDb.send(new PutItemCommand({ TableName: deployment.table, Item }));
    s3.put(kept, 'kept');
    s3.put(replaced, 'old');
    s3.put(replaced, 'new');
    for (const file of [deleted, stray, document]) s3.put(file, 'deleted');
    for (const file of [deleted, stray, document]) s3.delete(file);

    const dir = join(scratch, 'versions');
    const { files, missing } = await exportWholeUser(deployment, dir, user);
    const contents = files.map(({ path }) => [path, readFileSync(toFilePath(dir, path), 'utf8')]);
    expect(Object.fromEntries(contents)).toEqual({
      [kept]: 'kept',
      [replaced]: 'new',
      [deleted]: 'deleted',
      [document]: 'deleted',
    });
    expect(missing).toEqual([lost]);
  });

  it('provides a file that is deleted while it is exported, and leaves out one that is gone', async () => {
    const { owner } = createOwner();
    const path = `transcripts/${owner}/exported/1`;
    s3.put(path, 'content');
    const { value: version } = await listVersions(deployment, owner).next();
    s3.delete(path);
    expect(version && Buffer.from((await findContent(deployment, version)) ?? []).toString()).toBe('content');
    await eraseUserData(deployment, await listUserData(deployment, owner), ignoreProgress);
    expect(version && (await findContent(deployment, version))).toBeUndefined();
  });

  it('loses all versions and delete markers of a forgotten user, and those of no other user', async () => {
    const [alice, bob] = [createOwner(), createOwner()];
    for (const { owner } of [alice, bob]) {
      const file = `passages/${owner}/doc`;
      s3.put(file, 'old');
      s3.put(file, 'new');
      s3.delete(file);
      s3.put(`uploads/${owner}/doc`, 'here');
    }
    const others = s3.listVersions().filter((name) => !name.includes(alice.owner));
    await eraseUserData(deployment, await listUserData(deployment, alice.owner), ignoreProgress);
    expect(s3.listVersions()).toEqual(others);
    expect((await listUserData(deployment, alice.owner)).versions).toEqual([]);
  });
});
