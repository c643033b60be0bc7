import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { describeMachine } from '../corpus.ts';

export const getLoad = () => (loadavg()[0] ?? 0).toFixed(1);

/**
 * Describes the conditions of a measurement. The load is that of the whole machine, including the benchmark. If it is far above the
 * number of cores, the figures mean little.
 */
export function describeConditions(loadBefore: string): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const day = new Date().toISOString().slice(0, 10);
  const load = `load ${loadBefore} before and ${getLoad()} after`;
  return `${day} at ${commit}, ${describeMachine()}, ${cpus()[0]?.model.trim()}, ${load}`;
}
