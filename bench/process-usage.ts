import { readFile } from 'node:fs/promises';

/** Clock ticks in a second, in which Linux counts CPU time; the same on every machine that Node runs on. */
const ticksPerSecond = 100;

/** CPU time that a process has taken, all threads, user and system, in microseconds; known to 10 ms. */
export async function cpuMicros(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in parentheses, which may hold blanks.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return (ticks * 1e6) / ticksPerSecond;
}

/** Resident memory of a process, in megabytes of 10^6 bytes. */
export async function residentMegabytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1];
  return (Number(kibibytes) * 1024) / 1e6;
}
