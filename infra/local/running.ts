import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { Problem } from '../problem.ts';
import { isListening } from './emulators/port.ts';

/** A host that runs on a data folder, as `host.json` in that folder describes it. */
export interface Running {
  pid: number;
  endpoints: Record<string, string>;
  /** The API's address, once it is served. */
  url?: string;
}

/** A data folder, and the host that runs on it, if any. */
export interface LocalHost {
  dir: string;
  running: Running | undefined;
}

/** Folder of one file for each host of `npm start`, named by its process, with its data folder. */
const registry = join(import.meta.dirname, '..', '..', 'cdk.out', 'hosts');

const defaultDir = '.local';

/** Returns the folder that holds everything that a host keeps. */
export const dataDir = (): string => resolve(process.env.DATA_DIR || defaultDir);

/** Returns a folder as people type it: relative if it is below the current one. */
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

const fileIn = (dir: string) => join(dir, 'host.json');

export const writeRunning = (dir: string, running: Running): void =>
  writeFileSync(fileIn(dir), JSON.stringify(running));

export const removeRunning = (dir: string): void => rmSync(fileIn(dir), { force: true });

/** Returns the host that runs on a data folder. Ignores what a killed host left, even if its process id is another's now. */
export async function findRunning(dir: string): Promise<Running | undefined> {
  try {
    const found: Running = JSON.parse(readFileSync(fileIn(dir), 'utf8'));
    const { hostname, port } = new URL(found.endpoints.AWS_ENDPOINT_URL_DYNAMODB ?? '');
    return isAlive(found.pid) && (await isListening(Number(port), hostname)) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Lets commands find the host of this process without its `DATA_DIR`. Returns a function that ends this. */
export function register(dir: string): () => void {
  const file = join(registry, String(process.pid));
  mkdirSync(registry, { recursive: true });
  writeFileSync(file, dir);
  return () => rmSync(file, { force: true });
}

/** Lists the hosts of `npm start` that run now. */
async function listRunning(): Promise<LocalHost[]> {
  const dirs = globSync(join(registry, '*')).map((file) => readFileSync(file, 'utf8'));
  const hosts = await Promise.all([...new Set(dirs)].map(async (dir) => ({ dir, running: await findRunning(dir) })));
  return hosts.filter(({ running }) => running);
}

/** Returns the data folder that a command works on, given the hosts that run. Throws Problem if it could be another one. */
export function pickFolder(
  hosts: LocalHost[],
  { DATA_DIR, PORT }: { DATA_DIR?: string | undefined; PORT?: string | undefined },
): string {
  if (DATA_DIR) return resolve(DATA_DIR);
  const found = hosts.filter(({ running }) => !PORT || URL.parse(running?.url ?? '')?.port === PORT);
  if (PORT && found.length === 0)
    throw new Problem(`No host runs at port ${PORT}: start it (npm start), or name its folder by DATA_DIR`);
  if (found.length > 1) {
    const choices = found.map(
      ({ dir, running }) => `\n  DATA_DIR=${toShortPath(dir)}  (${running?.url ?? 'starting'})`,
    );
    throw new Problem(`Several hosts run. Say which one:${choices.join('')}`);
  }
  return found[0]?.dir ?? resolve(defaultDir);
}

/**
 * Returns the host that a command works on, and prints its folder and address on stderr. Throws Problem if it is not clear which, or
 * if no host has ever served the folder.
 */
export async function chooseHost(): Promise<LocalHost> {
  const dir = pickFolder(await listRunning(), process.env);
  if (!existsSync(join(dir, 'issuer.json')))
    throw new Problem(
      `No host has ever served ${toShortPath(dir)}: start one (npm start), or name another folder by DATA_DIR`,
    );
  const running = await findRunning(dir);
  console.error(`Local host: ${running?.url ?? 'not running'}, data in ${toShortPath(dir)}`);
  return { dir, running };
}
