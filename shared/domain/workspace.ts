import { Conflict, InvalidToken, NotAMember } from '../errors.ts';
import { type Scope, scopes } from '../scopes.ts';

/** Setting `workspaces` (infra/settings.ts), as functions get it. */
export interface WorkspaceRules {
  /** Claim with the ids of a person's workspaces: a string, or a list of strings. */
  claim: string;
  /** Regular expression that such a text matches as a whole, with the groups `workspace` and, if it has roles, `role`. */
  pattern?: string;
  /** Claim with the person's role in every workspace: a string, or a list of strings. */
  roleClaim?: string;
  /** Scopes of each role, the weakest role first. Unset, every member may do everything. */
  roles?: Record<string, readonly Scope[]>;
}

/** A workspace of a person, and their role in it: null if they have none, or if there are no roles. */
export interface Membership {
  id: string;
  role: string | null;
}

type Claims = Record<string, unknown>;

const maxMemberships = 100;

/** Value of the header `X-Workspace` that selects the caller's own world. */
const personal = 'personal';

/** Pattern of an id. Without `%`, no id looks like another one percent-encoded. */
const idPattern = /^(?!personal$)[^%\p{Cc}\p{Cs}]{1,128}$/u;

/** Returns the texts of a claim. Throws InvalidToken if it holds anything else. */
function listTexts(claims: Claims, name: string): string[] {
  const values = [claims[name] ?? []].flat();
  if (values.every((value) => typeof value === 'string')) return values;
  throw new InvalidToken(`The claim ${name} must be a string or a list of strings`);
}

/** Lists a person's workspaces. With several roles in one, the strongest counts. Throws InvalidToken if they make no sense. */
export function listMemberships(
  claims: Claims,
  { claim, pattern = '(?<workspace>.*)', roleClaim, roles = {} }: WorkspaceRules,
): Membership[] {
  const names = Object.keys(roles);
  const regExp = new RegExp(`^(?:${pattern})$`, 'su');
  const commonRoles = roleClaim ? listTexts(claims, roleClaim) : [];
  const ranks = new Map<string, number>();
  for (const text of listTexts(claims, claim)) {
    const { workspace: id, role } = regExp.exec(text)?.groups ?? {};
    if (!id) continue;
    const candidates = role === undefined ? commonRoles : [role];
    ranks.set(id, Math.max(ranks.get(id) ?? -1, ...candidates.map((one) => names.indexOf(one))));
    if (!idPattern.test(id) || ranks.size > maxMemberships)
      throw new InvalidToken(`The claim ${claim} names an invalid workspace, or more than ${maxMemberships}`);
  }
  return [...ranks].map(([id, rank]) => ({ id, role: names[rank] ?? null }));
}

/**
 * Returns the workspace that a request chooses by its header `X-Workspace`, or the only one. Undefined for the caller's own world.
 * Throws Conflict if the choice is open, and NotAMember.
 */
export function chooseMembership(
  memberships: readonly Membership[],
  header: string | undefined,
): Membership | undefined {
  if (header === personal) return undefined;
  if (header === undefined && memberships.length < 2) return memberships[0];
  const ids = memberships.map(({ id }) => encodeURIComponent(id));
  const chosen = memberships.find(({ id }, i) => id === header || ids[i] === header);
  if (chosen) return chosen;
  const advice = `choose one by the header X-Workspace: ${[...ids, personal].join(', ')}`;
  if (header !== undefined) throw new NotAMember(`You are not a member of this workspace: ${advice}`);
  throw new Conflict(['header', 'x-workspace'], `You have several workspaces: ${advice}`);
}

/** Returns the scopes of a role. All without roles; none without a role. */
export const listRoleScopes = (role: string | null, { roles }: WorkspaceRules): readonly Scope[] =>
  roles ? (roles[role ?? ''] ?? []) : scopes;

/** True if these scopes allow a route of this scope. Only those who have all scopes may use what no API key may. */
export const allows = (held: readonly string[], scope: Scope | 'any' | 'none'): boolean =>
  scope === 'any' || (scope === 'none' ? scopes : [scope]).every((one) => held.includes(one));

/** Explains which roles allow what a person's role does not. */
export function explainRole(role: string | null, scope: Scope | 'none', { roles = {} }: WorkspaceRules): string {
  const able = Object.keys(roles).filter((name) => allows(roles[name] ?? [], scope));
  const advice = able.length > 0 ? `ask for ${able.join(' or ')}` : 'no role of this service allows it';
  return `This needs ${role ? `another role than ${role}` : 'a role in this workspace'}: ${advice}`;
}
