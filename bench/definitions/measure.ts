import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ApiClient } from '../../test/support/api-client.ts';
import { type ServeProcess, startServe } from '../../test/support/serve-process.ts';
import { makeTemporaryDirectory } from '../../test/support/temporary-directory.ts';
import { type BenchServer, startMeasured } from '../bench-server.ts';
import type { LoopDelay } from '../measured-server.ts';
import { cpuMicros, residentMegabytes } from '../process-usage.ts';
import { type ComparedOperation, compareObjects } from './compared-objects.ts';
import { definitionsPath, discoveryPaths, generatedDefinition, generatedKind } from './generated.ts';

const run = promisify(execFile);
const client = fileURLToPath(new URL('../../bin/ctl', import.meta.url));

/** A time on the clock, and the CPU time that the server's process took meanwhile. */
export interface Cost {
  readonly elapsedMs: number;
  readonly cpuMs: number;
}

/** Everything that a run measured. Memory is in megabytes of 10^6 bytes. */
export interface DefinitionFigures {
  readonly count: number;
  /** Bytes of one definition in JSON, as it is stored. */
  readonly storedBytes: number;
  /** From the start of the create loop until all are in discovery and their collections answer. */
  readonly served: Cost;
  readonly created: Cost;
  readonly firstHundred: Cost;
  readonly lastHundred: Cost;
  /** While definitions were created, and while discovery and collections were asked for. */
  readonly creating: LoopDelay;
  readonly asking: LoopDelay;
  readonly memory: {
    readonly empty: number;
    readonly created: number;
    /** After each collection was asked for once. */
    readonly asked: number;
    /** After a start, with an empty store and with all definitions. */
    readonly emptyStart: number;
    readonly start: number;
  };
  /** Starts with all definitions in the store, and with none. */
  readonly starts: readonly Cost[];
  readonly emptyStarts: readonly Cost[];
  /** `ctl get` with an empty cache, and with what it kept. */
  readonly coldGetMs: readonly number[];
  readonly warmGetMs: readonly number[];
  readonly objects: readonly ComparedOperation[];
}

/** Only the API is measured: no loops beside it, no service account that somebody would have to make. */
const flags = ['-v=0', '--controllers=none', '--disable-admission-plugins=ServiceAccount'];
const starts = 3;
const commands = 5;
/** Time in which a server that nobody asks collects its garbage. */
const restMs = 3000;

/** Measures a server of this machine with so many generated definitions. @throws Error when something does not work. */
export async function measureDefinitions({ isQuick = false } = {}): Promise<DefinitionFigures> {
  const count = isQuick ? 200 : 2000;
  await using directory = await makeTemporaryDirectory();
  await using empty = await makeTemporaryDirectory();
  const dataFlags = [`--data-dir=${directory.path}`, ...flags];
  const creation = await measureCreation(dataFlags, count);
  const emptyStarts = await measureStarts([`--data-dir=${empty.path}`, ...flags]);
  const filledStarts = await measureStarts(dataFlags);
  await using server = await startServe(dataFlags);
  const { coldGetMs, warmGetMs } = await measureClient(server, directory.path, count);
  const objects = await compareObjects(server, { isQuick });
  return {
    count,
    ...creation,
    memory: { ...creation.memory, emptyStart: emptyStarts.megabytes, start: filledStarts.megabytes },
    emptyStarts: emptyStarts.costs,
    starts: filledStarts.costs,
    coldGetMs,
    warmGetMs,
    objects,
  };
}

/** Measures from its construction on. */
class Meter {
  readonly #pid: number;
  readonly #startedAt = performance.now();
  readonly #before: Promise<number>;

  constructor(pid: number) {
    this.#pid = pid;
    this.#before = cpuMicros(pid);
  }

