/** Value of `X-Workspace` that selects the user's own world. */
export const personal = 'personal';

const storageKey = 'console.workspace';

/** Workspace that this tab acts in, as the header `X-Workspace` takes it. Null until it is known. */
let workspace = sessionStorage.getItem(storageKey) ?? localStorage.getItem(storageKey);

export const getWorkspace = (): string | null => workspace;

const toHeader = (id: string | null): string => (id === null ? personal : encodeURIComponent(id));

/** Makes this page act in a workspace, by its id; null for the user's own world. */
export function enterWorkspace(id: string | null): void {
  workspace = toHeader(id);
}

const storages = [sessionStorage, localStorage];

/** Leaves the workspace of this tab, which the API refuses. New tabs go on in the one that the user chose, if it is another. */
export function leaveWorkspace(): void {
  for (const storage of storages) if (storage.getItem(storageKey) === workspace) storage.removeItem(storageKey);
  workspace = null;
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

/** Makes new tabs act in a workspace, by its id; null for the user's own world. Addresses cannot: any page could open one. */
export const rememberWorkspace = (id: string | null): void => localStorage.setItem(storageKey, toHeader(id));

/** Enters the workspace that the address names, for this tab alone, and removes it from the address. */
export function takeWorkspaceFromAddress(): void {
  const address = new URL(location.href);
  const named = address.searchParams.get(parameter);
  if (named === null || named.length > maxIdLength) return;
  enterWorkspace(named);
  sessionStorage.setItem(storageKey, workspace ?? personal);
  address.searchParams.delete(parameter);
  history.replaceState(history.state, '', address);
}
