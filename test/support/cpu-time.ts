/** Returns the processor time of this process since `before`, in milliseconds. Unlike wall-clock time, it excludes other processes. */
export const cpuTimeSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
