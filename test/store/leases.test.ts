import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, inject, it } from 'vitest';
import { saved } from '../../shared/domain/credential.ts';
import { Unavailable } from '../../shared/errors.ts';
import { faultyProxy } from '../support/faulty-proxy.ts';
import { useEmulator } from '../support/store.ts';

const kms = await faultyProxy(inject('kms'));
useEmulator({ AWS_ENDPOINT_URL_KMS: kms.url });
const credentials = await import('../../shared/store/credentials.ts');
const { encrypt } = await import('../../shared/store/secrets.ts');
const leases = await import('../../shared/store/leases.ts');

afterAll(() => kms.stop());
afterEach(() => {
  kms.decide = () => 'pass';
});

const owner = randomUUID();
const want = { service: 'openai', name: undefined };

await credentials.upsert(owner, 'openai', 'main', async (existing) => {
  const credential = saved(existing, { service_type: 'openai', name: 'main', api_key: 'sk-secret' });
  return { credential, secret: await encrypt('sk-secret', { user: owner, service: 'openai', name: 'main' }), also: [] };
});

describe('the keys for a call', () => {
  it('are decrypted once for each credential, however many roles need it', async () => {
    const found = await leases.find(owner, [want, want, 'no_service']);
    kms.seen.length = 0;
    expect(await leases.open(owner, found)).toMatchObject([
      { api_key: 'sk-secret', credential: { name: 'main' } },
      { api_key: 'sk-secret' },
      'no_service',
    ]);
    expect(kms.seen).toEqual(['Decrypt']);
  });

  it('are not handed over to another user', async () => {
    const found = await leases.find(owner, [want]);
    expect(await leases.open(randomUUID(), found)).toEqual(['undecryptable']);
  });

  it.each(['throttle', 'fail', 'reset'] as const)('are asked for again where KMS cannot answer (%s)', async (fault) => {
    const found = await leases.find(owner, [want]);
    kms.decide = () => fault;
    await expect(leases.open(owner, found)).rejects.toThrow(Unavailable);
  });

  it('of a credential that is deleted between two reads are missing', async () => {
    await leases.find(owner, [want]);
    await credentials.remove(owner, 'openai', 'main');
    expect(await leases.find(owner, [want])).toEqual(['missing']);
  });
});

describe('a service with very many credentials', () => {
  it('is still asked for the one called default', async () => {
    const crowded = randomUUID();
    const secret = Buffer.from('x');
    const save = (name: string) =>
      credentials.upsert(crowded, 'openai', name, async (existing) => ({
        credential: saved(existing, { service_type: 'openai', name, api_key: 'k' }),
        secret,
        also: [],
      }));
    for (let i = 0; i < 30; i++) await save(`a ${i}`);
    expect(await leases.find(crowded, [want])).toEqual(['ambiguous']);
    await save('default');
    expect(await leases.find(crowded, [want])).toMatchObject([{ credential: { name: 'default' } }]);
  });
});
