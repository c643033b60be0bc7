import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as keys from '../../shared/store/table/keys.ts';
import {
  listPartitions,
  toApiKeyKey,
  toAssistantKey,
  toAssistantsPrefix,
  toDeletedAssistantKey,
  toIdempotencyRecordKey,
  toUserKey,
  toWorkspaceKey,
} from '../../shared/store/table/keys.ts';

const issuer = 'https://issuer.example';
const id = '019aa2c4-0000-7000-8000-000000000000';
const hostile = ['alice', 'alice#SESSIONS', 'alice#ONCE', '#', '\0', 'alice\0', ' alice', 'Alice', 'a'.repeat(2_000)];
const sub = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary' }), fc.string({ minLength: 2_000 }));
const address = fc.oneof(fc.constantFrom(issuer, `${issuer}/`), fc.webUrl());

describe('a user key', () => {
  test('is 43 letters, digits, - and _ for every sub', () => {
    fc.assert(fc.property(address, sub, (iss, name) => /^[\w-]{43}$/.test(toUserKey(iss, name))));
  });

  test('is base64url of sha256 of issuer, NUL and sub, which stored data depends on', () => {
    expect(toUserKey(issuer, 'alice')).toBe('0MHmqqJrEiansKGj5MaADdvtZm94O3t-oJF1S7FQIZg');
  });

  test('is different for every user', () => {
    expect(new Set(hostile.map((name) => toUserKey(issuer, name))).size).toBe(hostile.length);
    fc.assert(
      fc.property(address, sub, address, sub, (iss, name, otherIss, otherName) => {
        fc.pre(iss !== otherIss || name !== otherName);
        expect(toUserKey(iss, name)).not.toBe(toUserKey(otherIss, otherName));
      }),
    );
  });

  test('changes if text moves between issuer and sub', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.string({ minLength: 1 }), sub, (iss, between, name) => {
        fc.pre(!between.includes('\0'));
        expect(toUserKey(iss + between, name)).not.toBe(toUserKey(iss, between + name));
      }),
    );
  });
});

describe('a workspace key', () => {
  test('is base64url of sha256 of a JSON list, which stored data depends on', () => {
    expect(toWorkspaceKey(issuer, 'acme')).toBe('0t_MDn3V5CK3V0d04ZVZRDv6W0L31oAfC307lj3jw0Q');
  });

  test("is different for every workspace, and equals no user's", () => {
    fc.assert(
      fc.property(address, sub, address, sub, (iss, name, otherIss, otherName) => {
        expect(toWorkspaceKey(iss, name)).not.toBe(toUserKey(otherIss, otherName));
        expect(toUserKey(iss, JSON.stringify(['workspace', iss, name]))).not.toBe(toWorkspaceKey(iss, name));
        fc.pre(iss !== otherIss || name !== otherName);
        expect(toWorkspaceKey(iss, name)).not.toBe(toWorkspaceKey(otherIss, otherName));
      }),
    );
  });
});

describe('a key', () => {
  const one = toUserKey(issuer, 'alice');
  const other = toUserKey(issuer, 'alice#SESSIONS');

  test('of an assistant has the prefix of its own user only', () => {
    const { pk, sk } = toAssistantKey(one, id);
    expect(pk).toBe(toAssistantsPrefix(one).pk);
    expect(sk).toBe(`${toAssistantsPrefix(one).prefix}${id}`);
    expect(pk).not.toBe(toAssistantsPrefix(other).pk);
  });

  test('of a deleted assistant does not have the prefix of assistants', () => {
    expect(toDeletedAssistantKey(one, id).sk.startsWith(toAssistantsPrefix(one).prefix)).toBe(false);
  });

  test('of an idempotency record is unique by user, route and Idempotency-Key', () => {
    const keys = [
      toIdempotencyRecordKey(one, 'assistants/create', 'k'),
      toIdempotencyRecordKey(other, 'assistants/create', 'k'),
      toIdempotencyRecordKey(one, 'assistants/createk', ''),
      toIdempotencyRecordKey(one, 'logs/create', 'k'),
      toIdempotencyRecordKey(one, 'assistants/create', 'K'),
    ].map(({ pk, sk }) => `${pk} ${sk}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('of an idempotency record fits DynamoDB’s limits of 2,048 and 1,024 bytes, and does not contain the Idempotency-Key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 4, maxLength: 255 }), (sent) => {
        const { pk, sk } = toIdempotencyRecordKey(one, 'assistants/create', sent);
        expect(Buffer.byteLength(pk)).toBeLessThanOrEqual(2_048);
        expect(sk).toMatch(/^[\w-]{43}$/);
        expect(sk).not.toContain(sent);
      }),
    );
  });
});

test('every row except an API key is in a partition that exports and erasures read', () => {
  const owner = toUserKey(issuer, 'alice');
  // Calls each key builder with plausible arguments: most take ids.
  const toFilters: Record<string, unknown> = {
    toSessionsRange: {},
    toCountsRange: 0,
    toQuotaCountsKey: 0,
    toUsageRange: { from: '2026-11-01', to: '2026-11-30' },
    toUsageKeys: { session_id: id, assistant_id: id, version: 0 },
  };
  const builders = Object.entries(keys).filter(([name]) => name.startsWith('to'));
  const built = builders.map(([name, build]) => {
    const filters = toFilters[name] ?? id;
    return [name, (build as (...args: unknown[]) => unknown)(owner, filters, id, id)] as const;
  });
  const rows = built.flatMap(([name, key]) =>
    typeof key === 'object' && key !== null && 'pk' in key ? [[name, key.pk] as const] : [],
  );
  expect(rows.length).toBeGreaterThan(10);
  const elsewhere = rows.filter(([, pk]) => !listPartitions(owner).includes(String(pk)));
  expect(elsewhere).toEqual([['toApiKeyKey', toApiKeyKey(owner).pk]]);
  expect(new Set(rows.map(([, pk]) => pk))).toEqual(new Set([...listPartitions(owner), toApiKeyKey(owner).pk]));
});

test('an import writes the list of API keys before jobs, which would end without it', () => {
  const owner = toUserKey(issuer, 'alice');
  const [list, jobs] = [keys.toApiKeyListKey(owner, id), keys.toJobKey(owner, id)];
  expect(listPartitions(owner).filter((pk) => [list.pk, jobs.pk].includes(pk))).toEqual([list.pk, jobs.pk]);
});
