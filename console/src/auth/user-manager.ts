import { OidcClient, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { ConsoleConfig } from '../../../shared/console-config.ts';
import { startTimeoutMs } from './config.ts';
import { findIntent, rememberIntent } from './intent.ts';
import { forgetWorkspaces } from './workspace.ts';

/** Path of the console. */
export const basePath = import.meta.env.BASE_URL;

/** Path that the issuer redirects to after a sign-in, also in a popup. */
export const signInCallbackPath = `${basePath}signed-in`;

/**
 * Path that signs the user out. A separate page, because by then the browser has left the previous one and asked about
 * unsaved changes.
 */
export const signOutPath = `${basePath}sign-out`;

/** Creates the OIDC client. It keeps everything in sessionStorage, which ends with the tab. */
export const createUserManager = ({ issuer, clientId, scope, authorizeParams = {} }: ConsoleConfig): UserManager =>
  new UserManager({
    authority: issuer,
    client_id: clientId,
    scope,
    extraQueryParams: authorizeParams,
    redirect_uri: location.origin + signInCallbackPath,
    post_logout_redirect_uri: location.origin + basePath,
    userStore: new WebStorageStateStore({ store: sessionStorage }),
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    automaticSilentRenew: true,
    requestTimeoutInSeconds: startTimeoutMs / 1000,
  });

const signingOutKey = 'console.signing-out';

/** Leaves for the page that signs a user out, by their `sub`. The browser may first ask about unsaved changes. */
export function leaveToSignOut(sub: string): void {
  rememberIntent(signingOutKey, sub);
  location.assign(signOutPath);
}

/** Returns the `sub` of the user who has asked to sign out in this tab, if it is on the page that does so. */
export const findSigningOut = (): string | undefined =>
  location.pathname === signOutPath ? findIntent(signingOutKey) : undefined;

const signedInAtKey = 'console.signed-in-at';
const signedOutAtPrefix = 'console.signed-out-at.';
const toSignedOutAtKey = (sub: string) => signedOutAtPrefix + sub;

/** Time after which no tab can have a session from before a sign-out, in milliseconds: that of a refresh token. */
const longestSessionMs = 86_400_000;

/** Remembers when a user has signed out, which tells all other tabs, and forgets those who did so long ago. */
function rememberSignOut(sub: string): void {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(signedOutAtPrefix) && Number(localStorage.getItem(key)) < Date.now() - longestSessionMs)
      localStorage.removeItem(key);
  localStorage.setItem(toSignedOutAtKey(sub), String(Date.now()));
}

/** Remembers when this tab has signed in, in milliseconds since 1970. */
export const rememberSignIn = (at = Date.now()): void => sessionStorage.setItem(signedInAtKey, String(at));

/** Returns true if the user has signed out in another tab since this one signed in. It did not hear that if it showed another page then. */
export const hasSignedOut = ({ profile }: User): boolean =>
  Number(localStorage.getItem(toSignedOutAtKey(profile.sub))) > Number(sessionStorage.getItem(signedInAtKey));

/** Ends the session of this tab if its user has signed out in another. Returns the user, if still signed in. */
export async function checkSession(manager: UserManager): Promise<User | null> {
  const user = await manager.getUser();
  if (!user || !hasSignedOut(user)) return user;
  await manager.removeUser();
  // Some issuers cannot revoke tokens.
  if (user.refresh_token)
    await new OidcClient(manager.settings).revokeToken(user.refresh_token, 'refresh_token').catch(() => undefined);
  return null;
}

/** Ends the session of this tab when its user signs out in another, and calls `leave` if the page belongs to that user. */
export function listenForSignOuts(manager: UserManager, owner: User, leave: () => void): void {
  const check = () => {
    void checkSession(manager);
    if (hasSignedOut(owner)) leave();
  };
  addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(signedOutAtPrefix) && newValue !== null) check();
  });
  // The browser may keep a page that the tab has left, and show it again as it was.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) check();
  });
}

/** Signs a user out, by their `sub`, of this page, of all tabs and of the issuer. Leaves the page. */
export async function signOut(manager: UserManager, sub: string): Promise<void> {
  // Makes the next page say so, instead of redirecting to the issuer right away.
  sessionStorage.setItem(signedOutKey, 'true');
  forgetWorkspaces();
  rememberSignOut(sub);
  // Some issuers cannot revoke tokens. Their own session ends either way.
  await manager.revokeTokens(['refresh_token']).catch(() => undefined);
  const { client_id, post_logout_redirect_uri } = manager.settings;
  try {
    await manager.signoutRedirect({
      redirectMethod: 'replace',
      // Cognito uses its own parameter for the URL to return to.
      extraQueryParams: { client_id, logout_uri: post_logout_redirect_uri ?? '' },
    });
  } catch {
    await manager.removeUser(); // the issuer has no sign-out page, or is unreachable
    location.replace(basePath);
  }
}

const signedOutKey = 'console.signed-out';

/** Returns true once after the user signed out. */
export function takeSignedOutFlag(): boolean {
  const signedOut = sessionStorage.getItem(signedOutKey) !== null;
  for (const key of [signedOutKey, signingOutKey]) sessionStorage.removeItem(key);
  return signedOut;
}
