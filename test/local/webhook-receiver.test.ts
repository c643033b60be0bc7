import { once } from 'node:events';
import { createServer, request as requestHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import { createWebhookReceiver } from '../../infra/commands/local/webhook-receiver.ts';

const secret = `whsec_${Buffer.from('a secret of many letters').toString('base64')}`;
const printed: string[] = [];
const server = createServer(createWebhookReceiver({ secret, failures: 1 }, (text) => printed.push(text)));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
afterAll(() => server.close());

const sign = (id: string, body: string) => {
  const timestamp = new Date();
  const signature = new Webhook(secret).sign(id, timestamp, body);
  return {
    'webhook-id': id,
    'webhook-timestamp': `${(timestamp.getTime() / 1000) | 0}`,
    'webhook-signature': signature,
  };
};

const post = async (body: string, headers: Record<string, string> = {}) =>
  (await fetch(url, { method: 'POST', body, headers })).status;

it('prints deliveries and whether their signature is valid, and fails the first ones', async () => {
  expect(await post('{"a":1}', sign('one', '{"a":1}'))).toBe(500);
  expect(await post('{"a":2}', sign('two', '{"a":1}'))).toBe(200);
  expect(printed.splice(0)).toEqual([
    'one: signature is valid, answered 500\n{"a":1}\n',
    'two: SIGNATURE IS INVALID: No matching signature found, answered 200\n{"a":2}\n',
  ]);
});

it('prints nothing that a terminal obeys', async () => {
  await post('\u001b]0;owned\u0007 ä\n');
  expect(printed.splice(0).join()).toContain('\\u{1b}]0;owned\\u{7} ä\n');
});

it('refuses what is no delivery: from a page, another method, too large, or cut', async () => {
  expect(await post('x', { origin: 'https://evil.example' })).toBe(403);
  expect(await post('x', { 'sec-fetch-site': 'same-site' })).toBe(403);
  expect((await fetch(url)).status).toBe(405);
  expect(await post('x'.repeat(1_000_001))).toBe(413);
  const cut = requestHttp(url, { method: 'POST', headers: { 'content-length': '10' } }).on('error', () => {});
  cut.write('x', () => cut.destroy());
  await new Promise((resolve) => cut.once('close', resolve));
  expect(await post('x')).toBe(200);
  expect(printed.splice(0)).toHaveLength(1);
});
