import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Starts a program that serves a host and prints its address, in a new process group. `kill` ends the group with SIGKILL, and waits until
 * it is dead.
 */
export async function startKillableHost(...programArguments: string[]) {
  const child: ChildProcess = spawn(process.execPath, programArguments, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = await Promise.race([
    once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`The host ended with exit code ${code} before it was ready`);
    }),
  ]);
  let isKilled = false;
  return {
    url: String(url).trim(),
    async kill(): Promise<void> {
      if (isKilled || !child.pid) return;
      isKilled = true;
      const exited = once(child, 'exit');
      process.kill(-child.pid, 'SIGKILL');
      await exited;
    },
  };
}

export type KillableHost = Awaited<ReturnType<typeof startKillableHost>>;
