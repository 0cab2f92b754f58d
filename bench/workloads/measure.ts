import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createRestClient, type RestClient } from '../../src/client/rest/index.ts';
import { makeTemporaryDirectory } from '../../test/support/temporary-directory.ts';
import { type BenchServer, startMeasured, startProgram } from '../bench-server.ts';
import { cpuMicros, residentMegabytes } from '../process-usage.ts';
import { applyDeployment, collectionOf, untilReady } from './deployment.ts';
import { type HollowNodes, startHollowNodes } from './hollow-nodes.ts';
import { writeTheSame } from './same-writes.ts';
import { readWrites, type WriteCounts, writesBetween } from './written.ts';

/** How much is run, and how long is looked at it afterwards. */
export interface WorkloadSize {
  readonly nodes: number;
  readonly pods: number;
  /** After the last pod is ready, before the server counts as idle: last statuses and events are written. */
  readonly settleMs: number;
  readonly idleMs: number;
}

/** What a server took. Megabytes of 10^6 bytes. */
export interface ServerCost {
  /** From the apply until all pods are ready; without controllers until the same was written. */
  readonly readySeconds: number;
  /** CPU time in that time, and until it rests. */
  readonly readyCpuSeconds: number;
  readonly settledCpuSeconds: number;
  readonly writes: number;
  /** With the nodes alone, and with the pods after the time of rest. */
  readonly megabytesBefore: number;
  readonly megabytesAfter: number;
  /** Part of one core while nothing is asked for but renewals of leases, in percent. */
  readonly idlePercent: number;
}

/** Everything that a run measured. */
export interface WorkloadFigures {
  readonly nodes: number;
  readonly pods: number;
  readonly whole: ServerCost;
  /** The same writes to a server that runs neither controllers nor scheduler. */
  readonly without: ServerCost;
}

export interface WorkloadOptions extends WorkloadSize {
  /** Folder for CPU profiles, which slow the servers. */
  readonly profile?: string | undefined;
}

const patienceMs = 600_000;

/** Runs the workload, then what it wrote on a server without controllers. @throws Error when anything fails. */
export async function measureWorkloads(options: WorkloadOptions): Promise<WorkloadFigures> {
  const { nodes, pods } = options;
  let writes: WriteCounts | undefined;
  const whole = await measureRun(options, {
    name: 'workloads',
    flags: [],
    prepare: (_client, hollow) => hollow.untilSchedulable(),
    async work(client) {
      const ready = untilReady(client, pods, patienceMs);
      await applyDeployment(client, pods);
      await ready;
    },
    onWritten: (counted) => {
      writes = counted;
    },
  });
  const without = await measureRun(options, {
    name: 'workloads-without-controllers',
    flags: ['--controllers=none'],
    // Pods need it, and nobody makes it here.
    async prepare(client) {
      const body = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
      await client.send({ method: 'POST', path: collectionOf('serviceaccounts'), body });
    },
    async work(client, hollow) {
      if (writes === undefined) throw new Error('nothing was written before');
      await writeTheSame(client, { pods, writes, nodes: hollow, patienceMs });
    },
  });
  return { nodes, pods, whole, without };
}

interface Run {
  readonly name: string;
  readonly flags: readonly string[];
  prepare(client: RestClient, hollow: HollowNodes): Promise<void>;
  /** Ends when the workload is ready. */
  work(client: RestClient, hollow: HollowNodes): Promise<void>;
  onWritten?(writes: WriteCounts): void;
}

async function measureRun(options: WorkloadOptions, run: Run): Promise<ServerCost> {
  await using opened = new AsyncDisposableStack();
  const directory = await makeTemporaryDirectory();
  opened.defer(() => directory.remove());
  const start = options.profile === undefined ? startProgram : startMeasured;
  const flags = [`--data-dir=${directory.path}`, '--secure-port=0', '-v=0', ...run.flags];
  const server = opened.use(await start(flags));
  const client = clientOf(server);
  opened.defer(() => client.close());
  const hollow = opened.use(await startHollowNodes(client, options.nodes));
  await run.prepare(client, hollow);
  await delay(options.settleMs);
  const cost = await measureWork({ server, client, hollow, run, options });
  if (hollow.failures.length > 0)
    throw new Error(`hollow nodes failed: ${hollow.failures.slice(0, 5).join('; ')}`);
  return cost;
}

function clientOf({ access }: BenchServer): RestClient {
  const { url, authorityPem, certificatePem, keyPem } = access;
  const tls = { ca: authorityPem, cert: certificatePem, key: keyPem };
  return createRestClient({ connection: { server: url, tls, auth: {} }, userAgent: 'bench' });
}

interface Work {
  readonly server: BenchServer;
  readonly client: RestClient;
  readonly hollow: HollowNodes;
  readonly run: Run;
  readonly options: WorkloadOptions;
}

async function measureWork({ server, client, hollow, run, options }: Work): Promise<ServerCost> {
  const { profile, settleMs, idleMs } = options;
  const { pid = 0 } = server;
  const writesBefore = await readWrites(client);
  const megabytesBefore = await residentMegabytes(pid);
  const saveProfile = profile === undefined ? undefined : await server.profile?.();
  const cpuBefore = await cpuMicros(pid);
  const startedAt = performance.now();
  await run.work(client, hollow);
  const readySeconds = (performance.now() - startedAt) / 1000;
  const cpuReady = await cpuMicros(pid);
  await delay(settleMs);
  const cpuSettled = await cpuMicros(pid);
  await saveProfile?.(join(profile ?? '', `${run.name}.cpuprofile`));
  const writes = writesBetween(writesBefore, await readWrites(client));
  run.onWritten?.(writes);
  const idlePercent = await idlePercentOf(pid, idleMs);
  return {
    readySeconds,
    readyCpuSeconds: (cpuReady - cpuBefore) / 1e6,
    settledCpuSeconds: (cpuSettled - cpuBefore) / 1e6,
    writes: writes.total,
    megabytesBefore,
    megabytesAfter: await residentMegabytes(pid),
    idlePercent,
  };
}

async function idlePercentOf(pid: number, periodMs: number): Promise<number> {
  const startedAt = performance.now();
  const before = await cpuMicros(pid);
  await delay(periodMs);
  const micros = (await cpuMicros(pid)) - before;
  return micros / (performance.now() - startedAt) / 10;
}
