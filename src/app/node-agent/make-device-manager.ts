import { join } from 'node:path';
import type { CpuManager } from '../../nodeagent/cpu-manager/index.ts';
import type { DeviceManager } from '../../nodeagent/devices/index.ts';
import type { PodTable } from '../../nodeagent/lifecycle/index.ts';
import type { AgentBase } from './agent-base.ts';
import type { AgentNotifier } from './agent-notices.ts';
import { MachineError } from './prepare-process.ts';

/** What the device manager is told of pods and CPUs, and whom it tells. */
export interface DeviceManagerInputs {
  readonly table: Pick<PodTable, 'standingOf'>;
  readonly cpus: Pick<CpuManager, 'hints'> | undefined;
  readonly notifier: AgentNotifier;
}

/**
 * Who has which devices; undefined when the options want none. It hears of no plugin before it is started.
 *
 * @throws MachineError for a topology policy on a machine that has too many nodes for it
 */
export async function makeDeviceManager(
  {
    config,
    metrics,
    dialect,
    clock,
    logger,
  }: Pick<AgentBase, 'config' | 'metrics' | 'dialect' | 'clock' | 'logger'>,
  { table, cpus, notifier }: DeviceManagerInputs,
): Promise<DeviceManager | undefined> {
  if (!config.features.DevicePlugins) return undefined;
  const policy = config.features.TopologyManager ? config.topologyManagerPolicy : 'none';
  const nodes = policy === 'none' ? [] : await readNodes();
  const devices = await import('../../nodeagent/devices/index.ts');
  return devices.DeviceManager.open({
    rootDir: config.rootDir,
    alignment: { policy, scope: config.topologyManagerScope, nodes },
    holdOf: (uid, name) => table.standingOf(uid, name),
    cpuHints: cpus && ((pod, container) => cpus.hints(pod, container)),
    onChange: () => notifier.notify('devicesChanged'),
    counts: {
      asked: (resource) => metrics.add('nodeagent_device_plugin_registration_total', 1, [resource]),
      allocated: (resource, durationMs) =>
        metrics.observe('nodeagent_device_plugin_alloc_duration_seconds', durationMs / 1000, [resource]),
    },
    dialect,
    clock,
    logger,
  });
}

async function readNodes(): Promise<readonly number[]> {
  const { maxNodes, readTopology } = await import('../../nodeagent/cpu-manager/index.ts');
  const { nodes } = await readTopology();
  if (nodes.length <= maxNodes) return nodes;
  const problem = `unsupported on machines with more than ${maxNodes} NUMA Nodes`;
  throw new MachineError(`Failed to start ContainerManager ${problem}`);
}

/** What the sockets of devices show. */
export interface DeviceParts {
  readonly table: Pick<PodTable, 'allPods'>;
  readonly devices: DeviceManager | undefined;
  readonly cpus: Pick<CpuManager, 'state' | 'allocatable'> | undefined;
}

/** Listens for plugins, and for programs that ask who has which devices. @throws Error when a socket cannot be made */
export async function startDevices(
  { config, metrics, dialect }: Pick<AgentBase, 'config' | 'metrics' | 'dialect'>,
  { table, devices, cpus }: DeviceParts,
  stack: AsyncDisposableStack,
): Promise<void> {
  if (devices !== undefined) {
    stack.use(devices);
    await devices.listen();
  }
  if (!config.features.NodeAgentPodResources) return;
  const [{ startPodResources }, { cpusOf }] = await Promise.all([
    import('../../nodeagent/devices/index.ts'),
    import('../../nodeagent/cpu-manager/index.ts'),
  ]);
  const server = await startPodResources({
    socketPath: join(config.rootDir, 'pod-resources', `${dialect.spell('nodeagent')}.sock`),
    onRequest: (version) => metrics.add('nodeagent_pod_resources_endpoint_requests_total', 1, [version]),
    pods: () => table.allPods(),
    devicesOf: (uid, container) => devices?.devicesOf(uid, container) ?? [],
    cpusOf: (uid, container) => (cpus === undefined ? [] : [...cpusOf(cpus.state, uid, container)]),
    allocatableDevices: () => devices?.allocatable() ?? [],
    allocatableCpus: () => [...(cpus?.allocatable ?? [])],
  });
  stack.use(server);
}
