import { readFileSync } from 'node:fs';

/** CPU time and memory of a process. */
export interface Usage {
  cpuMs: number;
  /** Resident memory. */
  memoryMb: number;
}

/** Clock ticks per second in `/proc`. The same on every Linux that runs Node. */
const ticksPerSecond = 100;

/** Returns the usage of a running process; undefined if it has exited or there is no `/proc`, as on macOS. */
export function measureUsage(pid: number | undefined): Usage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields 14 and 15 of proc(5): user and system time. The process name precedes them in brackets and may contain spaces.
    const [userTime, systemTime] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    const [, resident] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return {
      cpuMs: (((userTime ?? 0) + (systemTime ?? 0)) * 1000) / ticksPerSecond,
      memoryMb: Number(resident ?? 0) / 1024,
    };
  } catch {
    return undefined;
  }
}
