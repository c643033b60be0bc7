import type { User, UserManager } from 'oidc-client-ts';
import { base, hasSignedOut, signedInPath, signOut, signOutPath } from './manager.ts';

/** What a visitor of the page is. */
export type Visitor =
  /** Signed in. */
  | { kind: 'person'; user: User }
  /** Signed out a moment ago: asked before going to the issuer again. */
  | { kind: 'signed-out' }
  /** This window is the popup of another, which has been told; or the address is an old one. */
  | { kind: 'popup' }
  /** On the way to the issuer, in or out. */
  | { kind: 'leaving' };

/** Where somebody wanted to go when they were sent to the issuer. */
interface Intent {
  returnTo: string;
}

/** Sends to the issuer; whoever signs in comes back to where they are now. */
export async function signIn(manager: UserManager): Promise<void> {
  const here = location.pathname + location.search + location.hash;
  const state: Intent = { returnTo: location.pathname === signedInPath ? base : here };
  await manager.signinRedirect({ state });
}

/** Finds out who opens the page, and sends to the issuer whom it does not know. Throws where the issuer refuses. */
export async function enter(manager: UserManager): Promise<Visitor> {
  if (location.pathname === signedInPath) return arrive(manager);
  if (location.pathname === signOutPath) {
    await signOut(manager);
    return { kind: 'leaving' };
  }
  const user = await manager.getUser();
  if (user && !user.expired) return { kind: 'person', user };
  if (user?.refresh_token) {
    const renewed = await manager.signinSilent().catch(() => null);
    if (renewed) return { kind: 'person', user: renewed };
  }
  if (hasSignedOut()) return { kind: 'signed-out' };
  await signIn(manager);
  return { kind: 'leaving' };
}

/** Back from the issuer. The tab that left knows the answer's state; a popup does not, and hands it to its opener. */
async function arrive(manager: UserManager): Promise<Visitor> {
  const state = new URLSearchParams(location.search).get('state');
  if (!state) return { kind: 'popup' };
  if (await manager.settings.stateStore.get(state)) {
    const user = await manager.signinRedirectCallback();
    history.replaceState(null, '', (user.state as Intent).returnTo);
    return { kind: 'person', user };
  }
  await manager.signinPopupCallback();
  if (window.opener) return { kind: 'popup' };
  // A popup without an opener has closed itself by now. Whoever came back by the browser's own button has signed in before.
  const user = await manager.getUser();
  if (!user || user.expired) return { kind: 'popup' };
  history.replaceState(null, '', base);
  return { kind: 'person', user };
}
