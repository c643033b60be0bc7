import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkPrecondition, hasMatchingEtag, parsePrecondition, toEtag, toLiveEtag } from '../../shared/domain/etag.ts';
import { PreconditionFailed } from '../../shared/errors.ts';

const revision = fc.integer({ min: 1, max: 1_000_000 });

/** Parses `If-Match`. Throws if it is malformed. */
function getPrecondition(ifMatch: string | undefined) {
  const parsed = parsePrecondition(ifMatch);
  if ('fault' in parsed) throw new Error(parsed.fault.type);
  return parsed;
}

describe('an entity tag', () => {
  test('is a quoted string of RFC 9110 that differs by revision and attachments', () => {
    const tags = [toEtag(1, []), toEtag(2, []), toEtag(1, [{ id: 'a' }]), toEtag(11, [])];
    for (const tag of tags) expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(new Set(tags).size).toBe(tags.length);
    expect(toEtag(1, [])).toBe(tags[0]);
  });

  test('has the revision and eight characters, other ones than before assistants had tools', () => {
    expect(toEtag(12, [])).toMatch(/^"12-[\w-]{8}"$/);
    const before = hash('sha256', JSON.stringify([]), 'base64url').slice(0, 8);
    expect(toEtag(12, [])).not.toBe(`"12-${before}"`);
  });
});

describe('If-Match', () => {
  test('requires the revision of the tag, but not its attachments, and tells an assistant from its live versions', () => {
    fc.assert(
      fc.property(revision, fc.jsonValue(), (n, attached) => {
        expect(getPrecondition(toEtag(n, attached))).toEqual({ revisions: [n], liveRevisions: [0] });
        expect(getPrecondition(toLiveEtag(n, attached))).toEqual({ revisions: [0], liveRevisions: [n] });
      }),
    );
  });

  test('accepts a tag that a compressing proxy has weakened', () => {
    expect(getPrecondition(`W/${toEtag(7, [])}`).revisions).toEqual([7]);
  });

  test('accepts a list, and one match is enough', () => {
    const precondition = getPrecondition(`${toEtag(3, [])} ,  W/${toEtag(5, [])},"foreign", ${toEtag(3, [1])}`);
    expect(precondition.revisions?.toSorted()).toEqual([0, 3, 5]);
    expect(() => checkPrecondition(precondition, 5)).not.toThrow();
    expect(() => checkPrecondition(precondition, 4)).toThrow(PreconditionFailed);
  });

  test('requires nothing if it is absent or *', () => {
    for (const value of [undefined, '*', ' * '])
      expect(() => checkPrecondition(getPrecondition(value), 1)).not.toThrow();
  });

  test('never matches a well-formed tag of another service', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\x23-\x7e]{0,40}$/), revision, (tag, n) => {
        fc.pre(!/^\d{1,15}-/.test(tag));
        expect(() => checkPrecondition(getPrecondition(`"${tag}"`), n)).toThrow(PreconditionFailed);
      }),
    );
    for (const tag of ['3', '03', 'x3-', '-3', '3.0-x', '9999999999999999-x', '']) {
      expect(() => checkPrecondition(getPrecondition(`"${tag}"`), 3)).toThrow(PreconditionFailed);
    }
  });

  test.each(['', '3', '"3', '3"', 'w/"3"', '"1" "2"', '"1",', '*, "1"', `"${'x'.repeat(400)}"`])(
    'has a fault with its path if it is malformed: %s',
    (value) => {
      expect(parsePrecondition(value)).toEqual({
        fault: expect.objectContaining({ loc: ['header', 'if-match'], type: 'etag_parsing' }),
      });
    },
  );
});

describe('If-None-Match', () => {
  const tag = toEtag(3, []);

  test('matches the whole tag, weak or strong, alone or in a list, and *', () => {
    for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, `"a",W/${tag} ,"b"`, '*']) {
      expect(hasMatchingEtag(sent, tag)).toBe(true);
    }
  });

  test('does not match another revision, another digest, a part, or the tag without quotes', () => {
    for (const sent of [undefined, '', toEtag(4, []), toEtag(3, [1]), '"3"', '"3-', tag.slice(1, -1)]) {
      expect(hasMatchingEtag(sent, tag)).toBe(false);
    }
  });
});
