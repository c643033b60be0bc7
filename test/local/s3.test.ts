import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  type ListObjectsV2CommandOutput,
  ListObjectVersionsCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, expect, it } from 'vitest';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { type CreatedObject, startS3 } from '../../infra/local/emulators/s3.ts';

const dir = mkdtempSync(join(tmpdir(), 's3-test-'));
const created: CreatedObject[] = [];
const s3 = await startS3(dir, [{ name: 'files', configs: [] }], (object) => {
  created.push(object);
});
const client = new S3Client({ endpoint: s3.endpoint, region: 'us-east-1', credentials });

afterAll(async () => {
  client.destroy();
  await s3.stop();
  rmSync(dir, { recursive: true });
});

it('outlives files that are written while others of their folder go', async () => {
  const body = Buffer.alloc(100_000, 'x');
  const round = async (i: number) => {
    const at = { Bucket: 'files', Key: `folder/${i}` };
    await client.send(new PutObjectCommand({ ...at, Body: body }));
    const { Body } = await client.send(new GetObjectCommand(at));
    expect((await Body?.transformToByteArray())?.length).toBe(body.length); // written whole before it is answered
    await client.send(new DeleteObjectCommand(at));
    await expect(client.send(new GetObjectCommand(at))).rejects.toThrow('The specified key does not exist');
  };
  // Two at a time, so that the folder is empty now and then.
  const lane = async (first: number) => {
    for (let i = first; i < first + 150; i++) await round(i);
  };
  await Promise.all([lane(0), lane(1_000)]);
});

it('tells of every object that comes to be, and of nothing else', async () => {
  created.length = 0;
  const key = 'folder/ä + b.txt';
  const put = { bucket: 'files', key, size: 5, etag: '5d41402abc4b2a76b9719d911017c592' }; // md5 of "hello"
  await client.send(new PutObjectCommand({ Bucket: 'files', Key: key, Body: 'hello' }));
  expect(created.splice(0)).toEqual([{ ...put, reason: 'PutObject' }]);

  const form = new FormData();
  form.append('key', 'form.txt');
  form.append('file', new Blob(['hello']), 'hello.txt');
  expect((await fetch(`${s3.endpoint}/files`, { method: 'POST', body: form })).status).toBe(204);
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

it('lists versions as a bucket does that keeps none, page by page, and deletes them', async () => {
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

it('lists objects page by page, in the order of their keys', async () => {
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