  async read(): Promise<Cost> {
    const elapsedMs = performance.now() - this.#startedAt;
    return { elapsedMs, cpuMs: ((await cpuMicros(this.#pid)) - (await this.#before)) / 1000 };
  }
}

const difference = (after: Cost, before: Cost): Cost => ({
  elapsedMs: after.elapsedMs - before.elapsedMs,
  cpuMs: after.cpuMs - before.cpuMs,
});

async function measureCreation(dataFlags: readonly string[], count: number) {
  await using server = await startMeasured(dataFlags);
  const { pid } = server;
  if (pid === undefined) throw new Error('a server without a process');
  const admin = new ApiClient(server.access, { maxSockets: 4 });
  await delay(restMs);
  const empty = await residentMegabytes(pid);
  await server.delay?.();
  const meter = new Meter(pid);
  const marks: Cost[] = [await meter.read()];
  for (let index = 0; index < count; index++) {
    await admin.create(definitionsPath, generatedDefinition(index));
    if ((index + 1) % 100 === 0) marks.push(await meter.read());
  }
  const created = await meter.read();
  const creating = await delayOf(server);
  const megabytes = await residentMegabytes(pid);
  await untilServed(admin, count);
  const served = await meter.read();
  const asking = await delayOf(server);
  await delay(restMs);
  const asked = await residentMegabytes(pid);
  const { plural, group } = generatedKind(0);
  const { bytes } = await admin.get(`${definitionsPath}/${plural}.${group}`);
  admin.close();
  const hundred = (last: number): Cost => difference(marks[last] ?? created, marks[last - 1] ?? created);
  return {
    storedBytes: bytes.length,
    served,
    created,
    firstHundred: hundred(1),
    lastHundred: hundred(marks.length - 1),
    creating,
    asking,
    memory: { empty, created: megabytes, asked },
  };
}

async function delayOf(server: BenchServer): Promise<LoopDelay> {
  if (server.delay === undefined) throw new Error('a server that tells nothing of its event loop');
  return server.delay();
}

/** Asks discovery of every version of a group, and every collection, until each has answered. */
async function untilServed(admin: ApiClient, count: number): Promise<void> {
  const seen = new Set<string>();
  for (const path of discoveryPaths(count)) {
    const { resources } = await untilAnswered(admin, path);
    for (const { name } of resources) seen.add(name);
  }
  for (let index = 0; index < count; index++) {
    const { plural, collection } = generatedKind(index);
    if (!seen.has(plural)) throw new Error(`${plural} is not in discovery`);
    await untilAnswered(admin, collection);
  }
}

async function untilAnswered(admin: ApiClient, path: string) {
  for (;;) {
    const { code, body, text } = await admin.get(path);
    if (code === 200) return body;
    if (code !== 404) throw new Error(`${path} answered ${code}: ${text}`);
    await delay(1);
  }
}

/** The program as users run it: time until it is ready, then its memory when it has come to rest. */
async function measureStarts(dataFlags: readonly string[]): Promise<{ costs: Cost[]; megabytes: number }> {
  const costs: Cost[] = [];
  const megabytes: number[] = [];
  for (let start = 0; start < starts; start++) {
    await using server = await startServe(dataFlags);
    costs.push({ elapsedMs: server.readyAfterMs, cpuMs: (await cpuMicros(server.pid)) / 1000 });
    await delay(restMs);
    megabytes.push(await residentMegabytes(server.pid));
    await server.stop();
  }
  return { costs, megabytes: Math.min(...megabytes) };
}

async function measureClient({ configPath }: ServeProcess, folder: string, count: number) {
  const { plural, group } = generatedKind(count - 1);
  const cache = `${folder}/client-cache`;
  const get = async (cacheDirectory: string): Promise<number> => {
    const startedAt = performance.now();
    await run(client, [
      'get',
      `${plural}.${group}`,
      `--orchconfig=${configPath}`,
      `--cache-dir=${cacheDirectory}`,
    ]);
    return performance.now() - startedAt;
  };
  const coldGetMs: number[] = [];
  const warmGetMs: number[] = [];
  for (let n = 0; n < commands; n++) coldGetMs.push(await get(`${cache}-${n}`));
  for (let n = 0; n < commands; n++) warmGetMs.push(await get(`${cache}-${n}`));
  return { coldGetMs, warmGetMs };
}
