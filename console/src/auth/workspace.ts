import { findIntent, rememberIntent } from './intent.ts';

/** Value of `X-Workspace` that selects the user's own world. */
export const personal = 'personal';

const storageKey = 'console.workspace';

/** Workspace that this tab acts in, as the header `X-Workspace` takes it. Null until it is known. */
let workspace = sessionStorage.getItem(storageKey) ?? localStorage.getItem(storageKey);

export const getWorkspace = (): string | null => workspace;

const toHeader = (id: string | null): string => (id === null ? personal : encodeURIComponent(id));

/** Makes this tab act in a workspace, by its id; null for the user's own world. */
export function enterWorkspace(id: string | null): void {
  workspace = toHeader(id);
  sessionStorage.setItem(storageKey, workspace);
}

const storages = [sessionStorage, localStorage];

/** Leaves a workspace that the API refuses, by its header. New tabs go on in the one that the user chose, if it is another. */
export function leaveWorkspace(refused: string | null): void {
  for (const storage of storages) if (storage.getItem(storageKey) === refused) storage.removeItem(storageKey);
  if (workspace === refused) workspace = null;
}

/** Forgets the workspaces that the user chose. */
export function forgetWorkspaces(): void {
  for (const storage of storages) storage.removeItem(storageKey);
  workspace = null;
}

const parameter = 'workspace';

/** Maximum length of a workspace's id, in characters. */
const maxIdLength = 128;

/** Returns the address that opens the console in a workspace, by its id; null for the user's own world. */
export const toWorkspaceAddress = (id: string | null): string =>
  `${import.meta.env.BASE_URL}?${new URLSearchParams({ [parameter]: id ?? personal })}`;

const choosingKey = 'console.choosing-workspace';

/** Makes the address of a workspace count for new tabs, too, once this tab opens it. */
export const chooseWorkspace = (id: string | null): void => rememberIntent(choosingKey, toHeader(id));

/**
 * Enters the workspace that the address names, and removes it from the address. For this tab alone, unless the user has chosen it: any page
 * can open such an address.
 */
export function takeWorkspaceFromAddress(): void {
  const address = new URL(location.href);
  const named = address.searchParams.get(parameter);
  if (named === null || named.length > maxIdLength) return;
  enterWorkspace(named);
  if (findIntent(choosingKey) === workspace) localStorage.setItem(storageKey, toHeader(named));
  sessionStorage.removeItem(choosingKey);
  address.searchParams.delete(parameter);
  history.replaceState(history.state, '', address);
}
