import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Pod } from '../../apis/types/core-v1.ts';
import { serveServices } from '../grpc/serve-services.ts';
import type { HeldDevices } from './checkpoint.ts';
import type { AllocatableDevice } from './plugin-registry.ts';
import descriptor from './pod-resources-protocol.json' with { type: 'json' };

/** What pods have of the node to themselves. */
export interface PodResourcesOptions {
  readonly socketPath: string;
  /** A question came, in this version. */
  readonly onRequest: (version: string) => void;
  /** All pods of the node. */
  readonly pods: () => readonly Pod[];
  readonly devicesOf: (podUid: string, container: string) => readonly HeldDevices[];
  /** CPUs that a container may use; none where all share all of them. */
  readonly cpusOf: (podUid: string, container: string) => readonly number[];
  /** Devices that containers may have to themselves, taken or not. */
  readonly allocatableDevices: () => readonly AllocatableDevice[];
  /** The same of CPUs; none where all share all of them. */
  readonly allocatableCpus: () => readonly number[];
}

/**
 * Tells programs of the machine, such as those that measure devices, which pods have which. Version `v1` and, without NUMA
 * nodes and CPUs, `v1alpha1`. What there is to have, which `v1` tells too, is of release 1.21.
 *
 * @throws Error when the socket cannot be made
 */
export async function startPodResources(options: PodResourcesOptions): Promise<AsyncDisposable> {
  const { socketPath } = options;
  await mkdir(dirname(socketPath), { recursive: true, mode: 0o750 });
  return serveServices(socketPath, (add) => {
    for (const version of ['v1', 'v1alpha1'] as const) {
      const List = () => {
        options.onRequest(version);
        return { pod_resources: options.pods().map((pod) => describePod(pod, version, options)) };
      };
      const GetAllocatableResources = () => {
        options.onRequest(version);
        return describeAllocatable(options);
      };
      const methods = version === 'v1' ? { List, GetAllocatableResources } : { List };
      add({ service: `${version}.PodResourcesLister`, descriptor }, methods);
    }
  });
}

function describeAllocatable({ allocatableDevices, allocatableCpus }: PodResourcesOptions) {
  const devices = allocatableDevices().map(({ resource, id, nodes }) => ({
    resource_name: resource,
    device_ids: [id],
    ...(nodes.length > 0 && { topology: { nodes: nodes.map((ID) => ({ ID })) } }),
  }));
  return { devices, cpu_ids: allocatableCpus() };
}

function describePod(
  { metadata: { name, namespace, uid = '' }, spec }: Pod,
  version: 'v1' | 'v1alpha1',
  { devicesOf, cpusOf }: PodResourcesOptions,
) {
  const containers = (spec.containers ?? []).map((container) => {
    const devices = devicesOf(uid, container.name).flatMap(describeDevices);
    return version === 'v1'
      ? { name: container.name, devices, cpu_ids: cpusOf(uid, container.name) }
      : { name: container.name, devices: devices.map(({ topology: _, ...rest }) => rest) };
  });
  return { name, namespace, containers };
}

/** Each device by itself, once for each node that it is near to, as in release 1.20. */
function describeDevices({ resource, idsByNode }: HeldDevices) {
  return [...idsByNode].flatMap(([node, ids]) =>
    ids.map((id) => ({
      resource_name: resource,
      device_ids: [id],
      topology: { nodes: [{ ID: node }] },
    })),
  );
}
