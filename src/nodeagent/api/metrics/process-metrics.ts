import { readdirSync } from 'node:fs';
import type { MetricRegistry } from '../../../net/metrics/index.ts';

/** Sets what the process itself takes of the machine. */
export function showProcess(registry: Pick<MetricRegistry, 'set'>): void {
  const { user, system } = process.cpuUsage();
  registry.set('process_cpu_seconds_total', (user + system) / 1e6);
  registry.set('process_resident_memory_bytes', process.memoryUsage.rss());
  registry.set('process_open_fds', countOpenFiles());
}

/** Without the one that reads it; 0 where it is unknown. */
function countOpenFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return 0;
  }
}
