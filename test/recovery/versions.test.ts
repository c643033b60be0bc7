import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { erase, tracesOf } from '../../infra/data/eraser.ts';
import { fileIn } from '../../infra/data/folder.ts';
import { attributesOf } from '../../infra/data/row.ts';
import { knowledgeBaseKey, sessionKey } from '../../shared/store/keys.ts';
import { deployed } from '../support/api.ts';
import { exported, placeAt, silent, somebody } from '../support/recovery.ts';
import { versionedS3 } from '../support/versioned-s3.ts';

describe.skipIf(deployed)('a bucket that keeps versions', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'recovery-'));
  const s3 = await versionedS3();
  const place = placeAt({ s3: s3.url });
  afterAll(() => {
    s3.stop();
    rmSync(scratch, { recursive: true });
  });

  /** Stores a session that names a file. */
  const session = (owner: string, id: string, file: string) =>
    place.dynamoDb.send(
      new PutItemCommand({
        TableName: place.table,
        Item: { ...attributesOf(sessionKey(owner, id)), file: { S: file } },
      }),
    );

  it('gives what rows of a restored table still name, though it was deleted since, and nothing else of old', async () => {
    const { user, owner } = somebody();
    const [kept, replaced, deleted, lost, stray] = ['kept', 'replaced', 'deleted', 'lost', 'stray'].map(
      (name) => `transcripts/${owner}/${name}/1`,
    ) as [string, string, string, string, string];
    const document = `uploads/${owner}/doc`;
    for (const file of [kept, replaced, deleted, lost]) await session(owner, file.split('/')[2] ?? '', file);
    const Item = { ...attributesOf(knowledgeBaseKey(owner, 'doc')), sha256: { S: 'known' } };
    await place.dynamoDb.send(new PutItemCommand({ TableName: place.table, Item }));
    s3.put(kept, 'kept');
    s3.put(replaced, 'old');
    s3.put(replaced, 'new');
    for (const file of [deleted, stray, document]) s3.put(file, 'deleted');
    for (const file of [deleted, stray, document]) s3.delete(file);

    const dir = join(scratch, 'versions');
    const { files, missing } = await exported(place, dir, user);
    const contents = files.map(({ path }) => [path, readFileSync(fileIn(dir, path), 'utf8')]);
    expect(Object.fromEntries(contents)).toEqual({
      [kept]: 'kept',
      [replaced]: 'new',
      [deleted]: 'deleted',
      [document]: 'deleted',
    });
    expect(missing).toEqual([lost]);
  });

  it('forgets old versions and the markers of deletions too, and those of nobody else', async () => {
    const [alice, bob] = [somebody(), somebody()];
    for (const { owner } of [alice, bob]) {
      const file = `passages/${owner}/doc`;
      s3.put(file, 'old');
      s3.put(file, 'new');
      s3.delete(file);
      s3.put(`uploads/${owner}/doc`, 'here');
    }
    const others = s3.kept().filter((name) => !name.includes(alice.owner));
    await erase(place, await tracesOf(place, alice.owner), silent);
    expect(s3.kept()).toEqual(others);
    expect((await tracesOf(place, alice.owner)).versions).toEqual([]);
  });
});
