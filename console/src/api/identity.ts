import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Scope, scopes } from '../../../shared/scopes.ts';
import { enterWorkspace, getWorkspace, personal } from '../auth/workspace.ts';
import { api } from './client.ts';

/** Reads who the user is, in which workspace and with which role. From then on, every request names that workspace. */
async function readIdentity() {
  const identity = (await api.GET('/protected')).data.data;
  enterWorkspace(identity.workspace ?? null);
  return identity;
}

const identityQuery = queryOptions({
  queryKey: ['identity'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: readIdentity,
});

/** The user, their workspaces and their role in the current one. */
export type Identity = Awaited<ReturnType<typeof readIdentity>>;

/** Returns the identity of the user, once it is known. */
export const useIdentity = (): Identity | undefined => useQuery(identityQuery).data;

/** What a part of the console needs: a scope, or all of them, which only administrators have. */
export type Permission = Scope | 'all';

/**
 * Returns a function that tells if the user may do something. Until the role is known, everything is allowed in the user's own world, and
 * nothing in a workspace.
 */
export function usePermissions(): (needed: Permission) => boolean {
  const identity = useIdentity();
  if (!identity) return () => [null, personal].includes(getWorkspace());
  const { workspace, scopes: held } = identity;
  return (needed) =>
    workspace === null || (needed === 'all' ? scopes : [needed]).every((scope) => held.includes(scope));
}

/** Shows its children only to users who may do what they do. */
export const Can = ({ do: needed, children }: { do: Permission; children: ReactNode }) =>
  usePermissions()(needed) ? children : null;
