import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Deployment, toLocalDeployment } from '../../infra/commands/data/deployment/deployment.ts';
import { parseRow, type Row, toAttributes, toKey } from '../../infra/commands/data/deployment/row.ts';
import { findFaults, findLeftovers } from '../../infra/commands/data/verify/integrity-rules.ts';
import { verifyUser } from '../../infra/commands/data/verify/verifier.ts';
import { startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { toCountKey, toUserKey } from '../../shared/store/table/keys.ts';
import { createUser, deployed } from '../support/api.ts';
import { buildTurns, createEverything } from '../support/create-everything.ts';
import { createDeployment, findStoredData as stored } from '../support/recovery.ts';

const verifyOptions = { graceMs: 0, secrets: false };

/**
 * Creates a user with one of every resource, and with transcripts in the table and in a file. Returns functions that corrupt the data
 * and verify it.
 */
async function createData() {
  const deployment = createDeployment();
  const user = await createUser();
  const owner = toUserKey(deployment.issuer, user.sub);
  const { assistant_id } = await createEverything(user);
  const large = { assistant_id, room_name: 'large', transcript: buildTurns(300) };
  await user.post('/logs/call-logs', large);
  await user.put(`/assistants/${assistant_id}/live`, { version: 1 });
  const all = await stored(owner);
  const rows = Object.values(all)
    .filter((line) => line.startsWith('{'))
    .map(parseRow);
  const known = rows.map(toKey).filter(({ pk }) => pk.startsWith('KEY#'));
  const put = (row: Row) => deployment.dynamoDb.send(new PutItemCommand({ TableName: deployment.table, Item: row }));
  const remove = (row: Row) =>
    deployment.dynamoDb.send(new DeleteItemCommand({ TableName: deployment.table, Key: toAttributes(toKey(row)) }));
  const object = { Bucket: deployment.bucket };
  return {
    place: deployment,
    owner,
    /** Returns the row with a key that starts with `beginning`, not counting the owner key. */
    getRow(beginning: string, has = ''): Row {
      const name = ({ pk, sk }: Row) => `${pk?.S?.replace(`USER#${owner}`, '')} ${sk?.S}`;
      const found = rows.find((row) => name(row).startsWith(beginning) && (has === '' || row[has]));
      if (!found) throw new Error(`No row begins with ${beginning}: ${rows.map(name)}`);
      return found;
    },
    getFile: (folder: string) => Object.keys(all).find((path) => path.startsWith(`${folder}/`)) ?? '',
    put,
    remove,
    /** Verifies the data with one row changed, or deleted if `change` is undefined, and then restores the row. */
    async verifyWithRow(row: Row, change: Row | undefined): Promise<string[]> {
      await (change ? put({ ...row, ...change }) : remove(row));
      const { faults } = await verifyUser(deployment, owner, verifyOptions, known);
      if (change?.pk || change?.sk) await remove({ ...row, ...change });
      await put(row);
      return faults.map(({ rule }) => rule);
    },
    /** Verifies the data with the content of one file changed, or deleted if undefined, and then restores the file. */
    async verifyWithFile(path: string, content: string | undefined): Promise<string[]> {
      const before = await deployment.s3.send(new GetObjectCommand({ ...object, Key: path })).catch(() => undefined);
      const bytes = await before?.Body?.transformToByteArray();
      const write = (Body: string | Uint8Array) =>
        deployment.s3.send(new PutObjectCommand({ ...object, Key: path, Body }));
      const erase = () => deployment.s3.send(new DeleteObjectCommand({ ...object, Key: path }));
      await (content === undefined ? erase() : write(content));
      const { faults } = await verifyUser(deployment, owner, verifyOptions);
      await (bytes ? write(bytes) : erase());
      return faults.map(({ rule }) => rule);
    },
  };
}

describe.skipIf(deployed)('verification', () => {
  let data: Awaited<ReturnType<typeof createData>>;
  beforeAll(async () => {
    data = await createData();
  });
  afterAll(() => data?.place.close());

  it('finds no fault in consistent data', async () => {
    expect((await verifyUser(data.place, data.owner, verifyOptions)).faults).toEqual([]);
  });

  const past = { S: '2026-01-01T00:00:00.000Z' };
  it.each<[what: string, beginning: string, has: string, change: Row | undefined, rule: string]>([
    [
      'an assistant without its attachment',
      '#ASSISTANTS ASSISTANT#',
      'attachments',
      { attachments: { M: {} } },
      'a knowledge base lists an assistant',
    ],
    ['a webhook that is not in the set', '#WEBHOOKS SET', 'ids', { ids: { SS: ['x'] } }, 'the set of webhooks differs'],
    [
      'a pending delivery that does not wait',
      '#DELIVERIES DELIVERY#',
      'status',
      { status: { S: 'pending' } },
      'a delivery is pending and does not wait',
    ],
    [
      'a knowledge base without its assistant',
      '#KNOWLEDGE ',
      'assistants',
      { assistants: { SS: ['x'] } },
      'an assistant lists a knowledge base',
    ],
    ['a missing knowledge base', '#KNOWLEDGE ', '', undefined, 'an assistant lists a knowledge base'],
    ['a missing small transcript', '#TRANSCRIPTS ', '', undefined, 'a session has no transcript'],
    ['a missing session', '#SESSIONS ', '', undefined, 'a transcript has no session'],
    ['a wrong count', '#COUNTS ', '', { sessions: { N: '7' } }, 'counts another number'],
    ['a wrong usage of a day', '#USAGE DAY#', '', { messages: { N: '7' } }, "a day's usage differs"],
    ['a missing usage of an assistant', '#USAGE ASSISTANT#', '', undefined, "a day's usage differs"],
    ['a missing count', '#COUNTS ', '', undefined, 'counts another number'],
    ['an outdated call version', '#CALLS ', 'file', { file: { S: 'transcripts/x' } }, 'a call version does not match'],
    ['a missing call version', '#CALLS ', '', undefined, 'names a call version that does not exist'],
    ['a missing API key', 'KEY#', '', undefined, 'an API key that does not exist'],
    ['an API key with another expiry', 'KEY#', '', { valid_until: past }, 'an API key is missing from'],
    ['a count of API keys that is too low', '#KEYLIST COUNT', '', { living: { N: '0' } }, 'than are counted'],
    ['an API key missing from the list', '#KEYLIST APIKEY#', '', undefined, 'an API key is missing from'],
    [
      'a listed API key whose row has expired, but works',
      'KEY#',
      '',
      { expires_at: { N: '1' }, id: { S: 'x' } },
      'an API key is missing from',
    ],
    [
      'a document past its ingestion deadline',
      '#KNOWLEDGE ',
      '',
      { status: { S: 'processing' }, deadline: past },
      'not parsed in time',
    ],
    ['an invalid time', '#KNOWLEDGE ', '', { 'by-due': { S: '0' }, due: { S: 'x' } }, 'waits in a place or for a time'],
    [
      'a time of another user',
      '#KNOWLEDGE ',
      '',
      { 'by-due': { S: '0' }, due: { S: `x#${past.S}` } },
      'waits in a place or for a time',
    ],
    ['an event that waits', '#EVENTS ', '', { 'by-due': { S: '0' }, due: past }, 'waits in a place or for a time'],
    [
      'a job that waits for a receiver',
      '#JOBS JOB#',
      '',
      { 'by-due': { S: 'x' }, due: past, webhook_id: { S: 'x' } },
      'waits in a place or for a time',
    ],
    ['an unfinished deletion', '#KNOWLEDGE ', '', { deleting: { BOOL: true } }, 'has not completed'],
    ['a corrupt transcript', '#TRANSCRIPTS ', '', { inline: { B: Buffer.from('x') } }, 'cannot be read'],
    ['corrupt settings', '#ASSISTANTS ASSISTANT#', '', { settings: { S: '{' } }, 'cannot be read'],
    ['a corrupt stored result', '#ONCE ', '', { answer: { B: Buffer.from('x') } }, 'cannot be read'],
    ['a version without its assistant', '#ASSISTANTS ASSISTANT#', 'versions', undefined, 'a version has no assistant'],
    ['a missing version', '#VERSIONS ', '', undefined, 'an assistant counts other versions'],
    ['a missing live version', '#VERSIONS ', '', { version: { N: '7' } }, 'a live version does not exist'],
    ['a corrupt version', '#VERSIONS ', '', { content: { B: Buffer.from('x') } }, 'cannot be read'],
    ['an unknown event', '#EVENTS ', '', { type: { S: 'assistant.flown' } }, 'an event has a type'],
    ['a corrupt event', '#EVENTS ', '', { data: { S: '{' } }, 'cannot be read'],
    ['an unknown row', '#COUNTS ', '', { sk: { S: 'NEW#1' } }, 'not one that the service writes'],
    ['assistants that are no set', '#KNOWLEDGE ', 'assistants', { assistants: { M: {} } }, 'so damaged'],
    ['a session without an id', '#SESSIONS ', '', { sk: { S: 'x' } }, 'so damaged'],
    ['a sum that is no whole number', '#USAGE DAY#', '', { messages: { N: '0.5' } }, 'so damaged'],
    [
      'a sum that no double holds',
      '#USAGE DAY#',
      '',
      { messages: { N: '9007199254740993.5' } },
      "a day's usage differs",
    ],
  ])('finds %s', async (_, beginning, has, change, rule) => {
    expect(await data.verifyWithRow(data.getRow(beginning, has), change)).toContainEqual(expect.stringContaining(rule));
  });

  it.each([
    ['transcripts', undefined, 'names a file that is missing'],
    ['uploads', undefined, 'names a file that is missing'],
    ['passages', undefined, 'names a file that is missing'],
    ['transcripts', 'spoiled', 'cannot be read'],
    ['passages', 'spoiled', 'cannot be read'],
  ])('finds a file in %s whose content is %s', async (folder, content, rule) => {
    expect(await data.verifyWithFile(data.getFile(folder), content)).toContainEqual(expect.stringContaining(rule));
  });

  it.each([['uploads', 'a document has no record']])(
    'finds a file in %s that no row refers to',
    async (folder, rule) => {
      const before = { graceMs: 60_000, secrets: false };
      const path = `${folder}/${data.owner}/${randomUUID()}`;
      expect(await data.verifyWithFile(path, 'x')).toEqual([rule]);
      await data.place.s3.send(new PutObjectCommand({ Bucket: data.place.bucket, Key: path, Body: 'x' }));
      expect((await verifyUser(data.place, data.owner, before)).faults).toEqual([]); // its upload may be in progress
      await data.place.s3.send(new DeleteObjectCommand({ Bucket: data.place.bucket, Key: path }));
    },
  );

  it('ignores another number of sessions while calls arrive', async () => {
    const count = data.getRow('#COUNTS ');
    await data.put({ ...count, sessions: { N: '7' } });
    expect((await verifyUser(data.place, data.owner, { ...verifyOptions, graceMs: 3_600_000 })).faults).toEqual([]);
    await data.put(count);
  });

  it('compares the usage of a day exactly, also beyond 2^53', () => {
    const build = (...costs: bigint[]) =>
      findFaults(
        {
          owner: data.owner,
          rows: new Map([
            [
              'usage',
              ['DAY#2026-11-26', 'ASSISTANT#2026-11-26#a', 'ASSISTANT#2026-11-26#b'].map((sk, i) => ({
                ...{ pk: 'x', sk, namedFiles: [] },
                cost_micros: costs[i],
              })),
            ],
          ]),
          files: new Map(),
        },
        { now: Date.now(), graceMs: 0 },
      );
    expect(build(18_000_000_000_000_001n, 9_000_000_000_000_000n, 9_000_000_000_000_001n)).toEqual([]);
    expect(build(18_000_000_000_000_001n, 9_000_000_000_000_000n, 9_000_000_000_000_000n)).toHaveLength(3);
  });

  it('lists a transcript that no session refers to as a leftover, not a fault', async () => {
    const Key = `transcripts/${data.owner}/${randomUUID()}/${randomUUID()}`;
    await data.place.s3.send(new PutObjectCommand({ Bucket: data.place.bucket, Key, Body: 'x' }));
    const { inventory: held, faults } = await verifyUser(data.place, data.owner, verifyOptions);
    expect(faults).toEqual([]);
    const rule = 'a transcript that no session names';
    expect(findLeftovers(held, { now: Date.now(), graceMs: 0 })).toEqual([{ rule, where: Key }]);
    await data.place.s3.send(new DeleteObjectCommand({ Bucket: data.place.bucket, Key }));
  });

  it('finds a secret that does not decrypt, if asked to check secrets', async () => {
    const { faults } = await verifyUser({ ...data.place, key: 'another' }, data.owner, {
      ...verifyOptions,
      secrets: true,
    });
    const rule = 'a secret does not decrypt';
    expect(faults).toEqual([
      { rule, where: expect.stringContaining('CREDENTIAL#') },
      { rule, where: expect.stringContaining('WEBHOOK#') },
    ]);
  });

  it.each([0, 7_000])('finds a secret of %i bytes', async (bytes) => {
    const row = data.getRow('#CREDENTIALS ');
    await data.put({ ...row, secret: { B: Buffer.alloc(bytes) } });
    const { faults } = await verifyUser(data.place, data.owner, { ...verifyOptions, secrets: true });
    await data.put(row);
    expect(faults).toContainEqual({ rule: 'a secret does not decrypt', where: Object.values(toKey(row)).join(' ') });
  });
});

describe.skipIf(deployed)('npm run verify', () => {
  const dir = mkdtempSync(join(tmpdir(), 'verify-'));
  afterAll(() => rmSync(dir, { recursive: true }));

  const verify = async (...args: string[]) => {
    const child = spawn('node', ['infra/commands/data/verify.ts', ...args], {
      env: { ...process.env, DATA_DIR: dir },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return { out, code };
  };

  it('prints a summary, or lists all faults and exits with 1', async () => {
    const start = async (): Promise<Deployment> => toLocalDeployment(await startServices(dir, await synthesize()));
    await (await start()).close();
    expect(await verify()).toEqual({ out: 'the local host: 0 rows and 0 files of 0 users, 0 faults\n', code: 0 });
    const place = await start();
    const { pk, sk } = toCountKey('a'.repeat(43), uuidv7());
    const Item = { pk: { S: pk }, sk: { S: sk }, sessions: { N: '2' } };
    const forged = { pk: { S: pk }, sk: { S: 'x\n0 faults' } };
    for (const row of [Item, forged])
      await place.dynamoDb.send(new PutItemCommand({ TableName: place.table, Item: row }));
    await place.close();
    expect(await verify('--minutes', '0')).toEqual({
      out:
        `1 time: a day counts another number of sessions than there are\n  ${pk} ${sk}\n` +
        `1 time: a row is not one that the service writes\n  ${pk} x\\u{a}0 faults\n` +
        'the local host: 2 rows and 0 files of 1 user, 2 faults\n',
      code: 1,
    });
  });
});
