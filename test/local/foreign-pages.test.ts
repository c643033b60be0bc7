import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { chromiumPath, launch } from '../console/support/chromium.ts';
import { deployed } from '../support/api.ts';

describe.skipIf(deployed || !chromiumPath)('a page of another origin on this machine', () => {
  const server = createServer((_, response) => response.end('<!doctype html><title>Elsewhere</title>'));
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    browser = await launch();
    page = await browser.newPage();
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  interface Init {
    mode?: 'no-cors';
    method?: string;
    headers?: Record<string, string>;
    body?: string;
  }

  /** Sends a request from the page. Returns the part of the response that the page can read. */
  const fetchAsPage = (url: string, init: Init = {}) =>
    page.evaluate(
      ([address, options]) =>
        fetch(address, options).then(
          async (response) => (response.type === 'opaque' ? 'sent' : `${response.status} ${await response.text()}`),
          () => 'failed',
        ),
      [url, init] as const,
    );

  it('cannot reach the table, not even with no-cors requests', async () => {
    const url = inject('dynamoDb');
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.ListTables',
      'x-amz-date': '20260101T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    };
    expect(await fetchAsPage(url, { method: 'POST', headers, body: '{}' })).toBe('failed');
    expect(await fetchAsPage(url, { mode: 'no-cors', method: 'POST', body: '{}' })).toBe('failed');
    expect(await fetchAsPage(url, { mode: 'no-cors' })).toBe('failed');
  });

  it('cannot read or write files', async () => {
    const bucket = `${inject('s3')}/${inject('bucketName')}`;
    expect(await fetchAsPage(`${bucket}?list-type=2`)).toBe('failed');
    expect(await fetchAsPage(`${bucket}/uploads/page`, { method: 'PUT', body: 'x' })).toBe('failed');
    expect(await fetchAsPage(bucket, { mode: 'no-cors', method: 'POST', body: 'x' })).toBe('sent');
    const sent = await page.evaluate(async (address) => {
      const form = new FormData();
      form.append('key', 'uploads/page');
      form.append('file', new File(['x'], 'x.txt'));
      return (await fetch(address, { method: 'POST', body: form })).text();
    }, bucket);
    expect(sent).toContain('<Code>AccessDenied</Code>'); // the page can read the error, as on AWS
    expect((await fetch(`${bucket}/uploads/page`)).status).toBe(404);
  });

  it('cannot encrypt or decrypt', async () => {
    const headers = { 'x-amz-target': 'TrentService.Decrypt' };
    expect(await fetchAsPage(inject('kms'), { method: 'POST', headers, body: '{}' })).toBe('failed');
    const asPage = { ...headers, origin: 'http://localhost:3000' };
    for (const method of ['POST', 'OPTIONS', 'PUT'])
      expect((await fetch(inject('kms'), { method, headers: asPage, body: '{}' })).status, method).toBe(403);
  });

  it('cannot send messages to queues', async () => {
    const headers = { 'x-amz-target': 'AmazonSQS.SendMessageBatch', origin: 'http://localhost:3000' };
    expect(await fetchAsPage(inject('sqs'), { mode: 'no-cors', method: 'POST', body: '{}' })).toBe('sent');
    expect((await fetch(inject('sqs'), { method: 'POST', headers, body: '{}' })).status).toBe(403);
  });
});

it.skipIf(deployed)('a page of another machine cannot start functions', async () => {
  const ask = async (headers: Record<string, string>, method = 'GET') => {
    const asking = request(`${inject('baseUrl')}/protected`, { method, headers }).end();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  const crossSite = { 'sec-fetch-site': 'cross-site' };
  const webSocket = { connection: 'Upgrade', upgrade: 'websocket' };
  const origins = { here: { origin: 'http://localhost:3000' }, elsewhere: { origin: 'http://elsewhere.example' } };
  expect(await ask(crossSite)).toBe(403);
  expect(await ask({ ...crossSite, ...origins.elsewhere })).toBe(403);
  expect(await ask({ ...webSocket, ...origins.elsewhere })).toBe(403);
  expect(await ask(origins.elsewhere)).toBe(403); // as WebKit sends redirected and synchronous requests
  expect(await ask({ origin: 'null' })).toBe(403); // redirected twice
  expect(await ask({ ...origins.elsewhere, 'access-control-request-headers': 'authorization' }, 'OPTIONS')).toBe(403);
  expect(await ask({ ...origins.elsewhere, authorization: 'Bearer x' })).toBe(401); // a page cannot send this unasked
  expect(await ask({ host: 'elsewhere.example' })).toBe(403); // a name whose address is 127.0.0.1
  expect(await ask({ 'sec-fetch-site': 'none', 'sec-purpose': 'prefetch' })).toBe(403); // by rules for speculation
  expect(await ask({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'no-cors' })).toBe(403); // a certificate that a page's server names
  expect(await ask({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).toBe(401);
  expect(await ask({ ...crossSite, ...origins.here })).toBe(401);
  expect(await ask({ ...webSocket, ...origins.here })).toBe(401);
  expect(await ask({ 'sec-fetch-site': 'same-site' })).toBe(401);
  expect(await ask({ upgrade: 'h2c' })).toBe(401); // as Java's client asks for HTTP/2
});
