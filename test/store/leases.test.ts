import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, inject, it } from 'vitest';
import { toSavedCredential } from '../../shared/domain/credential.ts';
import { Unavailable } from '../../shared/errors.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { useEmulator } from '../support/store.ts';

const kms = await startFaultyProxy(inject('kms'));
useEmulator({ AWS_ENDPOINT_URL_KMS: kms.url });
const credentials = await import('../../shared/store/credentials/credentials.ts');
const { encrypt } = await import('../../shared/store/secrets.ts');
const leases = await import('../../shared/store/credentials/leases.ts');

afterAll(() => kms.stop());
afterEach(() => {
  kms.decide = () => 'pass';
});

const owner = randomUUID();
const openai = { service: 'openai', name: undefined };

await credentials.upsert(owner, 'openai', 'main', async (existing) => {
  const credential = toSavedCredential(existing, { service_type: 'openai', name: 'main', api_key: 'sk-secret' });
  return {
    credential,
    secret: await encrypt('sk-secret', { user: owner, service: 'openai', name: 'main' }),
    extraWrites: [],
  };
});

describe('the vendor keys of a call', () => {
  it('are decrypted once for each credential, even if several roles need it', async () => {
    const found = await leases.findCredentials(owner, [openai, openai, 'no_service']);
    kms.seen.length = 0;
    expect(await leases.decryptCredentials(owner, found)).toMatchObject([
      { api_key: 'sk-secret', credential: { name: 'main' } },
      { api_key: 'sk-secret' },
      'no_service',
    ]);
    expect(kms.seen).toEqual(['Decrypt']);
  });

  it('cannot be decrypted for another user', async () => {
    const found = await leases.findCredentials(owner, [openai]);
    expect(await leases.decryptCredentials(randomUUID(), found)).toEqual(['undecryptable']);
  });

  it.each(['throttle', 'fail', 'reset'] as const)('are unavailable while KMS fails (%s)', async (fault) => {
    const found = await leases.findCredentials(owner, [openai]);
    kms.decide = () => fault;
    await expect(leases.decryptCredentials(owner, found)).rejects.toThrow(Unavailable);
  });

  it('are missing once the credential is deleted', async () => {
    await leases.findCredentials(owner, [openai]);
    await credentials.remove(owner, 'openai', 'main', () => []);
    expect(await leases.findCredentials(owner, [openai])).toEqual(['missing']);
  });
});

describe('a service with many credentials', () => {
  it('uses the one named default', async () => {
    const crowded = randomUUID();
    const secret = Buffer.from('x');
    const save = (name: string) =>
      credentials.upsert(crowded, 'openai', name, async (existing) => ({
        credential: toSavedCredential(existing, { service_type: 'openai', name, api_key: 'k' }),
        secret,
        extraWrites: [],
      }));
    for (let i = 0; i < 30; i++) await save(`a ${i}`);
    expect(await leases.findCredentials(crowded, [openai])).toEqual(['ambiguous']);
    await save('default');
    expect(await leases.findCredentials(crowded, [openai])).toMatchObject([{ credential: { name: 'default' } }]);
  });
});
