import { readdirSync } from 'node:fs';
import type { MetricRegistry } from '../../../net/metrics/index.ts';

/** Sets the metrics of the process itself: CPU time, memory and open files. */
export function showProcess(registry: Pick<MetricRegistry, 'set'>): void {
  const { user, system } = process.cpuUsage();
  registry.set('process_cpu_seconds_total', (user + system) / 1e6);
  registry.set('process_resident_memory_bytes', process.memoryUsage.rss());
  registry.set('process_open_fds', countOpenFiles());
}

/** The descriptor with which the folder is read does not count; 0 where the number is unknown. */
function countOpenFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return 0;
  }
}
