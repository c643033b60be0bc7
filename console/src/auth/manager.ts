import { UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { type Config, patience } from './config.ts';

/** Where the console is served. */
export const base = import.meta.env.BASE_URL;

/** Where the issuer sends back to; the same for the popup. */
export const signedInPath = `${base}signed-in`;

/** What the issuer needs to know of the console. Everything is kept in sessionStorage: it goes with the tab. */
export const managerFor = ({ issuer, clientId, scope }: Config): UserManager =>
  new UserManager({
    authority: issuer,
    client_id: clientId,
    scope,
    redirect_uri: location.origin + signedInPath,
    post_logout_redirect_uri: location.origin + base,
    userStore: new WebStorageStateStore({ store: sessionStorage }),
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    automaticSilentRenew: true,
    requestTimeoutInSeconds: patience / 1000,
  });

const signedOutMark = 'console.signed-out';

/** Lets the next page say so, where it would otherwise send to the issuer at once. */
export const rememberSignedOut = (): void => sessionStorage.setItem(signedOutMark, 'true');

/** Whether the person has just signed out. Says so once. */
export function hasSignedOut(): boolean {
  const signedOut = sessionStorage.getItem(signedOutMark) !== null;
  sessionStorage.removeItem(signedOutMark);
  return signedOut;
}
