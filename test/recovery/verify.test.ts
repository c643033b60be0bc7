import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Place, placeOf } from '../../infra/data/place.ts';
import { attributesOf, keyOf, type Row, rowOf } from '../../infra/data/row.ts';
import { leftoversOf } from '../../infra/data/rules.ts';
import { lookAt } from '../../infra/data/verifier.ts';
import { startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { countKey, userKey } from '../../shared/store/keys.ts';
import { deployed, newUser } from '../support/api.ts';
import { everythingOf, turns } from '../support/everything.ts';
import { placeAt, everythingOf as stored } from '../support/recovery.ts';

const quiet = { graceMs: 0, secrets: false };

/** A user with one of everything, once with a transcript in the table, once in a file, and how to spoil what they have. */
async function somebodysData() {
  const place = placeAt();
  const user = await newUser();
  const owner = userKey(place.issuer, user.sub);
  const { assistant_id } = await everythingOf(user);
  const large = { assistant_id, room_name: 'large', transcript: turns(300) };
  await user.post('/logs/call-logs', large);
  const all = await stored(owner);
  const rows = Object.values(all)
    .filter((line) => line.startsWith('{'))
    .map(rowOf);
  const known = rows.map(keyOf).filter(({ pk }) => pk.startsWith('KEY#'));
  const put = (row: Row) => place.dynamoDb.send(new PutItemCommand({ TableName: place.table, Item: row }));
  const remove = (row: Row) =>
    place.dynamoDb.send(new DeleteItemCommand({ TableName: place.table, Key: attributesOf(keyOf(row)) }));
  const object = { Bucket: place.bucket };
  return {
    place,
    owner,
    /** The row whose key has this beginning, after the user's part. */
    row(beginning: string, has = ''): Row {
      const name = ({ pk, sk }: Row) => `${pk?.S?.replace(`USER#${owner}`, '')} ${sk?.S}`;
      const found = rows.find((row) => name(row).startsWith(beginning) && (has === '' || row[has]));
      if (!found) throw new Error(`No row begins with ${beginning}: ${rows.map(name)}`);
      return found;
    },
    file: (folder: string) => Object.keys(all).find((path) => path.startsWith(`${folder}/`)) ?? '',
    put,
    remove,
    /** Puts a row in the place of another for as long as a look takes. */
    async spoiled(row: Row, change: Row | undefined): Promise<string[]> {
      await (change ? put({ ...row, ...change }) : remove(row));
      const { faults } = await lookAt(place, owner, quiet, known);
      if (change?.pk || change?.sk) await remove({ ...row, ...change });
      await put(row);
      return faults.map(({ rule }) => rule);
    },
    /** The same with the content of a file; undefined deletes it. */
    async spoiledFile(path: string, content: string | undefined): Promise<string[]> {
      const before = await place.s3.send(new GetObjectCommand({ ...object, Key: path })).catch(() => undefined);
      const bytes = await before?.Body?.transformToByteArray();
      const write = (Body: string | Uint8Array) => place.s3.send(new PutObjectCommand({ ...object, Key: path, Body }));
      const erase = () => place.s3.send(new DeleteObjectCommand({ ...object, Key: path }));
      await (content === undefined ? erase() : write(content));
      const { faults } = await lookAt(place, owner, quiet);
      await (bytes ? write(bytes) : erase());
      return faults.map(({ rule }) => rule);
    },
  };
}

describe.skipIf(deployed)('what does not hang together is found', () => {
  let data: Awaited<ReturnType<typeof somebodysData>>;
  beforeAll(async () => {
    data = await somebodysData();
  });
  afterAll(() => data?.place.close());

  it('nothing where nothing is wrong', async () => {
    expect((await lookAt(data.place, data.owner, quiet)).faults).toEqual([]);
  });

  const past = { S: '2026-01-01T00:00:00.000Z' };
  it.each<[what: string, beginning: string, has: string, change: Row | undefined, rule: string]>([
    ['an assistant forgets', '#ASSISTANTS ASSISTANT#', 'attachments', { attachments: { M: {} } }, 'does not have it'],
    ['a knowledge base forgets', '#KNOWLEDGE ', 'assistants', { assistants: { SS: ['x'] } }, 'does not know of it'],
    ['a knowledge base goes', '#KNOWLEDGE ', '', undefined, 'gone, or does not know of it'],
    ['a small transcript goes', '#TRANSCRIPTS ', '', undefined, 'a session has no transcript'],
    ['a session goes', '#SESSIONS ', '', undefined, 'a transcript has no session'],
    ['a count is wrong', '#COUNTS ', '', { sessions: { N: '7' } }, 'counts another number'],
    ['a count goes', '#COUNTS ', '', undefined, 'counts another number'],
    ['a telling is behind', '#CALLS ', 'file', { file: { S: 'transcripts/x' } }, 'a telling of a call is not that'],
    ['a telling goes', '#CALLS ', '', undefined, 'names a telling that is gone'],
    ['an API key goes', 'KEY#', '', undefined, 'an API key that there is not'],
    ['an API key ends otherwise', 'KEY#', '', { valid_until: past }, 'an API key is not in the list'],
    ['too few API keys are counted', '#KEYLIST COUNT', '', { living: { N: '0' } }, 'than are counted'],
    ['its place in the list goes', '#KEYLIST APIKEY#', '', undefined, 'an API key is not in the list'],
    [
      'a document waits for ever',
      '#KNOWLEDGE ',
      '',
      { status: { S: 'processing' }, deadline: past },
      'not read in time',
    ],
    ['a deletion stands still', '#KNOWLEDGE ', '', { deleting: { BOOL: true } }, 'has not ended'],
    ['a transcript is spoiled', '#TRANSCRIPTS ', '', { inline: { B: Buffer.from('x') } }, 'cannot be read'],
    ['settings are spoiled', '#ASSISTANTS ASSISTANT#', '', { settings: { S: '{' } }, 'cannot be read'],
    ['an answer is spoiled', '#ONCE ', '', { answer: { B: Buffer.from('x') } }, 'cannot be read'],
    ['a row is unknown', '#COUNTS ', '', { sk: { S: 'NEW#1' } }, 'none that the service writes'],
  ])('%s', async (_, beginning, has, change, rule) => {
    expect(await data.spoiled(data.row(beginning, has), change)).toContainEqual(expect.stringContaining(rule));
  });

  it.each([
    ['transcripts', undefined, 'names a file that is missing'],
    ['uploads', undefined, 'names a file that is missing'],
    ['passages', undefined, 'names a file that is missing'],
    ['transcripts', 'spoiled', 'cannot be read'],
    ['passages', 'spoiled', 'cannot be read'],
  ])('a file of %s that becomes %s', async (folder, content, rule) => {
    expect(await data.spoiledFile(data.file(folder), content)).toContainEqual(expect.stringContaining(rule));
  });

  it.each([['uploads', 'a document has no record']])('a file of %s that nobody knows of', async (folder, rule) => {
    const before = { graceMs: 60_000, secrets: false };
    const path = `${folder}/${data.owner}/${randomUUID()}`;
    expect(await data.spoiledFile(path, 'x')).toEqual([rule]);
    await data.place.s3.send(new PutObjectCommand({ Bucket: data.place.bucket, Key: path, Body: 'x' }));
    expect((await lookAt(data.place, data.owner, before)).faults).toEqual([]); // it may be under way
    await data.place.s3.send(new DeleteObjectCommand({ Bucket: data.place.bucket, Key: path }));
  });

  it('a transcript that no session names is no fault, and told apart', async () => {
    const Key = `transcripts/${data.owner}/${randomUUID()}/${randomUUID()}`;
    await data.place.s3.send(new PutObjectCommand({ Bucket: data.place.bucket, Key, Body: 'x' }));
    const { held, faults } = await lookAt(data.place, data.owner, quiet);
    expect(faults).toEqual([]);
    const rule = 'a transcript that no session names';
    expect(leftoversOf(held, { now: Date.now(), graceMs: 0 })).toEqual([{ rule, where: Key }]);
    await data.place.s3.send(new DeleteObjectCommand({ Bucket: data.place.bucket, Key }));
  });

  it('a secret that does not decrypt, where it is asked for', async () => {
    const { faults } = await lookAt({ ...data.place, key: 'another' }, data.owner, { ...quiet, secrets: true });
    expect(faults).toEqual([{ rule: 'a secret does not decrypt', where: expect.stringContaining('CREDENTIAL#') }]);
  });
});

describe.skipIf(deployed)('the command', () => {
  const dir = mkdtempSync(join(tmpdir(), 'verify-'));
  afterAll(() => rmSync(dir, { recursive: true }));

  const verify = async (...args: string[]) => {
    const child = spawn('node', ['infra/data/verify.ts', ...args], {
      env: { ...process.env, DATA_DIR: dir },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return { out, code };
  };

  it('says that all is well, or names what is not, and then ends with 1', async () => {
    const start = async (): Promise<Place> => placeOf(await startServices(dir, await synthesize()));
    await (await start()).close();
    expect(await verify()).toEqual({ out: 'the local host: 0 rows and 0 files of 0 users, 0 faults\n', code: 0 });
    const place = await start();
    const { pk, sk } = countKey('a'.repeat(43), Date.parse('2026-11-21'));
    const Item = { pk: { S: pk }, sk: { S: sk }, sessions: { N: '2' } };
    await place.dynamoDb.send(new PutItemCommand({ TableName: place.table, Item }));
    await place.close();
    expect(await verify('--minutes', '0')).toEqual({
      out:
        `1 time: a day counts another number of sessions than there are\n  ${pk} ${sk}\n` +
        'the local host: 1 row and 0 files of 1 user, 1 fault\n',
      code: 1,
    });
  });
});
