/**
 * Measures `orch serve` (built, SQLite in a temporary folder) under load that another process makes: operations per
 * second, latency, CPU of the server for each operation, memory, time until it is ready. Takes under two minutes.
 *
 * `npm run bench`; with `-- --quick` only enough to see that everything works; with `-- --json` figures for programs.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { type ServeProcess, startServe } from '../test/support/serve-process.ts';
import { makeTemporaryDirectory } from '../test/support/temporary-directory.ts';
import type { WorkOrder, WorkReport } from './load-worker.ts';
import { fullSizes, type Phase, phasesOf, quickSizes } from './phases.ts';
import { cpuMicros, residentMegabytes } from './process-usage.ts';
import { type BenchFigures, type PhaseFigures, renderReport } from './report.ts';

const starts = 3;
/** Only the API is measured: no loops beside it, no service account that somebody would have to make. */
const flags = ['--controllers=none', '--disable-admission-plugins=ServiceAccount'];

async function measureReadiness(): Promise<number[]> {
  const times: number[] = [];
  for (let start = 0; start < starts; start++) {
    await using directory = await makeTemporaryDirectory();
    const server = await startServe([`--data-dir=${directory.path}`, ...flags]);
    times.push(server.readyAfterMs);
    await server.stop();
  }
  return times;
}

async function measurePhase(
  worker: ChildProcess,
  server: ServeProcess,
  options: { readonly phase: Phase; readonly index: number; readonly isQuick: boolean },
): Promise<PhaseFigures> {
  const { phase, index, isQuick } = options;
  const order: WorkOrder = { access: server.access, isQuick, phase: index };
  worker.send(order);
  await nextReport(worker, 'ready');
  const before = await cpuMicros(server.pid);
  worker.send('go');
  const { summary } = await nextReport(worker, 'done');
  return { ...summary, name: phase.name, serverCpuMicros: (await cpuMicros(server.pid)) - before };
}

/** @throws Error when the process that makes the load ends instead. */
async function nextReport<K extends WorkReport['kind']>(
  worker: ChildProcess,
  kind: K,
): Promise<Extract<WorkReport, { kind: K }>> {
  const over = new AbortController();
  const ended = once(worker, 'exit', { signal: over.signal }).then(() => undefined);
  try {
    // Workers send reports only; the kind tells which.
    const report = await Promise.race([once(worker, 'message'), ended]);
    const [message] = (report ?? []) as WorkReport[];
    if (message?.kind !== kind) throw new Error('the process that makes the load ended');
    return message as Extract<WorkReport, { kind: K }>;
  } finally {
    over.abort();
    await ended.catch(() => {}); // aborted
  }
}

async function measure(isQuick: boolean): Promise<BenchFigures> {
  const readyMs = await measureReadiness();
  await using directory = await makeTemporaryDirectory();
  await using server = await startServe([`--data-dir=${directory.path}`, ...flags]);
  const worker = fork(new URL('./load-worker.ts', import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const idleMegabytes = await residentMegabytes(server.pid);
  const phases: PhaseFigures[] = [];
  for (const [index, phase] of phasesOf(isQuick ? quickSizes : fullSizes).entries()) {
    phases.push(await measurePhase(worker, server, { phase, index, isQuick }));
  }
  const afterMegabytes = await residentMegabytes(server.pid);
  worker.disconnect();
  return { readyMs, idleMegabytes, afterMegabytes, phases };
}

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
const figures = await measure(values.quick === true);
process.stdout.write(
  values.json === true ? `${JSON.stringify(figures, undefined, 2)}\n` : renderReport(figures),
);
for (const { name, failures } of figures.phases) {
  if (failures.length === 0) continue;
  console.error(`bench: ${name}: ${failures.join(', ')}`);
  process.exitCode = 1;
}
