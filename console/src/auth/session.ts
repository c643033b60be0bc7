import { ErrorResponse, User, type UserManager } from 'oidc-client-ts';
import {
  checkSession,
  hasSignedOut,
  leaveToSignOut,
  listenForSignOuts,
  rememberSignIn,
  signOut,
} from './user-manager.ts';

/** The session ended, and the user declined to sign in again. */
export class SessionEndedError extends Error {}

/**
 * `ended`: the user is asked to sign in again, and requests wait for that. `left`: the same, after a sign-out in
 * another tab. `dismissed`: the user chose "Not now". `other`: somebody else signed in instead.
 */
export type SessionState = 'active' | 'ended' | 'left' | 'dismissed' | 'other';

/** True while requests wait for the user to sign in. */
export const isSignInPending = (state: SessionState): boolean => state !== 'active' && state !== 'dismissed';

/** Session of the signed-in user, for the lifetime of the page. */
export interface Session {
  getState(): SessionState;
  /** Calls `listener` on every change of state, for useSyncExternalStore. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** Display name of the user that the page belongs to. */
  name: string;
  /** Display name of the user who signed in last. */
  getLatestName(): string;
  /** Returns the access token, which may have expired. */
  getToken(): string;
  /**
   * Gets a new token with the refresh token or, if that has expired, by asking the user. Concurrent callers share one
   * attempt. Throws SessionEndedError if the user declines; with `promptAgain: false`, also if the user declined
   * before.
   */
  renew(options?: { promptAgain: boolean }): Promise<void>;
  /** Signs in with a popup. Throws if the popup is blocked or the sign-in fails. */
  signInAgain(): Promise<void>;
  /** Declines to sign in again. */
  dismiss(): void;
  /** Leaves the page, which may ask about unsaved changes, and signs out. */
  signOut(): void;
}

const getDisplayName = ({ profile }: User): string =>
  profile.name ?? profile.email ?? profile.preferred_username ?? String(profile['cognito:username'] ?? profile.sub);

/** Creates the session of a user who is signed in. */
export function createSession(manager: UserManager, owner: User): Session {
  let user = owner;
  let latestUser = owner;
  let state: SessionState = 'active';
  let renewing: Promise<void> | undefined;
  let signedIn = Promise.withResolvers<void>();
  const listeners = new Set<() => void>();

  function setState(next: SessionState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  const isSame = (other: User | null): other is User => other?.profile.sub === owner.profile.sub;

  /** Waits until the user has signed in again. */
  function promptUser(why: 'ended' | 'left' = 'ended'): Promise<void> {
    if (!isSignInPending(state)) {
      signedIn = Promise.withResolvers();
      // Prevents an unhandled rejection on "Not now" if no request is waiting.
      signedIn.promise.catch(() => undefined);
      setState(why);
    }
    return signedIn.promise;
  }

  // A sign-out applies to all of the user's tabs. Input in this one is kept.
  listenForSignOuts(manager, owner, () => {
    user = new User({ ...user, access_token: '' });
    void promptUser('left');
  });

  async function tryRefresh(): Promise<boolean> {
    if (user.refresh_token === undefined) return false;
    try {
      const renewed = await manager.signinSilent();
      if (!isSame(renewed) || hasSignedOut(renewed)) return false;
      user = renewed;
      return true;
    } catch (error) {
      // The issuer refused. On any other error, such as no response, the request fails like others and is retried.
      if (error instanceof ErrorResponse) return false;
      throw error;
    }
  }

  async function renew({ promptAgain } = { promptAgain: true }): Promise<void> {
    if (isSignInPending(state)) return promptUser();
    if (state === 'dismissed' && !promptAgain) throw new SessionEndedError();
    if (state === 'active' && (await tryRefresh())) return;
    return promptUser();
  }

  const session: Session = {
    name: getDisplayName(owner),
    getLatestName: () => getDisplayName(latestUser),
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getToken: () => user.access_token,
    renew(options) {
      renewing ??= renew(options).finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
    async signInAgain() {
      rememberSignIn();
      latestUser = await manager.signinPopup(state === 'other' ? { prompt: 'login' } : {});
      // Never send somebody else's token with the data on this page.
      if (!isSame(latestUser)) return setState('other');
      if (hasSignedOut(latestUser)) return setState('left'); // while the popup was open
      user = latestUser;
      setState('active');
      signedIn.resolve();
    },
    dismiss() {
      setState('dismissed');
      signedIn.reject(new SessionEndedError());
    },
    signOut() {
      if (navigator.onLine) leaveToSignOut(owner.profile.sub);
      // Offline, no page can load: end the session in this browser only.
      else void signOut(manager, owner.profile.sub);
    },
  };
  manager.events.addUserLoaded((renewed) => {
    void checkSession(manager); // the user may have signed out while this tab waited
    if (isSame(renewed) && !hasSignedOut(renewed)) user = renewed;
  });
  manager.events.addAccessTokenExpired(() => void session.renew({ promptAgain: false }).catch(() => undefined));
  return session;
}
