import { ErrorResponse, User, type UserManager } from 'oidc-client-ts';
import { signOut, signOutPath, signOuts } from './manager.ts';

/** The session is over, and the person does not want to sign in now. */
export class SessionEnded extends Error {}

/**
 * `ended`: the person is asked to sign in again, and requests wait for that; `left`: the same, since they have signed out in
 * another tab. `dismissed`: they said 'not now'. `other`: somebody else has signed in instead.
 */
export type SessionState = 'active' | 'ended' | 'left' | 'dismissed' | 'other';

/** Whether requests wait until the person has signed in. */
export const isAsking = (state: SessionState): boolean => state !== 'active' && state !== 'dismissed';

/** Who is signed in, for as long as the page stays. */
export interface Session {
  state(): SessionState;
  /** For useSyncExternalStore: tells of every change of the state; gives what ends that. */
  subscribe(listener: () => void): () => void;
  /** What to call the person to whom the page belongs. */
  name: string;
  /** What to call the person who signed in last. */
  nameNow(): string;
  /** The access token. It may have expired. */
  token(): string;
  /**
   * Gets a new token by the refresh token or, where that is over, by asking the person, once for all who call at a time.
   * Throws SessionEnded where they will not sign in; with `isInsistent: false`, also where they said so before.
   */
  renew(options?: { isInsistent: boolean }): Promise<void>;
  /** Signs in by a popup. Throws where there is none, or where it fails. */
  signInAgain(): Promise<void>;
  /** Lets the session be over. */
  dismiss(): void;
  /** Leaves the page, which may ask about what is not saved, and signs out. */
  signOut(): void;
}

const nameOf = ({ profile }: User): string =>
  profile.name ?? profile.email ?? profile.preferred_username ?? String(profile['cognito:username'] ?? profile.sub);

/** The session of somebody who has just signed in, or had before. */
export function sessionOf(manager: UserManager, first: User): Session {
  let user = first;
  let newcomer = first;
  let state: SessionState = 'active';
  let renewing: Promise<void> | undefined;
  let asked = Promise.withResolvers<void>();
  const listeners = new Set<() => void>();

  function become(next: SessionState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  const isSame = (other: User | null): other is User => other?.profile.sub === first.profile.sub;

  /** Waits until the person has signed in again. */
  function ask(why: 'ended' | 'left' = 'ended'): Promise<void> {
    if (!isAsking(state)) {
      asked = Promise.withResolvers();
      // Where no request waits for it, nobody hears of a 'not now'.
      asked.promise.catch(() => undefined);
      become(why);
    }
    return asked.promise;
  }

  // Whoever signs out means all of their tabs. What was typed in this one stays.
  signOuts().onmessage = ({ data }) => {
    if (data !== first.profile.sub) return;
    void manager.removeUser();
    user = new User({ ...user, access_token: '' });
    void ask('left');
  };

  async function refreshed(): Promise<boolean> {
    if (user.refresh_token === undefined) return false;
    try {
      const renewed = await manager.signinSilent();
      if (!isSame(renewed)) return false;
      user = renewed;
      return true;
    } catch (error) {
      // The issuer said no. Where it said nothing, the request fails as others do, and is tried again.
      if (error instanceof ErrorResponse) return false;
      throw error;
    }
  }

  async function renew({ isInsistent } = { isInsistent: true }): Promise<void> {
    if (isAsking(state)) return ask();
    if (state === 'dismissed' && !isInsistent) throw new SessionEnded();
    if (state === 'active' && (await refreshed())) return;
    return ask();
  }

  const session: Session = {
    name: nameOf(first),
    nameNow: () => nameOf(newcomer),
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    token: () => user.access_token,
    renew(options) {
      renewing ??= renew(options).finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
    async signInAgain() {
      newcomer = await manager.signinPopup(state === 'other' ? { prompt: 'login' } : {});
      // Somebody else's token must never go out with what is on this page.
      if (!isSame(newcomer)) return become('other');
      user = newcomer;
      become('active');
      asked.resolve();
    },
    dismiss() {
      become('dismissed');
      asked.reject(new SessionEnded());
    },
    signOut() {
      if (navigator.onLine) location.assign(signOutPath);
      // Offline there is no page to go to: what is in this browser is ended all the same.
      else void signOut(manager);
    },
  };
  manager.events.addUserLoaded((renewed) => {
    if (isSame(renewed)) user = renewed;
  });
  manager.events.addAccessTokenExpired(() => void session.renew({ isInsistent: false }).catch(() => undefined));
  return session;
}
