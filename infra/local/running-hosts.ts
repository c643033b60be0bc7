import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { UserError } from '../terminal/user-error.ts';
import { isListening } from './emulators/port.ts';

/** A running host, as `host.json` in its data folder describes it. */
export interface RunningHost {
  pid: number;
  endpoints: Record<string, string>;
  /** Address of the API, undefined while the host starts. */
  url?: string;
}

/** A data folder, and the host that runs on it, if any. */
export interface LocalHost {
  dir: string;
  running: RunningHost | undefined;
}

/** Folder with one file per host of `npm start`: its name is the process id, its content the data folder. */
const registry = join(import.meta.dirname, '..', '..', 'cdk.out', 'hosts');

const defaultDir = '.local';

/** Returns the folder for all data and logs of a host. */
export const getDataDir = (): string => resolve(process.env.DATA_DIR || defaultDir);

/** Returns a path relative to the current folder if it is inside, and unchanged otherwise. */
export const toShortPath = (dir: string): string => {
  const path = relative('.', dir);
  return path === '' || path.startsWith('..') ? dir : path;
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const toHostFile = (dir: string) => join(dir, 'host.json');

export const writeRunning = (dir: string, running: RunningHost): void =>
  writeFileSync(toHostFile(dir), JSON.stringify(running));

export const removeRunning = (dir: string): void => rmSync(toHostFile(dir), { force: true });

/** Returns the host that runs on a data folder, if any. Ignores the file of a killed host, even if another process has its id now. */
export async function findRunning(dir: string): Promise<RunningHost | undefined> {
  try {
    const found: RunningHost = JSON.parse(readFileSync(toHostFile(dir), 'utf8'));
    const { hostname, port } = new URL(found.endpoints.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    return isAlive(found.pid) && (await isListening(Number(port), hostname)) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** True if the last host on a data folder was killed: it left its file. Only for a folder on which no host runs. */
export const wasKilled = (dir: string): boolean => existsSync(toHostFile(dir));

/** Registers this process's host, so that commands find it without `DATA_DIR`. Returns a function that removes the registration. */
export function registerHost(dir: string): () => void {
  const file = join(registry, String(process.pid));
  mkdirSync(registry, { recursive: true });
  writeFileSync(file, dir);
  return () => rmSync(file, { force: true });
}

/** Lists the running hosts of `npm start`. */
async function listRunning(): Promise<LocalHost[]> {
  const dirs = globSync(join(registry, '*')).map((file) => readFileSync(file, 'utf8'));
  const hosts = await Promise.all([...new Set(dirs)].map(async (dir) => ({ dir, running: await findRunning(dir) })));
  return hosts.filter(({ running }) => running);
}

/** Returns the data folder for a command: `DATA_DIR`, else that of the only running host at `PORT`. Throws UserError if several run. */
export function pickDataDir(
  hosts: LocalHost[],
  { DATA_DIR, PORT }: { DATA_DIR?: string | undefined; PORT?: string | undefined },
): string {
  if (DATA_DIR) return resolve(DATA_DIR);
  const found = hosts.filter(({ running }) => !PORT || URL.parse(running?.url ?? '')?.port === PORT);
  if (PORT && found.length === 0)
    throw new UserError(`No host runs at port ${PORT}: start it (npm start), or name its folder by DATA_DIR`);
  if (found.length > 1) {
    const choices = found.map(
      ({ dir, running }) => `\n  DATA_DIR=${toShortPath(dir)}  (${running?.url ?? 'starting'})`,
    );
    throw new UserError(`Several hosts run. Choose one:${choices.join('')}`);
  }
  return found[0]?.dir ?? resolve(defaultDir);
}

/**
 * Returns the host for a command, and prints its address and folder on stderr. Throws UserError if several hosts run, or if no host has
 * ever used the folder.
 */
export async function chooseHost(): Promise<LocalHost> {
  const dir = pickDataDir(await listRunning(), process.env);
  if (!existsSync(join(dir, 'issuer.json')))
    throw new UserError(
      `No host has ever served ${toShortPath(dir)}: start one (npm start), or name another folder by DATA_DIR`,
    );
  const running = await findRunning(dir);
  console.error(`Local host: ${running?.url ?? 'not running'}, data in ${toShortPath(dir)}`);
  return { dir, running };
}
