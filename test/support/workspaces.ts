import { randomUUID } from 'node:crypto';
import { type Client, createClient, createToken } from './api.ts';

/** A person's workspaces, the one that they choose, and their role. */
interface Member {
  sub?: string;
  /** Value of the claim of `dev`: an id, or several. */
  org?: unknown;
  role?: string;
  /** Value of the header `X-Workspace`. */
  workspace?: string;
}

/** Creates an id of a workspace. */
export const createWorkspaceId = (): string => `team-${randomUUID()}`;

/** Creates a client of a person, by default a new one and an admin. */
export async function createMember({
  sub = `user-${randomUUID()}`,
  org,
  role = 'admin',
  workspace,
}: Member): Promise<Client> {
  const token = await createToken(sub, 3600, { org_id: org, org_role: role });
  return createClient(sub, token, undefined, workspace === undefined ? {} : { 'x-workspace': workspace });
}
