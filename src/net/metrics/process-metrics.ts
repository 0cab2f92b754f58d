import { readdirSync, readFileSync } from 'node:fs';
import type { MetricRegistry } from './metric-registry.ts';

/**
 * Sets the metrics of the process itself, but for the time of its start: CPU time, memory, and where the kernel tells of them open
 * files and limits. Fast enough for every scrape. All must be defined. Names: the process collector of Prometheus' clients.
 */
export function showProcess(registry: Pick<MetricRegistry, 'set'>): void {
  const { user, system } = process.cpuUsage();
  registry.set('process_cpu_seconds_total', (user + system) / 1e6);
  registry.set('process_resident_memory_bytes', process.memoryUsage.rss());
  const known = {
    process_open_fds: countOpenFiles(),
    process_virtual_memory_bytes: virtualBytes(textOf('stat')),
    process_max_fds: limitIn(textOf('limits'), 'Max open files'),
    process_virtual_memory_max_bytes: limitIn(textOf('limits'), 'Max address space'),
  };
  for (const [name, value] of Object.entries(known)) if (value !== undefined) registry.set(name, value);
}

/** The descriptor with which the folder is read does not count. */
function countOpenFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return undefined;
  }
}

/** A file of the process; empty where the kernel has none. */
function textOf(name: string): string {
  try {
    return readFileSync(`/proc/self/${name}`, 'latin1');
  } catch {
    return '';
  }
}

/** The 23rd field, of which the name of the program in parentheses is the second: proc(5). */
function virtualBytes(stat: string): number | undefined {
  const field = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[20];
  return field === undefined ? undefined : Number(field);
}

/** What holds now of a limit; -1 for none. */
function limitIn(limits: string, name: string): number | undefined {
  const value = new RegExp(`^${name} +(\\d+|unlimited) `, 'm').exec(limits)?.[1];
  return value === 'unlimited' ? -1 : value === undefined ? undefined : Number(value);
}
