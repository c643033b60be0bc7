import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { type Services, startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { deployed } from '../support/api.ts';

describe.skipIf(deployed)('a local service', () => {
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-bodies-'));
  let services: Services;
  let s3: S3Client;

  beforeAll(async () => {
    services = await startServices(dir, await synthesize());
    s3 = new S3Client({ endpoint: services.endpoints.AWS_ENDPOINT_URL_S3 ?? '', region: 'us-east-1', credentials });
  });
  afterAll(async () => {
    s3.destroy();
    await services.stop();
    rmSync(dir, { recursive: true });
  });

  const getEndpoint = (service: string) => services.endpoints[`AWS_ENDPOINT_URL_${service}`] ?? '';
  const getProxyUrl = () =>
    services.proxies.getEndpoints('voice-assistants-dev-knowledge-bases-create').AWS_ENDPOINT_URL_S3 ?? '';
  const targets = {
    KMS: 'TrentService.Encrypt',
    SQS: 'AmazonSQS.SendMessageBatch',
    DYNAMODB: 'DynamoDB_20120810.GetItem',
  };

  /** Sends megabytes without a content length. Returns the status and the error code, if any. */
  async function flood(url: string, megabytes: number, init: RequestInit = {}) {
    const chunk = new Uint8Array(1_000_000);
    const body = ReadableStream.from(Array.from({ length: megabytes }, () => chunk));
    const response = await fetch(url, { method: 'POST', body, duplex: 'half', ...init } as RequestInit);
    return [
      response.status,
      /<Code>(\w+)|"__type":"(?:.*#)?(\w+)"/
        .exec(await response.text())
        ?.slice(1)
        .find(Boolean),
    ];
  }

  it.each(['KMS', 'SQS'] as const)(
    'rejects large bodies, other methods and invalid JSON, and keeps running: %s',
    async (service) => {
      const headers = { 'x-amz-target': targets[service] };
      const post = async (body: string) => {
        const response = await fetch(getEndpoint(service), { method: 'POST', headers, body });
        return [response.status, ((await response.json()) as { __type: string }).__type];
      };
      for (const body of ['', '{', 'nonsense', 'null'])
        expect([body, ...(await post(body))]).toEqual([body, 400, 'SerializationException']);
      for (const method of ['OPTIONS', 'PUT', 'DELETE']) {
        const reply = await fetch(getEndpoint(service), { method, headers, body: '{}' });
        expect([method, reply.status, await reply.text()]).toEqual([method, 400, expect.stringContaining('UnknownOp')]);
      }
      expect(await flood(getEndpoint(service), 2, { headers })).toEqual([413, 'RequestEntityTooLargeException']);
      expect(await post('nonsense')).toEqual([400, 'SerializationException']);
    },
  );

  it('rejects large objects, forms and XML, and keeps running: S3', async () => {
    const Bucket = inject('bucketName');
    const url = `${getEndpoint('S3')}/${Bucket}`;
    expect(await flood(`${url}/uploads/large`, 101, { method: 'PUT' })).toEqual([400, 'EntityTooLarge']);
    expect(await flood(`${url}?delete`, 101)).toEqual([400, 'EntityTooLarge']);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    expect(await flood(url, 101, { headers })).toEqual([400, 'EntityTooLarge']);
    const at = { Bucket, Key: 'uploads/small' };
    await s3.send(new PutObjectCommand({ ...at, Body: 'hello' }));
    expect(await (await s3.send(new GetObjectCommand(at))).Body?.transformToString()).toBe('hello');
  });

  it('has a proxy that rejects large bodies and invalid JSON, and keeps running', async () => {
    const headers = { 'x-amz-target': targets.DYNAMODB };
    expect(await flood(getProxyUrl(), 17, { headers })).toEqual([413, 'RequestEntityTooLargeException']);
    const nonsense = await fetch(getProxyUrl(), { method: 'POST', headers, body: 'nonsense' });
    expect([nonsense.status, await nonsense.text()]).toEqual([400, expect.stringContaining('SerializationException')]);
    const url = `${getProxyUrl()}/${inject('bucketName')}/uploads/large`;
    expect(await flood(url, 101, { method: 'PUT' })).toEqual([400, 'EntityTooLarge']);
    const denied = await fetch(`${getProxyUrl()}/${inject('bucketName')}/transcripts/a`, { method: 'PUT', body: 'x' });
    expect(denied.status).toBe(403);
  });

  it('rejects large bodies, and keeps running: the issuer', async () => {
    const { url } = services.issuer;
    for (const path of ['/token', '/revoke', '/nowhere']) expect(await flood(url + path, 2)).toEqual([413, undefined]);
    expect((await fetch(`${url}/.well-known/jwks.json`)).status).toBe(200);
  });
});
