import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowing, type Deed, rightsOf, type Statement } from '../../infra/local/gate.ts';
import { sampleSize } from '../support/sample.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/t';
const put: Statement = { Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: table };
const deed = (action: string, resource: string, context: Deed['context'] = {}): Deed => ({ action, resource, context });
const allows = (statements: Statement[], wanted: Deed) => allowing(rightsOf(statements), wanted).length > 0;

const onRows = {
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['USER#*', 'KEY#?'] },
  Null: { 'dynamodb:LeadingKeys': 'false' },
};
const withLeadingKeys = (...keys: string[]) => deed('dynamodb:PutItem', table, { 'dynamodb:LeadingKeys': keys });

describe('a policy', () => {
  it.each<[string, Deed, boolean]>([
    ['what a statement names', deed('dynamodb:PutItem', table), true],
    ['another action', deed('dynamodb:GetItem', table), false],
    ['another resource', deed('dynamodb:PutItem', `${table}2`), false],
    ['an index of its table', deed('dynamodb:PutItem', `${table}/index/i`), false],
  ])('allows only what it names: %s', (_, wanted, allowed) => {
    expect(allows([put], wanted)).toBe(allowed);
    expect(allows([], wanted)).toBe(false);
    expect(allows([put, { ...put, Effect: 'Deny' }], wanted)).toBe(false);
    expect(allows([{ ...put, Effect: 'Deny' }], wanted)).toBe(false);
  });

  it('takes several actions and resources, and a * for any text', () => {
    const files: Statement = {
      Effect: 'Allow',
      Action: ['s3:GetObject', 's3:PutObject'],
      Resource: ['arn:aws:s3:::b.c/uploads/*', 'arn:aws:s3:::b.c/passages/*'],
    };
    for (const action of files.Action) {
      expect(allows([files], deed(action, 'arn:aws:s3:::b.c/uploads/a/b\nc'))).toBe(true);
      expect(allows([files], deed(action, 'arn:aws:s3:::b.c/passages/'))).toBe(true);
      expect(allows([files], deed(action, 'arn:aws:s3:::b.c/transcripts/a'))).toBe(false);
      expect(allows([files], deed(action, 'arn:aws:s3:::bxc/uploads/a'))).toBe(false);
    }
    expect(rightsOf([files])).toHaveLength(4);
  });

  it.each<[string[], boolean]>([
    [['USER#alice'], true],
    [['USER#'], true],
    [['KEY#1'], true],
    [['KEY#12'], false],
    [['USER#alice', 'KEY#1'], true],
    [['USER#alice', 'OTHER'], false],
    [['xUSER#alice'], false],
  ])('takes conditions on all leading keys: %j', (keys, allowed) => {
    expect(allows([{ ...put, Condition: onRows }], withLeadingKeys(...keys))).toBe(allowed);
  });

  it('tells which patterns of keys match a row, the same ones for all actions of a statement', () => {
    const both = { ...put, Action: ['dynamodb:PutItem', 'dynamodb:UpdateItem'], Condition: onRows };
    const [one, other] = rightsOf([both]).map(({ keyPatterns }) => keyPatterns);
    expect(one?.map(({ matches }) => matches('KEY#1'))).toEqual([false, true]);
    expect(other?.every((pattern, i) => pattern === one?.[i])).toBe(true);
    expect(rightsOf([put])[0]?.keyPatterns).toEqual([]);
  });

  it('takes a condition on all values as kept where there are none, but for Null', () => {
    const { Null, ...likeOnly } = onRows;
    const none = deed('dynamodb:PutItem', table);
    expect(allows([{ ...put, Condition: likeOnly }], none)).toBe(true);
    expect(allows([{ ...put, Condition: onRows }], none)).toBe(false);
    expect(allows([{ ...put, Condition: { Null: { 'dynamodb:LeadingKeys': 'true' } } }], none)).toBe(true);
    expect(allows([{ ...put, Condition: { Null } }], withLeadingKeys('x'))).toBe(true);
    expect(allows([{ ...put, Condition: { Null: { 'dynamodb:LeadingKeys': 'true' } } }], withLeadingKeys('x'))).toBe(
      false,
    );
  });

  it('compares by StringEquals as it stands', () => {
    const Condition = { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'a*'] } };
    const update: Statement = { ...put, Action: 'dynamodb:UpdateItem', Condition };
    const touching = (...names: string[]) => deed('dynamodb:UpdateItem', table, { 'dynamodb:Attributes': names });
    expect(allows([update], touching('pk', 'a*'))).toBe(true);
    expect(allows([update], touching('pk', 'ab'))).toBe(false);
  });

  it.each<[string, Partial<Statement> & Record<string, unknown>]>([
    ['Maybe', { Effect: 'Maybe' }],
    ['dynamodb:*', { Action: 'dynamodb:*' }],
    ['dynamodb:Scan', { Action: ['dynamodb:PutItem', 'dynamodb:Scan'] }],
    ['logs:PutLogEvents', { Action: ['dynamodb:PutItem', 'logs:PutLogEvents'] }],
    ['NotResource', { NotResource: '*' }],
    ['aws:SourceIp', { Condition: { 'ForAllValues:StringLike': { 'aws:SourceIp': '10.*' } } }],
    ['StringEquals x', { Condition: { StringEquals: { 'dynamodb:LeadingKeys': 'x' } } }],
    ['Null maybe', { Condition: { Null: { 'dynamodb:LeadingKeys': 'maybe' } } }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of IAM
    ['${aws:username}', { Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': '${aws:username}' } } }],
    ['dynamodb:Attributes of', { Condition: { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': 'pk' } } }],
  ])('is refused at start where it says what is not known here: %s', (what, change) => {
    expect(() => rightsOf([{ ...put, ...change }])).toThrow(`The local host does not know ${what}`);
  });
});

describe('any policy', () => {
  const few = <T>(...values: [T, ...T[]]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 });
  const actions = ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'] as const;
  const statement = fc.record({
    Effect: fc.constant('Allow'),
    Action: few(...actions),
    Resource: few(table, `${table}*`, `${table}/index/*`),
    Condition: fc.constantFrom(
      {},
      onRows,
      { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['A*'] } },
      { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['A'] } },
      { Null: { 'dynamodb:LeadingKeys': 'true' } },
    ),
  });
  const wanted = fc.record({
    action: fc.constantFrom(...actions),
    resource: fc.constantFrom(table, `${table}/index/i`),
    context: fc
      .subarray(['A', 'AB', 'USER#alice', 'KEY#1'])
      .map((keys): Deed['context'] => (keys.length > 0 ? { 'dynamodb:LeadingKeys': keys } : {})),
  });
  const policy = fc.array(statement, { maxLength: 5 });

  it('refuses, once the only statement is gone that a request needs, and not before', () => {
    fc.assert(
      fc.property(policy, wanted, (statements, one) => {
        const without = (gone: number) => statements.filter((_, i) => i !== gone);
        const needed = statements.filter((single) => allows([single], one));
        expect(allows(statements, one)).toBe(needed.length > 0);
        for (const [i, single] of statements.entries()) {
          const isTheOnly = needed.length === 1 && needed[0] === single;
          expect(allows(without(i), one)).toBe(allows(statements, one) && !isTheOnly);
        }
      }),
      { numRuns: sampleSize(1_000) },
    );
  });

  it('refuses whatever one statement denies', () => {
    fc.assert(
      fc.property(policy, statement, wanted, (statements, denying, one) => {
        const denied = allows([denying], one);
        expect(allows([...statements, { ...denying, Effect: 'Deny' }], one)).toBe(allows(statements, one) && !denied);
      }),
      { numRuns: sampleSize(1_000) },
    );
  });
});
