import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UserError } from '../errors.ts';

/** A login as it is kept in the user's home. */
export interface SavedLogin {
  /** Address of the API. */
  url: string;
  token: string;
  workspace?: string | undefined;
  /** Data to renew the token, if an identity provider issued it. */
  renewal?: {
    tokenEndpoint: string;
    clientId: string;
    refreshToken: string;
    /** Time until which the token is valid, in milliseconds since 1970. */
    expiresAt: number;
  };
}

/** Returns the path of the file that holds the login. */
export const getLoginPath = (): string =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'voice-assistants', 'login.json');

/** Reads the saved login, if it exists. Throws UserError if the file cannot be read. */
export function readLogin(): SavedLogin | undefined {
  let text: string;
  try {
    text = readFileSync(getLoginPath(), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UserError(`${getLoginPath()} cannot be read: ${(error as Error).message}`);
  }
  try {
    const login: SavedLogin = JSON.parse(text);
    if (typeof login.url === 'string' && typeof login.token === 'string') return login;
  } catch {
    // Reported below.
  }
  throw new UserError(`${getLoginPath()} is damaged: run voice-assistants login again`);
}

/** Saves the login so that only the user can read it. */
export function saveLogin(login: SavedLogin): void {
  const path = getLoginPath();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** Deletes the saved login. */
export const deleteLogin = (): void => rmSync(getLoginPath(), { force: true });
