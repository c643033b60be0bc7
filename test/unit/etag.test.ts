import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { demand, entityTag, parsePrecondition, sameTag } from '../../shared/domain/etag.ts';
import { PreconditionFailed } from '../../shared/errors.ts';

const revision = fc.integer({ min: 1, max: 1_000_000 });

/** What `If-Match` demands, where it is well-formed. */
function preconditionOf(ifMatch: string | undefined) {
  const parsed = parsePrecondition(ifMatch);
  if ('fault' in parsed) throw new Error(parsed.fault.type);
  return parsed;
}

describe('an entity tag', () => {
  test('is a quoted string of RFC 9110 that tells revisions and attachments apart', () => {
    const tags = [entityTag(1, []), entityTag(2, []), entityTag(1, [{ id: 'a' }]), entityTag(11, [])];
    for (const tag of tags) expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(new Set(tags).size).toBe(tags.length);
    expect(entityTag(1, [])).toBe(tags[0]);
  });
});

describe('If-Match', () => {
  test('with the tag that was read demands its revision, whatever is attached by now', () => {
    fc.assert(
      fc.property(revision, fc.jsonValue(), (n, attached) => {
        expect(preconditionOf(entityTag(n, attached))).toEqual({ revisions: [n] });
      }),
    );
  });

  test('takes a tag that a compressing proxy has weakened', () => {
    expect(preconditionOf(`W/${entityTag(7, [])}`)).toEqual({ revisions: [7] });
  });

  test('takes a list, and one match is enough', () => {
    const precondition = preconditionOf(`${entityTag(3, [])} ,  W/${entityTag(5, [])},"foreign", ${entityTag(3, [1])}`);
    expect(precondition.revisions?.toSorted()).toEqual([0, 3, 5]);
    expect(() => demand(precondition, 5)).not.toThrow();
    expect(() => demand(precondition, 4)).toThrow(PreconditionFailed);
  });

  test('absent or * demands nothing', () => {
    for (const value of [undefined, '*', ' * ']) expect(() => demand(preconditionOf(value), 1)).not.toThrow();
  });

  test('with a well-formed tag that is not ours never matches', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\x23-\x7e]{0,40}$/), revision, (tag, n) => {
        fc.pre(!/^\d{1,15}-/.test(tag));
        expect(() => demand(preconditionOf(`"${tag}"`), n)).toThrow(PreconditionFailed);
      }),
    );
    for (const tag of ['3', '03', 'x3-', '-3', '3.0-x', '9999999999999999-x', '']) {
      expect(() => demand(preconditionOf(`"${tag}"`), 3)).toThrow(PreconditionFailed);
    }
  });

  test.each(['', '3', '"3', '3"', 'w/"3"', '"1" "2"', '"1",', '*, "1"', `"${'x'.repeat(400)}"`])(
    'that is malformed is a fault at its place: %s',
    (value) => {
      expect(parsePrecondition(value)).toEqual({
        fault: expect.objectContaining({ loc: ['header', 'if-match'], type: 'etag_parsing' }),
      });
    },
  );
});

describe('If-None-Match', () => {
  const tag = entityTag(3, []);

  test('knows the whole tag, weak or strong, alone or in a list, and *', () => {
    for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, `"a",W/${tag} ,"b"`, '*']) {
      expect(sameTag(sent, tag)).toBe(true);
    }
  });

  test('does not know another revision, another digest, a part, or the tag without quotes', () => {
    for (const sent of [undefined, '', entityTag(4, []), entityTag(3, [1]), '"3"', '"3-', tag.slice(1, -1)]) {
      expect(sameTag(sent, tag)).toBe(false);
    }
  });
});
