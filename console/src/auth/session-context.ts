import { createContext, use, useSyncExternalStore } from 'react';
import type { Session, SessionState } from './session.ts';

export const SessionContext = createContext<Session | null>(null);

/** Returns the session of the signed-in user. Every page has one. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('No session: this is drawn outside of the shell');
  return session;
}

/** Returns the session's state, and re-renders when it changes. */
export function useSessionState(): SessionState {
  const { subscribe, getState } = useSession();
  return useSyncExternalStore(subscribe, getState);
}
