import { UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { type Config, patience } from './config.ts';

/** Where the console is served. */
export const base = import.meta.env.BASE_URL;

/** Where the issuer sends back to; the same for the popup. */
export const signedInPath = `${base}signed-in`;

/** Signs out whoever opens it. A page of its own: by then, the one before has been left, and so has whatever it asks about. */
export const signOutPath = `${base}sign-out`;

/** What the issuer needs to know of the console. Everything is kept in sessionStorage: it goes with the tab. */
export const managerFor = ({ issuer, clientId, scope, authorizeParams = {} }: Config): UserManager =>
  new UserManager({
    authority: issuer,
    client_id: clientId,
    scope,
    extraQueryParams: authorizeParams,
    redirect_uri: location.origin + signedInPath,
    post_logout_redirect_uri: location.origin + base,
    userStore: new WebStorageStateStore({ store: sessionStorage }),
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    automaticSilentRenew: true,
    requestTimeoutInSeconds: patience / 1000,
  });

/** Tells all tabs of a browser who has signed out, by their `sub`. */
export const signOuts = (): BroadcastChannel => new BroadcastChannel('console.signed-out');

/** Signs out, here, in all tabs and at the issuer; leaves the page. */
export async function signOut(manager: UserManager): Promise<void> {
  // Lets the next page say so, where it would otherwise send to the issuer at once.
  sessionStorage.setItem(signedOutMark, 'true');
  const user = await manager.getUser();
  if (user) signOuts().postMessage(user.profile.sub);
  // Not every issuer can, and its own session ends in any case.
  await manager.revokeTokens(['refresh_token']).catch(() => undefined);
  const { client_id, post_logout_redirect_uri } = manager.settings;
  try {
    await manager.signoutRedirect({
      redirectMethod: 'replace',
      // Cognito has a name of its own for the address to come back to.
      extraQueryParams: { client_id, logout_uri: post_logout_redirect_uri ?? '' },
    });
  } catch {
    await manager.removeUser(); // an issuer without a page for that, or out of reach
    location.replace(base);
  }
}

const signedOutMark = 'console.signed-out';

/** Whether the person has just signed out. Says so once. */
export function hasSignedOut(): boolean {
  const signedOut = sessionStorage.getItem(signedOutMark) !== null;
  sessionStorage.removeItem(signedOutMark);
  return signedOut;
}
