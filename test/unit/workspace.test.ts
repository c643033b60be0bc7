import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allows,
  chooseMembership,
  explainRole,
  listMemberships,
  listRoleScopes,
  type WorkspaceRules,
} from '../../shared/domain/workspace.ts';
import { ApiError } from '../../shared/errors.ts';
import { scopes } from '../../shared/scopes.ts';

const roles = { viewer: ['read'], editor: ['read', 'write'], admin: scopes } as const;
const byText: WorkspaceRules = { claim: 'org_id', roleClaim: 'org_role', roles };
const byGroups: WorkspaceRules = {
  claim: 'cognito:groups',
  pattern: 'ws-(?<workspace>[\\w.-]+)-(?<role>viewer|editor|admin)',
  roles,
};

/** Returns what a function returns, or the error that it throws. */
function attempt<T>(run: () => T): T | ApiError {
  try {
    return run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

const getFault = (run: () => unknown) => {
  const error = attempt(run);
  return error instanceof ApiError ? `${error.failure}: ${error.detail[0]?.msg}` : error;
};

describe('the workspaces of a token', () => {
  test.each<[string, Record<string, unknown>, WorkspaceRules, unknown]>([
    ['without the claim', {}, byText, []],
    ['with null', { org_id: null }, byText, []],
    ['with an empty text', { org_id: '' }, byText, []],
    ['with an empty list', { org_id: [] }, byText, []],
    ['with a text', { org_id: 'acme', org_role: 'editor' }, byText, [{ id: 'acme', role: 'editor' }]],
    ['without a role', { org_id: 'acme' }, byText, [{ id: 'acme', role: null }]],
    ['with an unknown role', { org_id: 'acme', org_role: 'constructor' }, byText, [{ id: 'acme', role: null }]],
    ['with several roles', { org_id: 'acme', org_role: ['admin', 'viewer'] }, byText, [{ id: 'acme', role: 'admin' }]],
    [
      'with a list',
      { org_id: ['acme', 'acme', 'globex'] },
      { claim: 'org_id' },
      [
        { id: 'acme', role: null },
        { id: 'globex', role: null },
      ],
    ],
    [
      'with another script',
      { org_id: 'عيادة الأسنان 😀' },
      { claim: 'org_id' },
      [{ id: 'عيادة الأسنان 😀', role: null }],
    ],
    [
      'with groups',
      { 'cognito:groups': ['staff', 'ws-acme-viewer', 'ws-my-team-admin'] },
      byGroups,
      [
        { id: 'acme', role: 'viewer' },
        { id: 'my-team', role: 'admin' },
      ],
    ],
    [
      'with two groups of one workspace',
      { 'cognito:groups': ['ws-acme-admin', 'ws-acme-viewer'] },
      byGroups,
      [{ id: 'acme', role: 'admin' }],
    ],
    ['with a group that matches in part', { 'cognito:groups': ['ws-acme-admin\n', 'x-ws-acme-admin'] }, byGroups, []],
  ])('%s', (_, claims, rules, memberships) => {
    expect(listMemberships(claims, rules)).toEqual(memberships);
  });

  test.each<[string, unknown]>([
    ['a number', 42],
    ['true', true],
    ['an object', { id: 'acme' }],
    ['a list of lists', [['acme']]],
    ['a list with null', ['acme', null]],
    ['NUL', 'acme\0'],
    ['half a surrogate pair', 'acme\ud800'],
    ['a long id', 'a'.repeat(129)],
    ['a percent sign, which could look like another id encoded', 'a%20b'],
    ['the word that selects the own world', 'personal'],
    ['more than 100 ids', Array.from({ length: 101 }, (_, i) => `team-${i}`)],
  ])('are refused by a clear error that repeats nothing if the claim has %s', (_, org_id) => {
    expect(getFault(() => listMemberships({ org_id }, byText))).toMatch(/^InvalidToken: The claim org_id (?!.*acme)/);
  });

  test('are those that the claim names, or refused, for any claim', () => {
    const hostile = fc.constantFrom('__proto__', 'personal', 'acme', '', '\0', '%61cme', 'ws-acme-admin', 'toString');
    const value = fc.anything({ values: [hostile, fc.string({ unit: 'binary' }), fc.double()], maxDepth: 3 });
    fc.assert(
      fc.property(value, value, fc.constantFrom(byText, byGroups), (org, org_role, rules) => {
        const claims = JSON.parse(JSON.stringify({ [rules.claim]: org ?? null, org_role: org_role ?? null }));
        const found = attempt(() => listMemberships(claims, rules));
        if (found instanceof ApiError) {
          expect(found.failure).toBe('InvalidToken');
          return;
        }
        const texts: unknown[] = [claims[rules.claim]].flat();
        for (const { id, role } of found) {
          expect(texts).toContain(rules === byText ? id : `ws-${id}-${role}`);
          expect([null, ...Object.keys(roles)]).toContain(role);
        }
      }),
    );
  });
});

describe('the choice of a workspace', () => {
  const acme = { id: 'acme', role: 'viewer' };
  const clinic = { id: 'عيادة الأسنان', role: 'admin' };

  test('is the only one, or none, unless a header names one', () => {
    expect(chooseMembership([acme], undefined)).toBe(acme);
    expect(chooseMembership([], undefined)).toBeUndefined();
    expect(chooseMembership([acme], 'personal')).toBeUndefined();
    expect(chooseMembership([acme, clinic], 'acme')).toBe(acme);
    expect(chooseMembership([acme, clinic], encodeURIComponent(clinic.id))).toBe(clinic);
  });

  test('is asked for if there are several, by their names as the header takes them', () => {
    expect(getFault(() => chooseMembership([acme, clinic], undefined))).toBe(
      `Conflict: You have several workspaces: choose one by the header X-Workspace: acme, ${encodeURIComponent(clinic.id)}, personal`,
    );
  });

  test('of any other text is refused alike', () => {
    const refusal =
      'NotAMember: You are not a member of this workspace: choose one by the header X-Workspace: acme, personal';
    for (const header of ['globex', '', 'ACME', 'acme ', 'Personal', '%61cme', '__proto__', '\ud800'])
      expect(getFault(() => chooseMembership([acme], header))).toBe(refusal);
  });
});

describe('a role', () => {
  test('has its scopes, and all without roles', () => {
    expect(listRoleScopes('viewer', byText)).toEqual(['read']);
    expect(listRoleScopes(null, byText)).toEqual([]);
    expect(listRoleScopes(null, { claim: 'org_id' })).toBe(scopes);
  });

  test('needs all scopes for what no API key may do', () => {
    expect([roles.viewer, roles.editor, roles.admin].map((held) => allows(held, 'none'))).toEqual([false, false, true]);
    expect([[], roles.viewer, roles.editor].map((held) => allows(held, 'write'))).toEqual([false, false, true]);
    expect(allows([], 'any')).toBe(true);
  });

  test('that does not suffice is told which one would', () => {
    expect(explainRole('viewer', 'write', byText)).toBe('This needs another role than viewer: ask for editor or admin');
    expect(explainRole(null, 'none', byText)).toBe('This needs a role in this workspace: ask for admin');
  });
});
