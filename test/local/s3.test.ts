import { once } from 'node:events';
import { mkdirSync, mkdtempSync, promises, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  type ListObjectsV2CommandOutput,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { createPresignedPost, type PresignedPostOptions } from '@aws-sdk/s3-presigned-post';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { createFormQueue, readObjectBody } from '../../infra/local/emulators/s3/object-body.ts';
import { type CreatedObject, removeLeftovers, startS3 } from '../../infra/local/emulators/s3/s3.ts';
import { getSampleSize } from '../support/sample.ts';

const dir = mkdtempSync(join(tmpdir(), 's3-test-'));
const created: CreatedObject[] = [];
const s3 = await startS3(
  dir,
  ['files', 'other'].map((name) => ({ name, configs: [] })),
  (object) => {
    created.push(object);
  },
);
const client = new S3Client({ endpoint: s3.endpoint, region: 'us-east-1', credentials });

afterAll(async () => {
  client.destroy();
  await s3.stop();
  rmSync(dir, { recursive: true });
});

/** Makes deletions of files take as long as on a slow disk, until the test ends. */
function slowDown() {
  const { rm } = promises;
  const remove = vi.spyOn(promises, 'rm').mockImplementation(async (...parameters: Parameters<typeof rm>) => {
    await sleep(5);
    return rm(...parameters);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  return remove;
}

/** Signs a form for one key, as the service does. */
const sign = (options: Partial<PresignedPostOptions> = {}, by = client) =>
  createPresignedPost(by, { Bucket: 'files', Key: 'a', ...options });

/** Sends a form with a file of five bytes. Returns the status and S3's error code, if any. */
async function sendForm({ url, fields }: Awaited<ReturnType<typeof sign>>, ...more: [name: string, value: string][]) {
  const form = new FormData();
  for (const [name, value] of [...Object.entries(fields), ...more]) form.append(name, value);
  form.append('file', new Blob(['hello']), 'hello.txt');
  const response = await fetch(url, { method: 'POST', body: form });
  return [response.status, /<Code>(\w+)/.exec(await response.text())?.[1]];
}

it('keeps objects intact while others in their folder are deleted', async () => {
  const body = Buffer.alloc(100_000, 'x');
  const round = async (i: number) => {
    const at = { Bucket: 'files', Key: `folder/${i}` };
    await client.send(new PutObjectCommand({ ...at, Body: body }));
    const { Body } = await client.send(new GetObjectCommand(at));
    expect((await Body?.transformToByteArray())?.length).toBe(body.length); // stored completely before the response
    await client.send(new DeleteObjectCommand(at));
    await expect(client.send(new GetObjectCommand(at))).rejects.toThrow('The specified key does not exist');
  };
  // Runs two lanes, so that the folder is sometimes empty.
  const lane = async (first: number) => {
    for (let i = first; i < first + getSampleSize(150); i++) await round(i);
  };
  await Promise.all([lane(0), lane(1_000)]);
});

it('deletes what is left of objects that were being written or deleted when its host was killed', async () => {
  const killed = mkdtempSync(join(tmpdir(), 's3-test-'));
  const write = (folder: string, ...resources: string[]) => {
    mkdirSync(join(killed, 's3', folder), { recursive: true });
    for (const resource of resources) writeFileSync(join(killed, 's3', folder, `x._S3rver_${resource}`), 'canary');
  };
  const stored = ['metadata.json', 'object', 'object.md5'];
  write('unfinished', 'object');
  write('files/a', ...stored);
  write('files/b', 'metadata.json', 'object.md5');
  write('files/c/d', 'metadata.json');
  write('files/e/f');
  await removeLeftovers(killed);
  await (await startS3(killed, [{ name: 'files', configs: [] }], () => {})).stop();
  const files = stored.map((resource) => `s3/files/a/x._S3rver_${resource}`);
  expect(readdirSync(killed, { recursive: true }).toSorted()).toEqual(['s3', 's3/files', 's3/files/a', ...files]);
  rmSync(killed, { recursive: true });
});

it('stops while a connection is open that has sent nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 's3-test-'));
  const { endpoint, stop } = await startS3(folder, [{ name: 'files', configs: [] }], () => {});
  const connection = connect(Number(new URL(endpoint).port), '127.0.0.1');
  await once(connection, 'connect');
  await Promise.all([once(connection, 'close'), stop()]);
  rmSync(folder, { recursive: true });
});

it('reads no folders at its start, and ends a deletion, but not all of a request, when it stops', async () => {
  const stopped = mkdtempSync(join(tmpdir(), 's3-test-'));
  const start = () => startS3(stopped, [{ name: 'files', configs: [] }], () => {});
  const first = await start();
  const user = new S3Client({ endpoint: first.endpoint, region: 'us-east-1', credentials });
  const keys = Array.from({ length: 50 }, (_, i) => `deleted/${i}`);
  for (const Key of keys) await user.send(new PutObjectCommand({ Bucket: 'files', Key, Body: 'x' }));
  const remove = slowDown();
  const Delete = { Objects: keys.map((Key) => ({ Key })) };
  user.send(new DeleteObjectsCommand({ Bucket: 'files', Delete })).catch(() => {}); // the connection is closed
  await expect.poll(() => remove.mock.calls.length).toBeGreaterThan(0);
  user.destroy();
  await first.stop();
  const files = readdirSync(join(stopped, 's3', 'files', 'deleted'));
  expect(files.length).toBeGreaterThan(0);
  expect(files.length % 3).toBe(0);
  const read = vi.spyOn(promises, 'readdir');
  syncBuiltinESMExports();
  await (await start()).stop();
  expect(read).not.toHaveBeenCalled();
  expect(readdirSync(join(stopped, 's3', 'files', 'deleted'))).toEqual(files);
  rmSync(stopped, { recursive: true });
});

it('keeps no folder of deleted objects', async () => {
  for (const Key of ['owner/document/a', 'owner/b'])
    await client.send(new PutObjectCommand({ Bucket: 'other', Key, Body: 'hello' }));
  const listFolders = () =>
    readdirSync(join(dir, 's3', 'other'), { recursive: true }).filter((name) => !/_/.test(`${name}`));
  expect(listFolders().toSorted()).toEqual(['owner', join('owner', 'document')]);
  await client.send(new DeleteObjectCommand({ Bucket: 'other', Key: 'owner/document/a' }));
  expect(listFolders()).toEqual(['owner']);
  const Delete = { Objects: [{ Key: 'owner/b' }] };
  await client.send(new DeleteObjectsCommand({ Bucket: 'other', Delete }));
  expect(listFolders()).toEqual([]);
});

/** Lists the keys of each page of all versions. */
async function listVersionPages(Prefix: string, MaxKeys = 2): Promise<string[][]> {
  const pages: string[][] = [];
  let page: Partial<ListObjectVersionsCommandOutput> = {};
  do {
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    page = await client.send(
      new ListObjectVersionsCommand({ Bucket: 'files', Prefix, MaxKeys, KeyMarker, VersionIdMarker }),
    );
    pages.push((page.Versions ?? []).map(({ Key = '' }) => Key));
  } while (page.IsTruncated);
  return pages;
}

it('lists a folder page by page while objects are written into it and deleted', async () => {
  const stored = ['busy/0', 'busy/b/0', 'busy/c/d', 'busy/d/e/f', 'busy/x'];
  for (const Key of stored) await client.send(new PutObjectCommand({ Bucket: 'files', Key, Body: 'hello' }));
  let writing = true;
  const write = async (Key: string) => {
    for (let i = 0; i < getSampleSize(100); i++) {
      await client.send(new PutObjectCommand({ Bucket: 'files', Key, Body: 'hello' }));
      if (i % 2) await client.send(new DeleteObjectCommand({ Bucket: 'files', Key }));
    }
  };
  const expectAll = (keys: string[]) => {
    expect(keys).toEqual([...new Set(keys)].toSorted());
    expect(keys).toEqual(expect.arrayContaining(stored));
  };
  const list = async () => {
    while (writing) {
      const keys: string[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2(
        { client, pageSize: 2 },
        { Bucket: 'files', Prefix: 'busy/' },
      )) {
        keys.push(...Contents.map(({ Key = '' }) => Key));
        for (const { ETag, Size } of Contents) expect([ETag, Size]).toEqual(['"5d41402abc4b2a76b9719d911017c592"', 5]);
      }
      expectAll(keys);
      expectAll((await listVersionPages('busy/')).flat());
    }
  };
  const lists = Promise.all([list(), list()]);
  await Promise.all(['a', 'b', 'c', 'd/e', 'f/g/h'].map((name) => write(`busy/${name}`)));
  writing = false;
  await lists;
});

it.each([
  ['writes', new PutObjectCommand({ Bucket: 'files', Key: 'single', Body: 'x' })],
  ['deletes', new DeleteObjectCommand({ Bucket: 'files', Key: 'single' })],
])('%s an object after one of many deletions of another request, not after all', async (_, command) => {
  const keys = Array.from({ length: 50 }, (_, i) => `deleted/${i}`);
  for (const Key of [...keys, 'single']) await client.send(new PutObjectCommand({ Bucket: 'files', Key, Body: 'x' }));
  const remove = slowDown();
  const Delete = { Objects: keys.map((Key) => ({ Key })) };
  const deleted = client.send(new DeleteObjectsCommand({ Bucket: 'files', Delete }));
  await expect.poll(() => remove.mock.calls.length).toBeGreaterThan(0);
  await client.send(command as PutObjectCommand);
  expect(remove.mock.calls.length).toBeLessThan(150);
  await deleted;
  expect(remove.mock.calls.length).toBeGreaterThanOrEqual(150);
  await client.send(new DeleteObjectCommand({ Bucket: 'files', Key: 'single' }));
});

describe('a list', () => {
  /** Watches the reads of folders. */
  function watchFolders() {
    const read = vi.spyOn(promises, 'readdir');
    syncBuiltinESMExports();
    onTestFinished(() => {
      read.mockRestore();
      syncBuiltinESMExports();
    });
    return read;
  }

  const put = async (...keys: string[]) => {
    for (const Key of keys) await client.send(new PutObjectCommand({ Bucket: 'files', Key, Body: 'hello' }));
  };

  it('lets writes and deletions pass while it reads folders', async () => {
    await put('slow/a');
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const { readdir } = promises;
    const read = watchFolders();
    read.mockImplementation((async (...parameters: Parameters<typeof readdir>) => {
      await opened;
      return readdir(...parameters);
    }) as never);
    const listed = listVersionPages('slow/');
    await expect.poll(() => read.mock.calls.length).toBe(1);
    await put('slow/b', 'slow/c');
    await client.send(new DeleteObjectCommand({ Bucket: 'files', Key: 'slow/a' }));
    open();
    expect(await listed).toEqual([['slow/b', 'slow/c']]);
  });

  it('reads folders for its first page only, and skips objects that were deleted since', async () => {
    await put('pages/a', 'pages/b/c', 'pages/d', 'pages/e/f', 'pages/g');
    const read = watchFolders();
    const list = paginateListObjectsV2({ client, pageSize: 2 }, { Bucket: 'files', Prefix: 'pages/' });
    const pages: (string | undefined)[][] = [];
    for await (const { Contents = [] } of list) {
      expect(read).toHaveBeenCalledTimes(3); // of pages/, b/ and e/
      pages.push(Contents.map(({ Key }) => Key));
      await client.send(new DeleteObjectCommand({ Bucket: 'files', Key: 'pages/e/f' }));
    }
    expect(pages).toEqual([['pages/a', 'pages/b/c'], ['pages/d'], ['pages/g']]);
    read.mockClear();
    expect(await listVersionPages('pages/')).toEqual([
      ['pages/a', 'pages/b/c'],
      ['pages/d', 'pages/g'],
    ]);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('has everything that was stored before it began, however many lists are unfinished', async () => {
    await put('many/a', 'many/b', 'many/c', 'mine/a', 'mine/b');
    const listPage = (input: Partial<ListObjectsV2CommandInput>) =>
      client.send(new ListObjectsV2Command({ Bucket: 'files', Prefix: 'many/', MaxKeys: 2, ...input }));
    const toKeys = ({ Contents = [] }: ListObjectsV2CommandOutput) => Contents.map(({ Key }) => Key);
    const first = await listPage({});
    await put('many/aa', 'many/d');
    const read = watchFolders();
    for (let i = 0; i < 10; i++) expect(toKeys(await listPage({}))).toEqual(['many/a', 'many/aa']);
    expect(toKeys(await listPage({ StartAfter: 'many/b' }))).toEqual(['many/c', 'many/d']);
    expect(read).toHaveBeenCalledTimes(11);
    const ContinuationToken = first.NextContinuationToken;
    expect(toKeys(await listPage({ ContinuationToken }))).toEqual(['many/c', 'many/d']); // no longer kept: read again
    expect(toKeys(await listPage({ ContinuationToken, Prefix: 'mine/' }))).toEqual(['mine/a', 'mine/b']);
  });
});

it('reports every new object, and nothing else', async () => {
  created.length = 0;
  const key = 'folder/ä + b.txt';
  const put = { bucket: 'files', key, size: 5, etag: '5d41402abc4b2a76b9719d911017c592' }; // md5 of "hello"
  await client.send(new PutObjectCommand({ Bucket: 'files', Key: key, Body: 'hello' }));
  expect(created.splice(0)).toEqual([{ ...put, reason: 'PutObject' }]);

  expect(await sendForm(await sign({ Key: 'form.txt' }))).toEqual([204, undefined]);
  expect(created.splice(0)).toEqual([{ ...put, key: 'form.txt', reason: 'POST Object' }]);

  await client.send(new CopyObjectCommand({ Bucket: 'files', Key: 'copy.txt', CopySource: 'files/form.txt' }));
  expect(created.splice(0)).toEqual([{ ...put, key: 'copy.txt', reason: 'CopyObject' }]);

  await client.send(new GetObjectCommand({ Bucket: 'files', Key: key }));
  await client.send(new DeleteObjectCommand({ Bucket: 'files', Key: key }));
  const aborted = new AbortController();
  const endless = new ReadableStream({
    pull: (controller) => {
      controller.enqueue(new Uint8Array(1_000));
      aborted.abort();
    },
  });
  const cut = { method: 'PUT', body: endless, duplex: 'half', signal: aborted.signal } as RequestInit;
  await expect(fetch(`${s3.endpoint}/files/cut.txt`, cut)).rejects.toThrow();
  await expect(
    client.send(new CopyObjectCommand({ Bucket: 'files', Key: 'x', CopySource: 'files/y' })),
  ).rejects.toThrow();
  expect(created).toEqual([]);
});

it('lists versions page by page like an unversioned bucket, and deletes them', async () => {
  const keys = ['versions/a', 'versions/b & c', 'versions/ä'];
  for (const Key of [...keys, 'version'])
    await client.send(new PutObjectCommand({ Bucket: 'files', Key, Body: 'hello' }));
  const list = (KeyMarker?: string) =>
    client.send(new ListObjectVersionsCommand({ Bucket: 'files', Prefix: 'versions/', MaxKeys: 2, KeyMarker }));
  const first = await list();
  const second = await list(first.NextKeyMarker);
  expect([first.IsTruncated, second.IsTruncated]).toEqual([true, false]);
  const versions = [...(first.Versions ?? []), ...(second.Versions ?? [])];
  expect(versions.map(({ Key, VersionId, IsLatest, Size, ETag }) => [Key, VersionId, IsLatest, Size, ETag])).toEqual(
    keys.map((key) => [key, 'null', true, 5, '"5d41402abc4b2a76b9719d911017c592"']),
  );
  const Objects = versions.map(({ Key, VersionId }) => ({ Key: Key ?? '', VersionId }));
  await client.send(new DeleteObjectsCommand({ Bucket: 'files', Delete: { Objects } }));
  expect((await list()).Versions).toBeUndefined();
});

it('lists objects page by page, sorted by key', async () => {
  const keys = ['list/a', 'list/b & c', 'list/d', 'list/e/f', 'list/ä'];
  for (const Key of [...keys, 'lis']) await client.send(new PutObjectCommand({ Bucket: 'files', Key, Body: 'hello' }));
  const pages: ListObjectsV2CommandOutput[] = [];
  const list = paginateListObjectsV2({ client, pageSize: 2 }, { Bucket: 'files', Prefix: 'list/' });
  for await (const page of list) pages.push(page);
  expect(pages.map(({ KeyCount }) => KeyCount)).toEqual([2, 2, 1]);
  const found = pages.flatMap(({ Contents = [] }) => Contents);
  expect(found.map(({ Key, Size, ETag }) => [Key, Size, ETag])).toEqual(
    keys.map((key) => [key, 5, '"5d41402abc4b2a76b9719d911017c592"']),
  );
  expect(found[0]?.LastModified).toBeInstanceOf(Date);
});

describe('a form', () => {
  it('stores a file that satisfies its policy', async () => {
    const Conditions: PresignedPostOptions['Conditions'] = [
      ['content-length-range', 5, 5],
      ['starts-with', '$x-amz-meta-note', 'n'],
    ];
    expect(await sendForm(await sign({ Key: 'forms/ä + b', Conditions }), ['x-amz-meta-note', 'new'])).toEqual([
      204,
      undefined,
    ]);
    const { Body } = await client.send(new GetObjectCommand({ Bucket: 'files', Key: 'forms/ä + b' }));
    expect(await Body?.transformToString()).toBe('hello');
  });

  it('is rejected without a signature, or with that of another policy', async () => {
    const { url, fields } = await sign();
    expect(await sendForm({ url, fields: { key: 'a' } })).toEqual([403, 'AccessDenied']);
    const { Policy: _, ...unsigned } = fields;
    expect(await sendForm({ url, fields: unsigned })).toEqual([403, 'AccessDenied']);
    const { Policy = '' } = (await sign({ Key: 'b' })).fields;
    expect(await sendForm({ url, fields: { ...fields, key: 'b', Policy } })).toEqual([403, 'SignatureDoesNotMatch']);
    const keyPair = { accessKeyId: credentials.accessKeyId, secretAccessKey: 'S3RVER' };
    const forger = new S3Client({ endpoint: s3.endpoint, region: 'us-east-1', credentials: keyPair });
    expect(await sendForm(await sign({}, forger))).toEqual([403, 'SignatureDoesNotMatch']);
    forger.destroy();
    const unknown = fields['X-Amz-Credential']?.replace(credentials.accessKeyId, 'OTHER') ?? '';
    expect(await sendForm({ url, fields: { ...fields, 'X-Amz-Credential': unknown } })).toEqual([
      403,
      'InvalidAccessKeyId',
    ]);
  });

  const boundary = 'b'.repeat(30); // the shortest that the parser takes has 27
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };

  /** Sends a form of a page, which anybody can write. Returns the error's code. */
  async function sendBody(body: string): Promise<string | undefined> {
    const response = await fetch(`${s3.endpoint}/files`, { method: 'POST', headers, body });
    return /<Code>(\w+)/.exec(await response.text())?.[1];
  }
  const disposition = `--${boundary}\r\nContent-Disposition: form-data; name=`;
  const end = `--${boundary}--`;
  const size = 49_000_000;

  it.each([
    ['parts', `${disposition}"a"; filename="a"\r\n\r\n\r\n`.repeat(size / 96)],
    ['headers', `--${boundary}\r\n${'a: b\r\n'.repeat(size / 6)}\r\n\r\n${end}`],
    ['parameters of a header', `${disposition}"a"${'; a=b'.repeat(size / 5)}\r\n\r\n\r\n${end}`],
    ['characters of a field', `${disposition}"a"\r\n\r\n${'a'.repeat(size)}\r\n${disposition}"file"\r\n\r\n\r\n${end}`],
    ['characters of its file name', `${disposition}"file"; filename="${'%22'.repeat(size / 3)}"\r\n\r\nx\r\n${end}`],
  ])('is rejected if it has millions of %s', async (_, body) => {
    expect(await sendBody(body)).toBe('MaxPostPreDataLengthExceeded');
  });

  it('is read up to its file only', async () => {
    const { url, fields } = await sign({ Key: 'forms/first' });
    const parts = Object.entries(fields).map(([name, value]) => `${disposition}"${name}"\r\n\r\n${value}\r\n`);
    const file = (content: string) => `${disposition}"File"; filename="a"\r\n\r\n${content}\r\n`;
    const body = `${parts.join('')}${file('first')}${file('second')}--${boundary}\r\n${'a: b\r\n'.repeat(size / 6)}`;
    const response = await fetch(url, { method: 'POST', headers, body });
    expect([response.status, await response.text()]).toEqual([204, '']);
    const { Body } = await client.send(new GetObjectCommand({ Bucket: 'files', Key: 'forms/first' }));
    expect(await Body?.transformToString()).toBe('first');
  });

  it('is rejected, without a computation for each, if its credential has more parts than a signature', async () => {
    const { url, fields } = await sign();
    const credential = `${credentials.accessKeyId}${'/a'.repeat(9_000)}`;
    expect(await sendForm({ url, fields: { ...fields, 'X-Amz-Credential': credential } })).toEqual([
      400,
      'InvalidArgument',
    ]);
  });

  it('is rejected once it has expired', async () => {
    expect(await sendForm(await sign({ Expires: -1 }))).toEqual([403, 'AccessDenied']);
  });

  it('is rejected if its policy does not hold', async () => {
    const { url, fields } = await sign();
    expect(await sendForm({ url, fields: { ...fields, key: 'b' } })).toEqual([403, 'AccessDenied']);
    expect(await sendForm({ url: `${s3.endpoint}/other`, fields })).toEqual([403, 'AccessDenied']);
    expect(await sendForm({ url, fields }, ['x-amz-meta-note', 'x'])).toEqual([403, 'AccessDenied']);
    expect(await sendForm({ url, fields }, ['key', 'b'])).toEqual([400, 'InvalidArgument']);
    const signWithRange = (least: number, most: number) =>
      sign({ Conditions: [['content-length-range', least, most]] });
    expect(await sendForm(await signWithRange(1, 4))).toEqual([400, 'EntityTooLarge']);
    expect(await sendForm(await signWithRange(6, 9))).toEqual([400, 'EntityTooSmall']);
    const noted = await sign({ Conditions: [['eq', '$x-amz-meta-note', 'a']] });
    expect(await sendForm(noted, ['x-amz-meta-note', 'b'])).toEqual([403, 'AccessDenied']);
    expect(await sendForm(noted)).toEqual([403, 'AccessDenied']);
  });
});

/** Starts to send a form with the fields of a signed one and a file of any size. */
function startForm(fields: Record<string, string>, headers: Record<string, string> = {}) {
  const boundary = 'x'.repeat(30);
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const type = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const sent = request(`${s3.endpoint}/files`, { method: 'POST', agent: false, headers: { ...type, ...headers } });
  sent.on('error', () => {});
  sent.write(`${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`);
  const answered = once(sent, 'response').then(async ([response]) => [
    response.statusCode,
    /<Code>(\w+)/.exec(await text(response))?.[1],
  ]);
  return { write: (chunk: Buffer) => sent.write(chunk), end: () => sent.end(`\r\n--${boundary}--\r\n`), answered };
}

describe('an unfinished form', () => {
  it.each<Record<string, string>>([
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ])('of a page elsewhere is refused before its file is read: %j', async (headers) => {
    const form = startForm((await sign()).fields, headers);
    expect(await form.answered).toEqual([403, 'AccessDenied']);
    form.end();
    expect(await sendRaw('OPTIONS', '/files', { ...headers, 'access-control-request-method': 'POST' })).toBe(403);
  });

  it('is refused, once it ends, if it is larger than the largest document', async () => {
    const form = startForm((await sign()).fields);
    for (let i = 0; i < 51; i++) form.write(Buffer.alloc(1_000_000));
    form.end();
    expect(await form.answered).toEqual([400, 'EntityTooLarge']);
  });

  it('lets others wait if two are in memory', async () => {
    const { fields } = await sign();
    const order: string[] = [];
    const note =
      (name: string) =>
      ([status]: unknown[]) =>
        order.push(`${name} ${status}`);
    const [first, second] = [startForm(fields), startForm(fields)];
    await sendRaw('GET', '/files/none'); // both have arrived
    const third = startForm(fields);
    third.end();
    const waiting = third.answered.then(note('third'));
    for (let i = 0; i < 10; i++) await sendRaw('GET', '/files/none');
    expect(order).toEqual([]);
    first.end();
    await first.answered.then(note('first'));
    await waiting;
    second.end();
    await second.answered.then(note('second'));
    expect(order).toEqual(['first 204', 'third 204', 'second 204']);
  });
});

/** Sends a request without normalizing its path. Returns the status. */
const sendRaw = (method: string, path: string, headers: Record<string, string> = {}) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(s3.endpoint);
    request({ hostname, port, method, path, headers: { 'content-length': '0', ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

it('rejects keys and buckets with dot segments, so that it never leaves its folder', async () => {
  for (const path of [
    '/files/../../x',
    '/files/%2e%2e/%2E%2E/x',
    '/files/a%2f..%2fx',
    '/../x',
    '/%2e%2e/x',
    '/files/./x',
  ])
    for (const method of ['PUT', 'GET', 'DELETE']) expect(await sendRaw(method, path), `${method} ${path}`).toBe(400);
  expect(await sendRaw('GET', '/..?list-type=2')).toBe(400);
  expect(await sendRaw('PUT', '/files/x', { 'x-amz-copy-source': '/files/../../x' })).toBe(400);
  expect(await sendForm(await sign({ Key: '../../x' }))).toEqual([400, 'InvalidURI']);
  const Delete = { Objects: [{ Key: '../../x' }] };
  await expect(client.send(new DeleteObjectsCommand({ Bucket: 'files', Delete }))).rejects.toMatchObject({
    name: 'InvalidURI',
  });
  expect(readdirSync(dir)).toEqual(['s3']);
});

it('offers no other operations, which it might not check', async () => {
  await client.send(new PutObjectCommand({ Bucket: 'files', Key: 'secret', Body: 'canary' }));
  const offered = async (method: string, path: string, init: RequestInit = {}) =>
    (await fetch(`${s3.endpoint}${path}`, { method, ...init })).status;
  expect(await offered('PUT', '/files/copy?x-amz-copy-source=/files/secret')).toBe(501);
  expect(await offered('PUT', '/files/x?uploadId=..%2f..%2f..&partNumber=canary', { body: 'canary' })).toBe(501);
  expect(await offered('PUT', '/files?cors', { body: '<CORSConfiguration/>' })).toBe(501);
  for (const name of ['acl', 'grant-read', 'tagging', 'object-lock-mode', 'bypass-governance-retention'])
    expect(await offered('PUT', '/files/x', { headers: { [`x-amz-${name}`]: 'canary' } }), name).toBe(501);
  const unsigned = new FormData();
  unsigned.set('key', 'unsigned');
  unsigned.set('file', new Blob(['canary']));
  expect(await offered('POST', '/files?x=1', { body: unsigned })).toBe(501);
  expect(await offered('POST', '/files', { body: unsigned, headers: { 'x-amz-target': 'x' } })).toBe(501);
  for (const Key of ['copy', 'unsigned'])
    await expect(client.send(new GetObjectCommand({ Bucket: 'files', Key }))).rejects.toThrow('does not exist');
  expect(readdirSync(dir)).toEqual(['s3']);
});

it('answers lists to GET only', async () => {
  await client.send(new PutObjectCommand({ Bucket: 'files', Key: 'listed', Body: 'hello' }));
  for (const query of ['list-type=2', 'versions']) {
    const list = async (method: string) => (await fetch(`${s3.endpoint}/files?${query}`, { method })).text();
    expect(await list('GET')).toContain('<Key>listed</Key>');
    for (const method of ['POST', 'PUT', 'DELETE']) expect(await list(method), method).not.toContain('listed');
  }
});

it('closes the connection of a form that does not arrive in time, and of no other', async () => {
  const inTurn = createFormQueue(200);
  const server = createServer(async (form, response) => {
    await inTurn(form, () => readObjectBody(form)).catch(() => {}); // the connection was closed
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const send = () => request({ method: 'POST', port, headers: { 'content-length': 6 } });
  const [endless, fast] = [send(), send()];
  endless.write('hel');
  fast.end('hello!');
  const [response] = await once(fast, 'response');
  expect(response.statusCode).toBe(200);
  await expect(once(endless, 'response')).rejects.toThrow('socket hang up');
  server.close();
});

it('rejects requests of pages, webhooks and tools, and with foreign host names', async () => {
  await client.send(new PutObjectCommand({ Bucket: 'files', Key: 'page', Body: 'hello' }));
  expect(await sendRaw('GET', '/files/page')).toBe(200);
  expect(await sendRaw('GET', '/files/page', { host: 'localhost' })).toBe(200);
  const foreign: Record<string, string>[] = [
    { origin: 'http://localhost:3000' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'user-agent': 'voice-assistants-webhooks' },
    { 'user-agent': 'voice-assistants-tools' },
    { host: 'example.com' },
    { host: '127.0.0.1.example.com' },
  ];
  for (const headers of foreign) {
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(await sendRaw(method, '/files/page', headers), `${method} ${JSON.stringify(headers)}`).toBe(403);
  }
});
