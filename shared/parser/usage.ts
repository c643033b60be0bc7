import { readFileSync } from 'node:fs';

/** What a process takes of the machine. */
export interface Usage {
  cpuMs: number;
  /** Resident memory. */
  memoryMb: number;
}

/** Clock ticks a second in `/proc`, the same on every Linux that Node runs on. */
const ticks = 100;

/** Returns what a running process takes. Undefined where the process is gone, and where there is no `/proc`, as on macOS. */
export function measureUsage(pid: number | undefined): Usage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields 14 and 15 of proc(5), user and system time; the name before them, in brackets, may have spaces.
    const [userTime, systemTime] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    const [, resident] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return {
      cpuMs: (((userTime ?? 0) + (systemTime ?? 0)) * 1000) / ticks,
      memoryMb: Number(resident ?? 0) / 1024,
    };
  } catch {
    return undefined;
  }
}
