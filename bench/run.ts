/**
 * Measures a server under load that another process makes: operations per second, latency, CPU of the server for each
 * operation, memory, time until it is ready. `npm run bench`; options go after `--`:
 *
 * `--quick` only enough to see that everything works; `--large` 100,000 pods and 1,000 watches, and how long the
 * server's event loop is busy at a time; `--storage etcd` over an etcd of its own instead of SQLite (or any URL that
 * `orch serve --storage` takes); `--server URL` (`--token T`, `--ca FILE`, `--pid N`, `--dialect D`) another server
 * that runs already and lets pods be made without a service account; `-o json` figures for programs; `--only TEXT` phases
 * with this in their names; `--profile FOLDER` a CPU profile of the server's main thread for each phase, which slows it;
 * `--definitions` what thousands of definitions of custom resources cost, beside their goals (with `--quick`: hundreds);
 * `--authorization` what a decision costs with 10,000 role bindings; `--access` what such a caller's requests cost, and
 * recording them; `--webhooks` what asking a webhook costs.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Dialect, orchDialect } from '../src/machinery/dialect.ts';
import { startServe } from '../test/support/serve-process.ts';
import { makeTemporaryDirectory } from '../test/support/temporary-directory.ts';
import { type BenchServer, foreignServer, startMeasured, startProgram } from './bench-server.ts';
import type { WorkOrder, WorkReport } from './load-worker.ts';
import { nextMessage } from './next-message.ts';
import { getName, type ProfileName, phasesOf, profiles, updateName } from './phases.ts';
import { cpuMicros, residentMegabytes } from './process-usage.ts';
import { type BenchFigures, type PhaseFigures, renderReport } from './report.ts';
import { startEtcd } from './start-etcd.ts';

const starts = 3;
/** Only the API is measured: no loops beside it, no service account that somebody would have to make. */
const flags = ['-v=0', '--controllers=none', '--disable-admission-plugins=ServiceAccount'];

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

interface PhaseRun {
  readonly name: string;
  readonly order: WorkOrder;
}

async function measurePhase(
  worker: ChildProcess,
  server: BenchServer,
  { name, order }: PhaseRun,
): Promise<PhaseFigures> {
  worker.send(order);
  await nextReport(worker, 'ready');
  await server.delay?.(); // from here on
  const saveProfile = values.profile === undefined ? undefined : await server.profile?.();
  const before = await ofProcess(server, cpuMicros);
  worker.send('go');
  const { summary } = await nextReport(worker, 'done');
  const after = await ofProcess(server, cpuMicros);
  await saveProfile?.(join(values.profile ?? '', `${name.replaceAll(/\W+/g, '-')}.cpuprofile`));
  const loopDelay = await server.delay?.();
  worker.send('end');
  return {
    ...summary,
    name,
    serverCpuMicros: before === undefined || after === undefined ? undefined : after - before,
    loopDelay,
  };
}

/** @throws Error when the process that makes the load ends instead. */
async function nextReport<K extends WorkReport['kind']>(
  worker: ChildProcess,
  kind: K,
): Promise<Extract<WorkReport, { kind: K }>> {
  // Workers send reports only; the kind tells which.
  const message = (await nextMessage(worker, 'the process that makes the load')) as WorkReport;
  if (message.kind !== kind) throw new Error(`expected to be told "${kind}", got "${message.kind}"`);
  return message as Extract<WorkReport, { kind: K }>;
}

async function ofProcess(
  { pid }: BenchServer,
  measure: (pid: number) => Promise<number>,
): Promise<number | undefined> {
  return pid === undefined ? undefined : measure(pid);
}

interface Measurement {
  readonly profile: ProfileName;
  readonly dialect: Dialect['name'];
  readonly readyMs: readonly number[];
  /** Which phases, by name; all when left out. */
  readonly isWanted?: (name: string) => boolean;
}

