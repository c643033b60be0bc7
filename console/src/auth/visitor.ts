import type { User, UserManager } from 'oidc-client-ts';
import {
  basePath,
  checkSession,
  findSigningOut,
  rememberSignIn,
  signInCallbackPath,
  signOut,
  signOutPath,
  takeSignedOutFlag,
} from './user-manager.ts';

/** State of a visitor who opens the page. */
export type Visitor =
  | { kind: 'signed-in'; user: User }
  /** Signed out a moment ago: shown a page before being redirected to the issuer again. */
  | { kind: 'signed-out' }
  /** This window is a popup that has reported to its opener, or the URL is that of an old sign-in. */
  | { kind: 'popup' }
  /** Being redirected to the issuer, to sign in or out. */
  | { kind: 'leaving' };

/** Page to return to after signing in. */
interface SignInState {
  returnTo: string;
}

/** Redirects to the issuer. After signing in, the user comes back to the current page. */
export async function signIn(manager: UserManager): Promise<void> {
  const here = location.pathname + location.search + location.hash;
  const state: SignInState = {
    returnTo: [signInCallbackPath, signOutPath].includes(location.pathname) ? basePath : here,
  };
  await manager.signinRedirect({ state });
}

/** Identifies the visitor, and redirects unknown ones to the issuer. Throws if the issuer refuses. */
export async function identifyVisitor(manager: UserManager): Promise<Visitor> {
  if (location.pathname === signInCallbackPath) return handleCallback(manager);
  const leaving = findSigningOut();
  if (leaving !== undefined) {
    await signOut(manager, leaving);
    return { kind: 'leaving' };
  }
  const user = await checkSession(manager);
  if (user?.expired && user.refresh_token) await manager.signinSilent().catch(() => null);
  const current = await checkSession(manager); // the user may have signed out while this tab waited
  if (current && !current.expired) return { kind: 'signed-in', user: current };
  if (takeSignedOutFlag()) return { kind: 'signed-out' };
  await signIn(manager);
  return { kind: 'leaving' };
}

/**
 * Completes a sign-in on return from the issuer. The tab that left knows the response's `state`; a popup does not, and
 * passes it to its opener.
 */
async function handleCallback(manager: UserManager): Promise<Visitor> {
  const state = new URLSearchParams(location.search).get('state');
  if (!state) return { kind: 'popup' };
  if (await manager.settings.stateStore.get(state)) {
    const startedAt = Date.now();
    const user = await manager.signinRedirectCallback();
    rememberSignIn(startedAt); // not before it has succeeded: the tab may still have the session of a user who has signed out
    history.replaceState(null, '', (user.state as SignInState).returnTo);
    return (await checkSession(manager)) ? { kind: 'signed-in', user } : { kind: 'signed-out' };
  }
  await manager.signinPopupCallback();
  if (window.opener) return { kind: 'popup' };
  // A popup without an opener has closed itself by now. A user who came here with the browser's back button is signed
  // in already.
  const user = await checkSession(manager);
  if (!user || user.expired) return { kind: 'popup' };
  history.replaceState(null, '', basePath);
  return { kind: 'signed-in', user };
}
