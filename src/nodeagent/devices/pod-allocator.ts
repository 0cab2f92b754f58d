import type { Container, Pod } from '../../apis/types/core-v1.ts';
import type { Clock } from '../../base/index.ts';
import {
  type AlignmentNodes,
  type AlignmentPolicy,
  containersOf,
  mergeHints,
  type NodeMask,
} from '../cpu-manager/index.ts';
import { chooseDevices, DeviceError } from './choose-devices.ts';
import type { DeviceRequests, HintList } from './device-requests.ts';
import { groupByNode, type HeldTable } from './held-devices.ts';
import type { PluginEndpoint } from './plugin-endpoint.ts';
import { allocationCodec, type ContainerAllocation } from './plugin-messages.ts';
import type { PluginRegistry } from './plugin-registry.ts';

/** How much NUMA nodes matter, and which there are. */
export interface DeviceAlignment {
  readonly policy: AlignmentPolicy;
  readonly scope: 'container' | 'pod';
  readonly nodes: AlignmentNodes;
}

/** What pods are given devices by. */
export interface PodAllocatorOptions {
  readonly alignment: DeviceAlignment;
  /** Those of CPUs, for a container or a whole pod; undefined when nobody has CPUs to itself. */
  readonly cpuHints: ((pod: Pod, container?: Container) => HintList) | undefined;
  readonly plugins: PluginRegistry;
  readonly held: HeldTable;
  readonly requests: DeviceRequests;
  /** A plugin has made devices ready, or not. */
  readonly onAnswer: (resource: string, durationMs: number) => void;
  /** Called after each change of what is held. */
  readonly onHeld: () => void;
  readonly clock: Clock;
}

/** Chooses devices for the containers of a pod, one pod at a time, and has their plugins make them ready. */
export class PodAllocator {
  readonly #options: PodAllocatorOptions;
  readonly #plugins: PluginRegistry;
  readonly #held: HeldTable;
  readonly #requests: DeviceRequests;

  constructor(options: PodAllocatorOptions) {
    this.#options = options;
    this.#plugins = options.plugins;
    this.#held = options.held;
    this.#requests = options.requests;
  }

  /** False when the policy wants resources closer together. @throws DeviceError or PluginError */
  async allocate(pod: Pod): Promise<boolean> {
    const { policy, scope } = this.#options.alignment;
    const reusable = new Map<string, ReadonlySet<string>>();
    const whole = policy !== 'none' && scope === 'pod' ? this.#align(policy, pod) : undefined;
    if (whole?.isAdmitted === false) return false;
    for (const container of containersOf(pod)) {
      const hint =
        whole ?? (policy === 'none' ? undefined : this.#align(policy, pod, { container, reusable }));
      if (hint?.isAdmitted === false) return false;
      for (const [resource, count] of this.#requests.of(container)) {
        const own = reusable.get(resource) ?? new Set();
        const ids = await this.#allocateOne(pod, container, {
          resource,
          count,
          reusable: own,
          near: hint?.nodes,
        });
        // What an init container had is used again by those after it.
        const isInit = pod.spec.initContainers?.includes(container) === true;
        reusable.set(resource, isInit ? own.union(ids) : own.difference(ids));
      }
    }
    return true;
  }

  #align(
    policy: Exclude<AlignmentPolicy, 'none'>,
    pod: Pod,
    one?: { readonly container: Container; readonly reusable: ReadonlyMap<string, ReadonlySet<string>> },
  ) {
    const { alignment, cpuHints } = this.#options;
    const own =
      one === undefined
        ? this.#requests.ofPod(pod)
        : this.#requests.of(one.container).map(([resource, count]) =>
            this.#requests.ofContainer(pod, one.container, {
              resource,
              count,
              reusable: one.reusable.get(resource) ?? new Set(),
            }),
          );
    const hints = cpuHints === undefined ? own : [...own, cpuHints(pod, one?.container)];
    return mergeHints({ policy, allNodes: 2 ** alignment.nodes.length - 1, hints });
  }

  async #allocateOne(
    { metadata: { uid: podUid = '' } }: Pod,
    { name: container }: Container,
    request: {
      readonly resource: string;
      readonly count: number;
      readonly reusable: ReadonlySet<string>;
      readonly near: NodeMask | undefined;
    },
  ): Promise<ReadonlySet<string>> {
    const { resource, count } = request;
    const known = this.#held.ids(podUid, container, resource);
    if (known !== undefined) {
      if (known.size === count) return known;
      throw new DeviceError(
        `pod "${podUid}" container "${container}" changed request for resource "${resource}" from ${known.size} to ${count}`,
      );
    }
    if (!this.#plugins.has(resource)) throw new DeviceError(`can't allocate unregistered device ${resource}`);
    const endpoint = this.#plugins.endpoint(resource);
    const prefers = this.#plugins.options(resource)?.get_preferred_allocation_available === true;
    const devices = this.#plugins.devices(resource);
    const ids = await chooseDevices({
      ...request,
      devices,
      inUse: this.#held.inUse(resource),
      nodes: this.#options.alignment.nodes,
      prefer: async (available, mustInclude) =>
        endpoint !== undefined && prefers
          ? endpoint.prefer({ available: [...available], mustInclude: [...mustInclude], size: count })
          : [],
    });
    if (endpoint === undefined) throw new DeviceError(`endpoint of ${resource} has been stopped`);
    const allocation = allocationCodec.encode(await this.#askPlugin(endpoint, ids));
    this.#held.add({ podUid, container, resource, idsByNode: groupByNode(ids, devices), allocation });
    this.#options.onHeld();
    return ids;
  }

  async #askPlugin(endpoint: PluginEndpoint, ids: ReadonlySet<string>): Promise<ContainerAllocation> {
    const { clock, onAnswer } = this.#options;
    const startMs = clock.nowMs();
    try {
      return await endpoint.allocate([...ids]);
    } finally {
      onAnswer(endpoint.resource, clock.nowMs() - startMs);
    }
  }
}
