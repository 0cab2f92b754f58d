/**
 * CPU time that this thread takes for some work, in milliseconds: what it costs, however many other programs share the machine.
 */
export function cpuMsOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
