import { createContext, use, useSyncExternalStore } from 'react';
import type { Session, SessionState } from './session.ts';

export const SessionContext = createContext<Session | null>(null);

/** The session of whoever is signed in. Every page has one. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('No session: this is drawn outside of the shell');
  return session;
}

/** The session's state, now and whenever it changes. */
export function useSessionState(): SessionState {
  const { subscribe, state } = useSession();
  return useSyncExternalStore(subscribe, state);
}
