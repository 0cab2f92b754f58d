/**
 * Process that runs the built server and tells how long its event loop was kept busy at a time, and with how much work:
 * its parent asks after each phase. Flags of the server are its arguments.
 */
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { monitorTurnCpu } from './turn-cpu.ts';

/** Delays of the event loop since the last question, in milliseconds. */
export interface LoopDelay {
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Most CPU time that its thread took in one turn. */
  readonly maxCpuMs: number;
}

/** What the parent wants: delays, or the CPU profile of what happens from one order to the next, in a file. */
export type ServerOrder = 'delay' | 'profile' | { readonly saveProfile: string };

/** What the parent is told. */
export type ServerReport =
  | {
      readonly kind: 'ready';
      readonly url: string;
      readonly authorityPem: string;
      readonly adminCertificatePem: string;
      readonly adminKeyPem: string;
    }
  | { readonly kind: 'delay'; readonly delay: LoopDelay }
  | { readonly kind: 'done' };

const packageUrl = new URL('../dist/src/app/index.js', import.meta.url).href;
// The built package is what these sources were made into.
const { startServer } = (await import(packageUrl)) as typeof import('../src/app/index.ts');
const server = await startServer({ flags: process.argv.slice(2) });
const monitor = monitorEventLoopDelay({ resolution: 2 });
monitor.enable();
const turnCpu = monitorTurnCpu();
const report = (message: ServerReport): void => void process.send?.(message);

const inspector = new Session();

function tellDelay(): void {
  const [p99Ms, maxMs] = [monitor.percentile(99) / 1e6, monitor.max / 1e6];
  report({ kind: 'delay', delay: { p99Ms, maxMs, maxCpuMs: turnCpu.takeMaxMs() } });
  monitor.reset();
}

async function startProfile(): Promise<void> {
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.start');
  report({ kind: 'done' });
}

async function saveProfile(path: string): Promise<void> {
  const { profile } = await inspector.post('Profiler.stop');
  inspector.disconnect();
  await writeFile(path, JSON.stringify(profile));
  report({ kind: 'done' });
}

process.on('message', (order: ServerOrder) => {
  if (order === 'delay') tellDelay();
  else void (order === 'profile' ? startProfile() : saveProfile(order.saveProfile));
});
process.on('disconnect', () => void server.stop().then(() => process.exit(0)));
const { url, authorityPem, adminCertificatePem, adminKeyPem } = server;
report({ kind: 'ready', url, authorityPem, adminCertificatePem, adminKeyPem });
