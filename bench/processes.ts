import { readFileSync } from 'node:fs';

/** Lists the ids of the child processes that run a bundle. Linux only. */
export function listProcesses(entry: string): string[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim();
  return children
    .split(' ')
    .filter((id) => id && readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').includes(entry));
}

/** Returns the resident memory of a process in megabytes. Linux only. */
export const readResidentMb = (id: string) =>
  (Number(readFileSync(`/proc/${id}/statm`, 'utf8').split(' ')[1]) * 4096) / 1e6;
