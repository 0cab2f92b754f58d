import { readFileSync } from 'node:fs';
import type { Clock } from '../../base/index.ts';
import type { ContainerRuntime } from '../runtime/index.ts';
import { ContainerCalls } from './container-calls.ts';
import { ownLabels } from './container-labels.ts';
import { namePrefix } from './container-names.ts';
import { type Engine, listIds } from './engine.ts';
import { EngineConnection } from './engine-connection.ts';
import { parseEngineEndpoint } from './engine-endpoint.ts';
import { createExecSync } from './exec-calls.ts';
import { createImageCalls, ImageNames } from './image-calls.ts';
import { LogKeeper } from './logs/log-keeper.ts';
import { type NetworkOptions, openNetwork } from './open-network.ts';
import { SandboxCalls } from './sandbox-calls.ts';
import { createStatsCalls } from './stats-calls.ts';
import { createStatusCalls } from './status-calls.ts';
import { createStreamCalls } from './stream-calls.ts';
import { StreamingServer } from './streaming/streaming-server.ts';

/** Where the engine is, how pods are networked, and the bounds of calls in milliseconds. */
export interface LegacyRuntimeOptions extends NetworkOptions {
  /** `unix:///PATH` or `tcp://HOST:PORT`. */
  readonly endpoint: string;
  /** Bound of every call that has no other one; above 0. */
  readonly requestTimeoutMs: number;
  /** Image of sandbox containers, whose program only waits. Fetched without credentials when it is not there. */
  readonly sandboxImage: string;
  /** `cgroupfs` or `systemd`: who makes control groups, on which the agent and the engine must agree. */
  readonly cgroupDriver: string;
  /** A pull that makes no progress for so long is given up; 0 for never. */
  readonly imagePullProgressDeadlineMs: number;
  readonly clock: Clock;
}

/**
 * A driver of the engine at an endpoint. Does not connect before the first call.
 *
 * @throws RangeError for an endpoint, a timeout or a network plugin that cannot be one
 */
export function createLegacyRuntime(options: LegacyRuntimeOptions): ContainerRuntime {
  const { endpoint, requestTimeoutMs, dialect, clock, logger } = options;
  if (!(requestTimeoutMs > 0)) {
    throw new RangeError(`runtime request timeout ${requestTimeoutMs} ms: expected more than 0`);
  }
  const name = dialect.spell('Legacyrt');
  const connection = new EngineConnection({
    address: parseEngineEndpoint(endpoint),
    unreachable: `Cannot connect to the ${name} daemon at ${endpoint}. Is the ${name.toLowerCase()} daemon running?`,
    requestTimeoutMs,
  });
  const engine: Engine = {
    connection,
    requestTimeoutMs,
    marks: { prefix: namePrefix(dialect), ownLabels: ownLabels(dialect) },
    clock,
    leastOomScore: leastOomScore(),
  };
  const network = openNetwork(options, () => listIds(engine, 'Status'));
  const logs = new LogKeeper({ clock, logger });
  const streaming = new StreamingServer({ engine, clock, logger });
  const names = new ImageNames(engine, dialect);
  const images = createImageCalls({
    engine,
    progressDeadlineMs: options.imagePullProgressDeadlineMs,
    onChange: () => names.clear(),
  });
  const containers = new ContainerCalls({ engine, logs, images: names });
  const sandboxes = new SandboxCalls({
    engine,
    network,
    sandboxImage: options.sandboxImage,
    pullSandboxImage: () => images.pullImage({ image: options.sandboxImage }),
    removeContainer: (id) => containers.removeContainer(id),
  });
  return {
    runtime: {
      ...createStatusCalls(engine, { network, dialect, cgroupDriver: options.cgroupDriver }),
      ...callsOf(sandboxes, containers),
      execSync: createExecSync(engine),
      ...createStreamCalls(engine, streaming),
      ...createStatsCalls(engine),
    },
    images,
    async [Symbol.asyncDispose]() {
      connection.close();
      await Promise.all([logs[Symbol.asyncDispose](), streaming[Symbol.asyncDispose]()]);
    },
  };
}

/** The calls as own properties, so that the object can be spread and its functions passed on. */
function callsOf(sandboxes: SandboxCalls, containers: ContainerCalls) {
  return {
    runPodSandbox: (options) => sandboxes.runPodSandbox(options),
    stopPodSandbox: (id) => sandboxes.stopPodSandbox(id),
    removePodSandbox: (id) => sandboxes.removePodSandbox(id),
    podSandboxStatus: (id) => sandboxes.podSandboxStatus(id),
    listPodSandboxes: (filter) => sandboxes.listPodSandboxes(filter),
    createContainer: (options) => containers.createContainer(options),
    startContainer: (id) => containers.startContainer(id),
    stopContainer: (id, options) => containers.stopContainer(id, options),
    removeContainer: (id) => containers.removeContainer(id),
    containerStatus: (id) => containers.containerStatus(id),
    listContainers: (filter) => containers.listContainers(filter),
    updateContainerResources: (id, resources) => containers.updateContainerResources(id, resources),
    reopenContainerLog: (id) => containers.reopenContainerLog(id),
  } satisfies Partial<ContainerRuntime['runtime']>;
}

/** Bit of `CAP_SYS_RESOURCE`, which lets a process lower its out-of-memory score (`linux/capability.h`). */
const resourceCapability = 24n;

/**
 * Lowest out-of-memory score adjustment that containers can get: without `CAP_SYS_RESOURCE`, as in a restricted virtual
 * machine, it is that of this process.
 */
export function leastOomScore(procRoot = '/proc'): number {
  try {
    const status = readFileSync(`${procRoot}/self/status`, 'latin1');
    const [, bits = ''] = /^CapEff:\s*([0-9a-f]+)$/m.exec(status) ?? [];
    if (bits === '' || ((BigInt(`0x${bits}`) >> resourceCapability) & 1n) === 1n) return -1000;
    return Number(readFileSync(`${procRoot}/self/oom_score_adj`, 'latin1'));
  } catch {
    return -1000; // The engine reports it when that fails.
  }
}
