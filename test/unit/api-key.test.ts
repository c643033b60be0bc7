import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildApiKey,
  buildReplacement,
  findSecretFault,
  generateSecret,
  hasExpired,
  hashSecret,
  type StoredApiKey,
  toGraceEnd,
  toHour,
} from '../../shared/domain/api-key.ts';
import { Conflict } from '../../shared/errors.ts';

const holder = { owner: 'o', user_id: 'u' };
const createKey = (expires_at: string | null = null) =>
  buildApiKey({ name: 'n', scopes: ['read'], expires_at }, holder, generateSecret('dev'));

describe('the secret of a key', () => {
  test('is a single word with its environment, random digits and a checksum', () => {
    const secrets = Array.from({ length: 200 }, () => generateSecret('dev'));
    for (const secret of secrets) {
      expect(secret).toMatch(/^va_dev_[0-9a-z]{57}$/);
      expect(findSecretFault(secret, 'dev')).toBeUndefined();
    }
    expect(new Set(secrets).size).toBe(secrets.length);
  });

  test('has a checksum that detects any typo of one character', () => {
    const letters = [...'0123456789abcdefghijklmnopqrstuvwxyz'];
    fc.assert(
      fc.property(fc.nat(63), fc.constantFrom(...letters), (place, letter) => {
        const secret = generateSecret('dev');
        fc.pre(secret[place] !== letter);
        const mistyped = secret.slice(0, place) + letter + secret.slice(place + 1);
        expect(findSecretFault(mistyped, 'dev')).toMatch(/mistyped|environment/);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => findSecretFault(text, 'dev') !== undefined));
  });

  test('has a separate fault if it belongs to another environment', () => {
    expect(findSecretFault(generateSecret('prod'), 'dev')).toMatch(/another environment/);
    expect(findSecretFault(generateSecret('my-own-env2'), 'my-own-env2')).toBeUndefined();
  });

  test('is stored as a hash only', () => {
    const secret = generateSecret('dev');
    expect(
      JSON.stringify(buildApiKey({ name: 'n', scopes: ['read'], expires_at: null }, holder, secret)),
    ).not.toContain(secret.slice(7, 57));
    expect(hashSecret(secret)).toHaveLength(43);
  });
});

describe('the lifetime of an API key', () => {
  test('ends at its expiry', () => {
    expect(hasExpired({ expires_at: null })).toBe(false);
    const at = '2026-11-21T07:00:00.000Z';
    expect([
      hasExpired({ expires_at: at }, Date.parse(at) - 1),
      hasExpired({ expires_at: at }, Date.parse(at)),
    ]).toEqual([false, true]);
  });

  test('is tracked by the hour', () => {
    expect(toHour(Date.parse('2026-11-21T07:59:59.999Z'))).toBe('2026-11-21T07:00:00.000Z');
  });

  test('continues for the grace period after a replacement, but never beyond its expiry', () => {
    const soon = new Date(Date.now() + 1_000).toISOString();
    expect(toGraceEnd(createKey(soon), 60)).toBe(soon);
    expect(Date.parse(toGraceEnd(createKey(), 60)) - Date.now()).toBeGreaterThan(59_000);
  });

  test('cannot be renewed after it has ended, or after a replacement', () => {
    const replace = (old: StoredApiKey) => () => buildReplacement(old, generateSecret('dev'), undefined);
    expect(replace({ ...createKey(), replaced_by: 'x' })).toThrow(Conflict);
    expect(replace(createKey('2020-01-01T00:00:00.000Z'))).toThrow(Conflict);
  });

  test('has the quota of the one that it replaces, and the tier of the person who rotates it', () => {
    const old = { ...createKey(), quota: { completions: 5 }, tier: 'free' };
    expect(buildReplacement(old, generateSecret('dev'), 'pro')).toMatchObject({ quota: old.quota, tier: 'pro' });
  });
});