async function measureServer(
  server: BenchServer,
  { profile, dialect, readyMs, isWanted = () => true }: Measurement,
): Promise<BenchFigures> {
  const { access } = server;
  const worker = fork(new URL('./load-worker.ts', import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const idleMegabytes = await ofProcess(server, residentMegabytes);
  let filledMegabytes: number | undefined;
  const phases: PhaseFigures[] = [];
  try {
    const planned = phasesOf(profiles[profile], { token: access.token, dialect });
    for (const [phase, { name }] of planned.entries()) {
      // The others read and change what the first one makes.
      if (phase > 0 && !isWanted(name)) continue;
      phases.push(await measurePhase(worker, server, { name, order: { access, profile, dialect, phase } }));
      filledMegabytes ??= await ofProcess(server, residentMegabytes);
    }
  } finally {
    // Its connections to a server that stays would keep it.
    worker.kill();
  }
  const afterMegabytes = await ofProcess(server, residentMegabytes);
  return { readyMs, idleMegabytes, filledMegabytes, afterMegabytes, phases };
}

/** Phases that are measured once more with a server that does something else: the difference is the price of that. */
const variants = [
  { name: updateName, note: 'owners not recorded', flags: () => ['--feature-gates=ServerSideApply=false'] },
  {
    name: getName,
    note: 'audited in batches',
    flags: (folder: string) => [`--audit-log-path=${folder}/audit.log`, '--audit-log-mode=batch'],
  },
  {
    name: getName,
    note: 'audited before it is answered',
    flags: (folder: string) => [`--audit-log-path=${folder}/audit.log`],
  },
  { name: getName, note: 'without fairness', flags: () => ['--enable-priority-and-fairness=false'] },
];

async function measureVariant(
  variant: (typeof variants)[number],
  profile: ProfileName,
  dialect: Dialect['name'],
): Promise<PhaseFigures[]> {
  await using directory = await makeTemporaryDirectory();
  const { path } = directory;
  await using server = await startProgram([`--data-dir=${path}/data`, ...flags, ...variant.flags(path)]);
  const isWanted = (name: string): boolean => name === variant.name;
  const { phases } = await measureServer(server, { profile, dialect, readyMs: [], isWanted });
  return phases
    .filter(({ name }) => isWanted(name))
    .map((phase) => ({ ...phase, name: `${phase.name}, ${variant.note}` }));
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    large: { type: 'boolean' },
    output: { type: 'string', short: 'o' },
    storage: { type: 'string' },
    server: { type: 'string' },
    token: { type: 'string' },
    ca: { type: 'string' },
    pid: { type: 'string' },
    dialect: { type: 'string' },
    only: { type: 'string' },
    profile: { type: 'string' },
    definitions: { type: 'boolean' },
    authorization: { type: 'boolean' },
    access: { type: 'boolean' },
    webhooks: { type: 'boolean' },
  },
});

async function measure(): Promise<BenchFigures> {
  const profile = values.quick === true ? 'quick' : values.large === true ? 'large' : 'full';
  const dialect = dialectOf(values.dialect);
  const isWanted = (name: string): boolean => name.includes(values.only ?? '');
  if (values.profile !== undefined) await mkdir(values.profile, { recursive: true });
  await using opened = new AsyncDisposableStack();
  if (values.server !== undefined) {
    const { server: url, token, ca: authorityFile } = values;
    const pid = values.pid === undefined ? undefined : Number(values.pid);
    const server = opened.use(await foreignServer({ url, token, authorityFile, pid }));
    return await measureServer(server, { profile, dialect, readyMs: [], isWanted });
  }
  const readyMs = await measureReadiness();
  const directory = await makeTemporaryDirectory();
  opened.defer(() => directory.remove());
  let storage = values.storage;
  if (storage === 'etcd') {
    const { url } = opened.use(await startEtcd(`${directory.path}/etcd`));
    storage = `etcd:${url}`;
  }
  const serverFlags = [`--data-dir=${directory.path}/orch`, ...flags];
  if (storage !== undefined) serverFlags.push(`--storage=${storage}`);
  const start = profile === 'large' || values.profile !== undefined ? startMeasured : startProgram;
  const server = opened.use(await start(serverFlags));
  const figures = await measureServer(server, { profile, dialect, readyMs, isWanted });
  await opened.disposeAsync();
  const phases = [...figures.phases];
  for (const variant of profile === 'large' ? [] : variants) {
    if (isWanted(variant.name)) phases.push(...(await measureVariant(variant, profile, dialect)));
  }
  return { ...figures, phases };
}

/** Any name but the own one means the other dialect. */
function dialectOf(name: string | undefined): Dialect['name'] {
  // There are just two.
  return name === undefined || name === orchDialect.name ? orchDialect.name : (name as Dialect['name']);
}

async function reportDefinitions(): Promise<void> {
  const { measureDefinitions } = await import('./definitions/measure.ts');
  const { renderDefinitions } = await import('./definitions/report.ts');
  write(await measureDefinitions({ isQuick: values.quick === true }), renderDefinitions);
}

async function reportAuthorization(): Promise<void> {
  const { measureAuthorization, renderAuthorization } = await import('./authorization.ts');
  write(await measureAuthorization(), renderAuthorization);
}

async function reportAccess(): Promise<void> {
  const { measureAccess, renderAccess } = await import('./access.ts');
  write(await measureAccess({ isQuick: values.quick === true }), renderAccess);
}

async function reportWebhooks(): Promise<void> {
  const { measureWebhooks, renderWebhooks } = await import('./webhooks.ts');
  write(await measureWebhooks({ isQuick: values.quick === true }), renderWebhooks);
}

async function reportLoad(): Promise<void> {
  const figures = await measure();
  write(figures, renderReport);
  for (const { name, failures } of figures.phases) {
    if (failures.length === 0) continue;
    console.error(`bench: ${name}: ${failures.join(', ')}`);
    process.exitCode = 1;
  }
}

function write<T>(figures: T, render: (figures: T) => string): void {
  process.stdout.write(
    values.output === 'json' ? `${JSON.stringify(figures, undefined, 2)}\n` : render(figures),
  );
}

if (values.definitions === true) await reportDefinitions();
else if (values.authorization === true) await reportAuthorization();
else if (values.access === true) await reportAccess();
else await (values.webhooks === true ? reportWebhooks() : reportLoad());
