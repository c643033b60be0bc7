import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccessRequest,
  listAllowingPermissions,
  type Statement,
  toPermissions,
} from '../../infra/local/iam/policy.ts';
import { getSampleSize } from '../support/sample.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/t';
const put: Statement = { Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: table };
const createRequest = (action: string, resource: string, context: AccessRequest['context'] = {}): AccessRequest => ({
  action,
  resource,
  context,
});
const isAllowed = (statements: Statement[], wanted: AccessRequest) =>
  listAllowingPermissions(toPermissions(statements), wanted).length > 0;

const rowCondition = {
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['USER#*', 'KEY#?'] },
  Null: { 'dynamodb:LeadingKeys': 'false' },
};
const createPut = (...keys: string[]) => createRequest('dynamodb:PutItem', table, { 'dynamodb:LeadingKeys': keys });

describe('a policy', () => {
  it.each<[string, AccessRequest, boolean]>([
    ['the action and resource of a statement', createRequest('dynamodb:PutItem', table), true],
    ['another action', createRequest('dynamodb:GetItem', table), false],
    ['another resource', createRequest('dynamodb:PutItem', `${table}2`), false],
    ['an index of its table', createRequest('dynamodb:PutItem', `${table}/index/i`), false],
  ])('allows only what its statements allow: %s', (_, wanted, allowed) => {
    expect(isAllowed([put], wanted)).toBe(allowed);
    expect(isAllowed([], wanted)).toBe(false);
    expect(isAllowed([put, { ...put, Effect: 'Deny' }], wanted)).toBe(false);
    expect(isAllowed([{ ...put, Effect: 'Deny' }], wanted)).toBe(false);
  });

  it('supports several actions and resources, and * for any text', () => {
    const files: Statement = {
      Effect: 'Allow',
      Action: ['s3:GetObject', 's3:PutObject'],
      Resource: ['arn:aws:s3:::b.c/uploads/*', 'arn:aws:s3:::b.c/passages/*'],
    };
    for (const action of files.Action) {
      expect(isAllowed([files], createRequest(action, 'arn:aws:s3:::b.c/uploads/a/b\nc'))).toBe(true);
      expect(isAllowed([files], createRequest(action, 'arn:aws:s3:::b.c/passages/'))).toBe(true);
      expect(isAllowed([files], createRequest(action, 'arn:aws:s3:::b.c/transcripts/a'))).toBe(false);
      expect(isAllowed([files], createRequest(action, 'arn:aws:s3:::bxc/uploads/a'))).toBe(false);
    }
    expect(toPermissions([files])).toHaveLength(4);
  });

  it.each<[string[], boolean]>([
    [['USER#alice'], true],
    [['USER#'], true],
    [['KEY#1'], true],
    [['KEY#12'], false],
    [['USER#alice', 'KEY#1'], true],
    [['USER#alice', 'OTHER'], false],
    [['xUSER#alice'], false],
  ])('supports conditions on all leading keys: %j', (keys, allowed) => {
    expect(isAllowed([{ ...put, Condition: rowCondition }], createPut(...keys))).toBe(allowed);
  });

  it('matches rows by key patterns, which all actions of a statement share', () => {
    const both = { ...put, Action: ['dynamodb:PutItem', 'dynamodb:UpdateItem'], Condition: rowCondition };
    const [one, other] = toPermissions([both]).map(({ keyPatterns }) => keyPatterns);
    expect(one?.map(({ matches }) => matches('KEY#1'))).toEqual([false, true]);
    expect(other?.every((pattern, i) => pattern === one?.[i])).toBe(true);
    expect(toPermissions([put])[0]?.keyPatterns).toEqual([]);
  });

  it('meets ForAllValues without any values, unless Null requires one', () => {
    const { Null, ...likeOnly } = rowCondition;
    const none = createRequest('dynamodb:PutItem', table);
    expect(isAllowed([{ ...put, Condition: likeOnly }], none)).toBe(true);
    expect(isAllowed([{ ...put, Condition: rowCondition }], none)).toBe(false);
    expect(isAllowed([{ ...put, Condition: { Null: { 'dynamodb:LeadingKeys': 'true' } } }], none)).toBe(true);
    expect(isAllowed([{ ...put, Condition: { Null } }], createPut('x'))).toBe(true);
    expect(isAllowed([{ ...put, Condition: { Null: { 'dynamodb:LeadingKeys': 'true' } } }], createPut('x'))).toBe(
      false,
    );
  });

  it('compares by StringEquals without wildcards', () => {
    const Condition = { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'a*'] } };
    const update: Statement = { ...put, Action: 'dynamodb:UpdateItem', Condition };
    const createUpdate = (...names: string[]) =>
      createRequest('dynamodb:UpdateItem', table, { 'dynamodb:Attributes': names });
    expect(isAllowed([update], createUpdate('pk', 'a*'))).toBe(true);
    expect(isAllowed([update], createUpdate('pk', 'ab'))).toBe(false);
  });

  it.each<[string[], boolean]>([
    [['uploads/a'], true],
    [['uploads/'], true],
    [['uploads'], false],
    [['passages/uploads/a'], false],
    [[], false],
  ])('supports a condition on the prefix of a list: %j', (prefix, allowed) => {
    const Condition = { StringLike: { 's3:prefix': 'uploads/*' } };
    const list: Statement = { Effect: 'Allow', Action: 's3:ListBucket', Resource: 'arn:aws:s3:::b', Condition };
    const context: AccessRequest['context'] = prefix.length > 0 ? { 's3:prefix': prefix } : {};
    expect(isAllowed([list], createRequest('s3:ListBucket', 'arn:aws:s3:::b', context))).toBe(allowed);
  });

  it.each<[string, Partial<Statement> & Record<string, unknown>]>([
    ['StringLike x', { Condition: { StringLike: { 'dynamodb:LeadingKeys': 'x' } } }],
    ['Maybe', { Effect: 'Maybe' }],
    ['dynamodb:*', { Action: 'dynamodb:*' }],
    ['dynamodb:Scan', { Action: ['dynamodb:PutItem', 'dynamodb:Scan'] }],
    ['logs:PutLogEvents', { Action: ['dynamodb:PutItem', 'logs:PutLogEvents'] }],
    ['NotResource', { NotResource: '*' }],
    ['aws:SourceIp', { Condition: { 'ForAllValues:StringLike': { 'aws:SourceIp': '10.*' } } }],
    ['StringEquals x', { Condition: { StringEquals: { 'dynamodb:LeadingKeys': 'x' } } }],
    ['Null maybe', { Condition: { Null: { 'dynamodb:LeadingKeys': 'maybe' } } }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an IAM variable
    ['${aws:username}', { Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': '${aws:username}' } } }],
    ['dynamodb:Attributes of', { Condition: { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': 'pk' } } }],
  ])('is rejected at start if it contains anything unsupported: %s', (what, change) => {
    expect(() => toPermissions([{ ...put, ...change }])).toThrow(`The local host does not support ${what}`);
  });
});

describe('any policy', () => {
  const chooseSome = <T>(...values: [T, ...T[]]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 });
  const actions = ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'] as const;
  const statement = fc.record({
    Effect: fc.constant('Allow'),
    Action: chooseSome(...actions),
    Resource: chooseSome(table, `${table}*`, `${table}/index/*`),
    Condition: fc.constantFrom(
      {},
      rowCondition,
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
      .map((keys): AccessRequest['context'] => (keys.length > 0 ? { 'dynamodb:LeadingKeys': keys } : {})),
  });
  const policy = fc.array(statement, { maxLength: 5 });

  it('denies a request exactly if no statement is left that allows it', () => {
    fc.assert(
      fc.property(policy, wanted, (statements, one) => {
        const removeStatement = (gone: number) => statements.filter((_, i) => i !== gone);
        const needed = statements.filter((single) => isAllowed([single], one));
        expect(isAllowed(statements, one)).toBe(needed.length > 0);
        for (const [i, single] of statements.entries()) {
          const isTheOnly = needed.length === 1 && needed[0] === single;
          expect(isAllowed(removeStatement(i), one)).toBe(isAllowed(statements, one) && !isTheOnly);
        }
      }),
      { numRuns: getSampleSize(1_000) },
    );
  });

  it('denies what any statement denies', () => {
    fc.assert(
      fc.property(policy, statement, wanted, (statements, denying, one) => {
        const denied = isAllowed([denying], one);
        expect(isAllowed([...statements, { ...denying, Effect: 'Deny' }], one)).toBe(
          isAllowed(statements, one) && !denied,
        );
      }),
      { numRuns: getSampleSize(1_000) },
    );
  });
});
