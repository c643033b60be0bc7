import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { machine } from '../corpus.ts';

export const loadNow = () => (loadavg()[0] ?? 0).toFixed(1);

/** What figures belong to. The load is that of the machine, ours included: far above its cores, figures are worth little. */
export function circumstances(loadBefore: string): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const day = new Date().toISOString().slice(0, 10);
  const load = `load ${loadBefore} before and ${loadNow()} after`;
  return `${day} at ${commit}, ${machine()}, ${cpus()[0]?.model.trim()}, ${load}`;
}
