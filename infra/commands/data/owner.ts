import { toUserKey, toWorkspaceKey } from '../../../shared/store/table/keys.ts';

/** Owner of data: a user by `sub`, or a workspace by its id. Both are null if only the owner's key is known. */
export interface OwnerName {
  user: string | null;
  workspace?: string | null;
}

/** Names an owner by the options of a command, if they do: a workspace, or else a user. */
export const findOwnerName = (options: { user?: string; workspace?: string }): OwnerName | undefined => {
  const { user = null, workspace = null } = options;
  return user || workspace ? { user: workspace ? null : user, workspace } : undefined;
};

/** Returns an owner's part of every key, if the name is known. */
export function findOwnerKey(issuer: string, { user, workspace }: OwnerName): string | undefined {
  if (workspace) return toWorkspaceKey(issuer, workspace);
  return user === null ? undefined : toUserKey(issuer, user);
}

/** Returns what messages call an owner. */
export const describeOwner = ({ user, workspace }: OwnerName): string =>
  workspace ? `the workspace ${workspace}` : String(user);
