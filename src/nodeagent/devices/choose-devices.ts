import type { AlignmentNodes, NodeMask } from '../cpu-manager/index.ts';
import { deviceMasks, type ResourceDevices } from './resource-devices.ts';

/** Devices cannot be given; the message is release 1.20's. */
export class DeviceError extends Error {
  override readonly name = 'DeviceError';
}

/** What devices are chosen from. */
export interface ChooseDevicesOptions {
  readonly resource: string;
  readonly count: number;
  readonly devices: ResourceDevices;
  /** Those that somebody has. */
  readonly inUse: ReadonlySet<string>;
  /** Those that init containers of the pod had; they come first. */
  readonly reusable: ReadonlySet<string>;
  readonly nodes: AlignmentNodes;
  /** Nodes that they shall be near to; undefined: any. */
  readonly near: NodeMask | undefined;
  /** Asks the plugin which it would give; nothing when it has no opinion. */
  readonly prefer: (
    available: ReadonlySet<string>,
    mustInclude: ReadonlySet<string>,
  ) => Promise<readonly string[]>;
}

/**
 * Chooses devices for one container: those of its pod, then those near to the nodes, of which the plugin may prefer some.
 * Source: the device manager of release 1.20.
 *
 * @throws DeviceError when there are not enough, PluginError when the plugin fails
 */
export async function chooseDevices(options: ChooseDevicesOptions): Promise<ReadonlySet<string>> {
  const { resource, count, devices, inUse, reusable, prefer } = options;
  const chosen = new Set<string>();
  /** True when there are enough. */
  const take = (ids: Iterable<string>): boolean => {
    for (const id of [...ids].sort()) if (chosen.size < count) chosen.add(id);
    return chosen.size === count;
  };
  if (take(reusable)) return chosen;
  const available = devices.healthy.difference(inUse);
  const missing = count - chosen.size;
  if (available.size < missing) {
    throw new DeviceError(
      `requested number of devices unavailable for ${resource}. Requested: ${missing}, Available: ${available.size}`,
    );
  }
  const { aligned, unaligned, others } = byNearness(available, options);
  if (missing < aligned.size) {
    const preferred = new Set(await prefer(aligned.union(chosen), chosen));
    if (take(preferred.intersection(aligned)) || take(aligned)) return chosen;
  }
  if (take(aligned)) return chosen;
  const preferred = new Set(await prefer(available.union(chosen), chosen));
  for (const ids of [preferred.intersection(available), unaligned, others]) if (take(ids)) return chosen;
  throw new DeviceError(
    `unexpectedly allocated less resources than required. Requested: ${count}, Got: ${chosen.size}`,
  );
}

function byNearness(available: ReadonlySet<string>, { devices, nodes, near }: ChooseDevicesOptions) {
  if (devices.nodesOf.size === 0 || near === undefined) {
    return { aligned: new Set<string>(), unaligned: new Set<string>(), others: available };
  }
  const masks = deviceMasks(devices, nodes);
  const of = (test: (mask: NodeMask) => boolean): ReadonlySet<string> =>
    new Set([...available].filter((id) => test(masks.get(id) ?? 0)));
  return {
    aligned: of((mask) => (mask & near) !== 0),
    unaligned: of((mask) => mask !== 0 && (mask & near) === 0),
    others: of((mask) => mask === 0),
  };
}
