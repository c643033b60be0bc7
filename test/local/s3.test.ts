import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, expect, it } from 'vitest';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { startS3 } from '../../infra/local/emulators/s3.ts';

const dir = mkdtempSync(join(tmpdir(), 's3-test-'));
const s3 = await startS3(dir, ['files']);
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
