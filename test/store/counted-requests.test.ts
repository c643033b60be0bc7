import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { buildApiKey, generateSecret } from '../../shared/domain/api-key.ts';
import { toUserKey } from '../../shared/store/table/keys.ts';
import { useEmulator } from '../support/store.ts';

useEmulator({
  ISSUER: 'http://127.0.0.1:9',
  AUDIENCES: 'web',
  JWKS_URI: 'http://127.0.0.1:9/jwks',
  CORS_ORIGINS: '',
  MACHINE_CLIENTS: '{}',
});
const apiKeys = await import('../../shared/store/api-keys/api-keys.ts');
const { listUse } = await import('../../shared/store/quota-counts.ts');
const { listKeyLimits } = await import('../../shared/domain/quota.ts');
const { handler } = await import('../../functions/jobs/create.ts');

const quota = { completions: 100 };

/** Creates an API key, and returns what sends a job of two requests with it, and its count. */
async function createSender() {
  const [owner, secret] = [toUserKey('issuer', randomUUID()), generateSecret('test')];
  const key = buildApiKey({ name: 'n', scopes: ['chat'], quota }, { owner, user_id: 'ada' }, secret);
  await apiKeys.insert(key, []);
  const body = { model: randomUUID(), messages: [{ role: 'user', content: 'Hello' }] };
  const requests = ['one', 'two'].map((custom_id) => ({ custom_id, body }));
  return {
    async send(idempotencyKey: string): Promise<number> {
      const event = {
        headers: { authorization: `Bearer ${secret}`, 'idempotency-key': idempotencyKey },
        httpMethod: 'POST',
        body: JSON.stringify({ requests }),
        requestContext: { requestId: randomUUID(), path: '/batch/chat/completions' },
      };
      return (await handler(event as unknown as APIGatewayProxyEvent, {} as Context)).statusCode;
    },
    getUsed: async () => (await listUse(owner, listKeyLimits(key.id, quota)))[0]?.used,
  };
}

describe('a request that counts', () => {
  it('counts once though repeats of it run at the same time, since those that lose are refunded', async () => {
    const { send, getUsed } = await createSender();
    const statuses = await Promise.all(Array(8).fill('the-same').map(send));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await getUsed()).toBe(2);
  });

  it('counts each time under another key', async () => {
    const { send, getUsed } = await createSender();
    await Promise.all(['one', 'another'].map(send));
    expect(await getUsed()).toBe(4);
  });
});
