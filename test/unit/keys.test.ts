import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as keys from '../../shared/store/keys.ts';
import {
  apiKeyKey,
  assistantKey,
  assistantsOf,
  deletedAssistantKey,
  onceKey,
  partitionsOf,
  userKey,
} from '../../shared/store/keys.ts';

const issuer = 'https://issuer.example';
const id = '019aa2c4-0000-7000-8000-000000000000';
const hostile = ['alice', 'alice#SESSIONS', 'alice#ONCE', '#', '\0', 'alice\0', ' alice', 'Alice', 'a'.repeat(2_000)];
const sub = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary' }), fc.string({ minLength: 2_000 }));
const address = fc.oneof(fc.constantFrom(issuer, `${issuer}/`), fc.webUrl());

describe("a user's part of a key", () => {
  test('is 43 letters, digits, - and _ whatever the sub is', () => {
    fc.assert(fc.property(address, sub, (iss, name) => /^[\w-]{43}$/.test(userKey(iss, name))));
  });

  test('stays what it was when the data was written: base64url of sha256 of issuer, NUL and sub', () => {
    expect(userKey(issuer, 'alice')).toBe('0MHmqqJrEiansKGj5MaADdvtZm94O3t-oJF1S7FQIZg');
  });

  test('differs for every other person', () => {
    expect(new Set(hostile.map((name) => userKey(issuer, name))).size).toBe(hostile.length);
    fc.assert(
      fc.property(address, sub, address, sub, (iss, name, otherIss, otherName) => {
        fc.pre(iss !== otherIss || name !== otherName);
        expect(userKey(iss, name)).not.toBe(userKey(otherIss, otherName));
      }),
    );
  });

  test('cannot be had by moving text between issuer and sub', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.string({ minLength: 1 }), sub, (iss, between, name) => {
        fc.pre(!between.includes('\0'));
        expect(userKey(iss + between, name)).not.toBe(userKey(iss, between + name));
      }),
    );
  });
});

describe('a key', () => {
  const one = userKey(issuer, 'alice');
  const other = userKey(issuer, 'alice#SESSIONS');

  test('of an assistant lies in the listing of its user and in no other', () => {
    const { pk, sk } = assistantKey(one, id);
    expect(pk).toBe(assistantsOf(one).pk);
    expect(sk).toBe(`${assistantsOf(one).prefix}${id}`);
    expect(pk).not.toBe(assistantsOf(other).pk);
  });

  test('of a deleted assistant lies outside the listing', () => {
    expect(deletedAssistantKey(one, id).sk.startsWith(assistantsOf(one).prefix)).toBe(false);
  });

  test('of an idempotent answer belongs to one user, one route and one Idempotency-Key', () => {
    const keys = [
      onceKey(one, 'assistants/create', 'k'),
      onceKey(other, 'assistants/create', 'k'),
      onceKey(one, 'assistants/createk', ''),
      onceKey(one, 'logs/create', 'k'),
      onceKey(one, 'assistants/create', 'K'),
    ].map(({ pk, sk }) => `${pk} ${sk}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('is within the bounds of DynamoDB, 2,048 and 1,024 bytes, and keeps the Idempotency-Key to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 4, maxLength: 255 }), (sent) => {
        const { pk, sk } = onceKey(one, 'assistants/create', sent);
        expect(Buffer.byteLength(pk)).toBeLessThanOrEqual(2_048);
        expect(sk).toMatch(/^[\w-]{43}$/);
        expect(sk).not.toContain(sent);
      }),
    );
  });
});

test('every row is in a partition of its user, where exports and erasures look, or is an API key', () => {
  const owner = userKey(issuer, 'alice');
  // Whatever a function takes: a time is no other's, and filters may be none.
  const made = Object.entries(keys).map(([name, make]) => {
    const filters = name === 'sessionsOf' ? {} : name.startsWith('count') ? 0 : id;
    return [name, (make as (...args: unknown[]) => unknown)(owner, filters, id, id)] as const;
  });
  const rows = made.flatMap(([name, key]) =>
    typeof key === 'object' && key !== null && 'pk' in key ? [[name, key.pk] as const] : [],
  );
  expect(rows.length).toBeGreaterThan(10);
  const elsewhere = rows.filter(([, pk]) => !partitionsOf(owner).includes(String(pk)));
  expect(elsewhere).toEqual([['apiKeyKey', apiKeyKey(owner).pk]]);
  expect(new Set(rows.map(([, pk]) => pk))).toEqual(new Set([...partitionsOf(owner), apiKeyKey(owner).pk]));
});
