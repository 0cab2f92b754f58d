import { readFile } from 'node:fs/promises';

/** Clock ticks in a second, in which Linux counts CPU time; the same on every machine that Node runs on. */
const ticksPerSecond = 100;

/** Fields of `/proc/PID/stat` behind the program's name (proc_pid_stat(5)), from the process's state on. */
const fieldsAt = { own: [11, 12], waitedFor: [13, 14] } as const;

/** CPU time that a process has taken, all threads, user and system, in microseconds; known to 10 ms. */
export const cpuMicros = (pid: number): Promise<number> => readMicros(String(pid), fieldsAt.own);

/** The same of all processes that this one started, and that have ended. */
export const childrenCpuMicros = (): Promise<number> => readMicros('self', fieldsAt.waitedFor);

async function readMicros(process: string, places: readonly number[]): Promise<number> {
  const text = await readFile(`/proc/${process}/stat`, 'utf8');
  // The second field is the program's name in parentheses, which may hold blanks.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = places.reduce((sum, place) => sum + Number(fields[place]), 0);
  return (ticks * 1e6) / ticksPerSecond;
}

/** Resident memory of a process, in megabytes of 10^6 bytes. */
export async function residentMegabytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1];
  return (Number(kibibytes) * 1024) / 1e6;
}
