/** Returns the processor time in milliseconds that this process has spent since `before`: unlike a clock's, no other process adds to it. */
export const cpuTimeSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
