import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of one process of a function, as it was over time, in megabytes. */
export interface Resident {
  entry: string;
  samples: number[];
}

const megabytes = (pid: string) => (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 1e6;

/** Looks every second at the processes that this one has started. Gives what it saw when it is stopped. Linux only. */
export function watchMemory(): () => Resident[] {
  const seen = new Map<string, Resident>();
  const look = () => {
    for (const thread of readdirSync('/proc/self/task')) {
      const children = readFileSync(`/proc/self/task/${thread}/children`, 'utf8').trim();
      for (const pid of children.split(' ').filter(Boolean)) {
        try {
          const entry = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').at(-2) ?? '';
          const one = seen.get(pid) ?? { entry, samples: [] };
          seen.set(pid, one);
          one.samples.push(megabytes(pid));
        } catch {
          // It has ended meanwhile.
        }
      }
    }
  };
  const timer = setInterval(look, 1_000);
  return () => {
    clearInterval(timer);
    return [...seen.values()];
  };
}

const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** How much more a process took in the last tenth of its time than in the third one, when it is warm, as a share. */
function growthOf({ samples }: Resident): number {
  const tenth = Math.floor(samples.length / 10);
  return tenth === 0 ? 0 : mean(samples.slice(-tenth)) / mean(samples.slice(2 * tenth, 3 * tenth)) - 1;
}

/** The memory of each function that answered, by the name of its entry file: those with one idle process are left out. */
export function memoryOf(processes: Resident[], names: ReadonlyMap<string, string>) {
  const byName = Map.groupBy(processes, ({ entry }) => names.get(entry));
  return [...byName].flatMap(([name, all]) => {
    const growth = Math.max(...all.map(growthOf));
    const most = Math.max(...all.flatMap(({ samples }) => samples));
    return name && growth > 0.001 ? [{ name, count: all.length, most, growth }] : [];
  });
}
