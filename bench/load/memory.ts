import { readdirSync, readFileSync } from 'node:fs';
import { readResidentMb } from '../processes.ts';

/** Resident memory of a function's process over time, in megabytes. */
export interface ProcessMemory {
  entry: string;
  samples: number[];
}

/** Samples the memory of all child processes every second. Returns a function that stops and returns the samples. Linux only. */
export function watchMemory(): () => ProcessMemory[] {
  const seen = new Map<string, ProcessMemory>();
  const takeSamples = () => {
    for (const thread of readdirSync('/proc/self/task')) {
      const children = readFileSync(`/proc/self/task/${thread}/children`, 'utf8').trim();
      for (const pid of children.split(' ').filter(Boolean)) {
        try {
          const entry = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').at(-2) ?? '';
          const one = seen.get(pid) ?? { entry, samples: [] };
          seen.set(pid, one);
          one.samples.push(readResidentMb(pid));
        } catch {
          // The process has exited.
        }
      }
    }
  };
  const timer = setInterval(takeSamples, 1_000);
  return () => {
    clearInterval(timer);
    return [...seen.values()];
  };
}

const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Returns the relative growth from the third tenth of a process's life, when it is warm, to the last tenth. */
function getGrowth({ samples }: ProcessMemory): number {
  const tenth = Math.floor(samples.length / 10);
  return tenth === 0 ? 0 : mean(samples.slice(-tenth)) / mean(samples.slice(2 * tenth, 3 * tenth)) - 1;
}

/** Summarizes the memory of each function. `names` maps entry files to function names. Omits idle functions. */
export function summarizeMemory(processes: ProcessMemory[], names: ReadonlyMap<string, string>) {
  const byName = Map.groupBy(processes, ({ entry }) => names.get(entry));
  return [...byName].flatMap(([name, all]) => {
    const growth = Math.max(...all.map(getGrowth));
    const most = Math.max(...all.flatMap(({ samples }) => samples));
    return name && growth > 0.001 ? [{ name, count: all.length, most, growth }] : [];
  });
}
