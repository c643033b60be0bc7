import { once } from 'node:events';
import { createServer, request as requestHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { createWebhookReceiver } from '../../infra/commands/local/webhook-receiver.ts';

const secret = `whsec_${Buffer.from('a secret of many letters').toString('base64')}`;
/** Starts a receiver that fails `failures` times. Returns its URL, a function that sends it a body, and what it has printed. */
async function startReceiver(failures: number) {
  const printed: string[] = [];
  const server = createServer(createWebhookReceiver({ secret, failures }, (text) => printed.push(text)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const post = async (body: string, headers: Record<string, string> = {}) =>
    (await fetch(url, { method: 'POST', body, headers })).status;
  return { url, post, printed };
}

const sign = (id: string, body: string) => {
  const timestamp = new Date();
  const signature = new Webhook(secret).sign(id, timestamp, body);
  return {
    'webhook-id': id,
    'webhook-timestamp': `${(timestamp.getTime() / 1000) | 0}`,
    'webhook-signature': signature,
  };
};

it('prints deliveries and whether their signature is valid, and fails the first ones', async () => {
  const { post, printed } = await startReceiver(1);
  expect(await post('{"a":1}', sign('one', '{"a":1}'))).toBe(500);
  expect(await post('{"a":2}', sign('two', '{"a":1}'))).toBe(200);
  expect(printed).toEqual([
    'one: signature is valid, answered 500\n{"a":1}\n',
    'two: SIGNATURE IS INVALID: No matching signature found, answered 200\n{"a":2}\n',
  ]);
});

it('prints nothing that a terminal obeys', async () => {
  const { post, printed } = await startReceiver(0);
  await post('\u001b]0;owned\u0007 ä\none: signature is valid');
  await post('x', sign('one: signature is valid, answered 200', 'x'));
  expect(printed.join()).not.toContain('one: signature is valid, answered');
  expect(printed[0]).toMatch(/^not a webhook: /);
  expect(printed.join()).toContain('\n\\u{1b}]0;owned\\u{7} ä\\u{a}one: signature is valid\n');
});

it('refuses what is no delivery: from a page, another method, too large, or cut', async () => {
  const { url, post, printed } = await startReceiver(0);
  expect(await post('x', { origin: 'https://evil.example' })).toBe(403);
  expect(await post('x', { 'sec-fetch-site': 'same-site' })).toBe(403);
  expect((await fetch(url)).status).toBe(405);
  expect(await post('x'.repeat(1_000_001))).toBe(413);
  const cut = requestHttp(url, { method: 'POST', headers: { 'content-length': '10' } }).on('error', () => {});
  cut.write('x', () => cut.destroy());
  await new Promise((resolve) => cut.once('close', resolve));
  expect(await post('x')).toBe(200);
  expect(printed).toHaveLength(1);
});
