import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  endAfter,
  faultOfSecret,
  hasExpired,
  hashOf,
  hourOf,
  newKey,
  replacementOf,
  secretFor,
} from '../../shared/domain/api-key.ts';
import { Conflict } from '../../shared/errors.ts';

const holder = { owner: 'o', user_id: 'u' };
const made = (expires_at: string | null = null) =>
  newKey({ name: 'n', scopes: ['read'], expires_at }, holder, secretFor('dev'));

describe('the secret of a key', () => {
  test('is one word of its environment, with 256 bits and a checksum', () => {
    const secrets = Array.from({ length: 200 }, () => secretFor('dev'));
    for (const secret of secrets) {
      expect(secret).toMatch(/^va_dev_[0-9a-z]{57}$/);
      expect(faultOfSecret(secret, 'dev')).toBeUndefined();
    }
    expect(new Set(secrets).size).toBe(secrets.length);
  });

  test('that is mistyped anywhere is known without asking', () => {
    const letters = [...'0123456789abcdefghijklmnopqrstuvwxyz'];
    fc.assert(
      fc.property(fc.nat(63), fc.constantFrom(...letters), (place, letter) => {
        const secret = secretFor('dev');
        fc.pre(secret[place] !== letter);
        const mistyped = secret.slice(0, place) + letter + secret.slice(place + 1);
        expect(faultOfSecret(mistyped, 'dev')).toMatch(/mistyped|environment/);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => faultOfSecret(text, 'dev') !== undefined));
  });

  test('of another environment is told from a mistyped one', () => {
    expect(faultOfSecret(secretFor('prod'), 'dev')).toMatch(/another environment/);
    expect(faultOfSecret(secretFor('my-own-env2'), 'my-own-env2')).toBeUndefined();
  });

  test('is stored as a hash, in which it is not found', () => {
    const secret = secretFor('dev');
    expect(JSON.stringify(newKey({ name: 'n', scopes: ['read'], expires_at: null }, holder, secret))).not.toContain(
      secret.slice(7, 57),
    );
    expect(hashOf(secret)).toHaveLength(43);
  });
});

describe('the life of a key', () => {
  test('ends at its time', () => {
    expect(hasExpired({ expires_at: null })).toBe(false);
    const at = '2026-11-21T07:00:00.000Z';
    expect([
      hasExpired({ expires_at: at }, Date.parse(at) - 1),
      hasExpired({ expires_at: at }, Date.parse(at)),
    ]).toEqual([false, true]);
  });

  test('is noted by the hour', () => {
    expect(hourOf(Date.parse('2026-11-21T07:59:59.999Z'))).toBe('2026-11-21T07:00:00.000Z');
  });

  test('goes on for a grace, never longer than it would have', () => {
    const soon = new Date(Date.now() + 1_000).toISOString();
    expect(endAfter(made(soon), 60)).toBe(soon);
    expect(Date.parse(endAfter(made(), 60)) - Date.now()).toBeGreaterThan(59_000);
  });

  test('of one that has ended, or been replaced, is not begun anew', () => {
    expect(() => replacementOf({ ...made(), replaced_by: 'x' }, secretFor('dev'))).toThrow(Conflict);
    expect(() => replacementOf(made('2020-01-01T00:00:00.000Z'), secretFor('dev'))).toThrow(Conflict);
  });
});
