import type { DeviceAdditions } from '../container-config/index.ts';
import { type HeldDevices, heldIds } from './checkpoint.ts';
import { allocationCodec, type ContainerAllocation } from './plugin-messages.ts';
import type { ResourceDevices } from './resource-devices.ts';

/** Which devices containers have. A table without a will of its own. */
export class HeldTable {
  #entries: readonly HeldDevices[];

  constructor(entries: readonly HeldDevices[]) {
    this.#entries = entries;
  }

  get entries(): readonly HeldDevices[] {
    return this.#entries;
  }

  of(podUid: string, container: string): readonly HeldDevices[] {
    return this.#entries.filter((each) => each.podUid === podUid && each.container === container);
  }

  /** Devices of a resource that a container has; undefined when it has none. */
  ids(podUid: string, container: string, resource: string): ReadonlySet<string> | undefined {
    const entry = this.of(podUid, container).find((each) => each.resource === resource);
    return entry && heldIds(entry);
  }

  idsOfPod(podUid: string, resource: string): ReadonlySet<string> {
    const own = this.#entries.filter((each) => each.podUid === podUid && each.resource === resource);
    return new Set(own.flatMap((each) => [...heldIds(each)]));
  }

  inUse(resource: string): ReadonlySet<string> {
    const held = this.#entries.filter((each) => each.resource === resource);
    return new Set(held.flatMap((each) => [...heldIds(each)]));
  }

  add(entry: HeldDevices): void {
    this.#entries = [...this.#entries, entry];
  }

  /** Lets go of what containers are not to keep; true when that was something. */
  release(keeps: (podUid: string, container: string) => boolean): boolean {
    const kept = this.#entries.filter(({ podUid, container }) => keeps(podUid, container));
    const isLess = kept.length < this.#entries.length;
    this.#entries = kept;
    return isLess;
  }
}

/** Devices by the NUMA nodes that they are near to; those that say nothing are with node 0, as in release 1.20. */
export function groupByNode(
  ids: ReadonlySet<string>,
  { nodesOf }: ResourceDevices,
): ReadonlyMap<number, readonly string[]> {
  const groups = new Map<number, string[]>();
  for (const id of [...ids].sort()) {
    const near = nodesOf.get(id) ?? [];
    for (const node of near.length === 0 ? [0] : near) groups.set(node, [...(groups.get(node) ?? []), id]);
  }
  return groups;
}

/** What plugins answered for all devices of a container; of what two of them name, the first counts. */
export function additionsOf(held: readonly HeldDevices[]): DeviceAdditions {
  const answers: readonly ContainerAllocation[] = held.map(({ allocation }) =>
    allocationCodec.decode(allocation),
  );
  const first = <T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] =>
    [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()].toReversed();
  const environment = answers.flatMap(({ envs }) =>
    Object.entries(envs).map(([name, value]) => ({ name, value })),
  );
  const mounts = answers.flatMap((answer) =>
    answer.mounts.map((mount) => ({
      containerPath: mount.container_path,
      hostPath: mount.host_path,
      isReadOnly: mount.read_only,
      relabelsSelinux: false,
      propagation: 'private' as const,
    })),
  );
  const devices = answers.flatMap((answer) =>
    answer.devices.map((device) => ({
      containerPath: device.container_path,
      hostPath: device.host_path,
      permissions: device.permissions,
    })),
  );
  const annotations = answers.toReversed().flatMap((answer) => Object.entries(answer.annotations));
  return {
    environment: first(environment, ({ name }) => name),
    mounts: first(mounts, ({ containerPath }) => containerPath),
    devices: first(devices, ({ containerPath }) => containerPath),
    annotations: Object.fromEntries(annotations),
  };
}
