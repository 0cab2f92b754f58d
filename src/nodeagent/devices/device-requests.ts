import type { Container, Pod } from '../../apis/types/core-v1.ts';
import { parseQuantity, quantityValue } from '../../machinery/values/index.ts';
import type { AlignmentNodes, TopologyHint } from '../cpu-manager/index.ts';
import type { HeldTable } from './held-devices.ts';
import type { PluginRegistry } from './plugin-registry.ts';
import { deviceHints } from './resource-devices.ts';

/** Hints of one resource: empty when it cannot be had, undefined when its place does not matter. */
export type HintList = readonly TopologyHint[] | undefined;

/** What pods ask of devices, and near to which NUMA nodes they could have them. */
export class DeviceRequests {
  readonly #plugins: PluginRegistry;
  readonly #held: HeldTable;
  readonly #nodes: AlignmentNodes;

  constructor(plugins: PluginRegistry, held: HeldTable, nodes: AlignmentNodes) {
    this.#plugins = plugins;
    this.#held = held;
    this.#nodes = nodes;
  }

  /** Resources of plugins that a container asks for; also those that were given out before. */
  of({ resources }: Container): readonly (readonly [resource: string, count: number])[] {
    const isKnown = (name: string): boolean =>
      this.#plugins.has(name) || this.#held.entries.some(({ resource }) => resource === name);
    return Object.entries(resources.limits ?? {})
      .filter(([name]) => isKnown(name))
      .map(([name, amount]) => [name, Number(quantityValue(parseQuantity(amount)))] as const)
      .filter(([, count]) => count > 0);
  }

  /** Where one resource of a container may come from. */
  ofContainer(
    { metadata: { uid = '' } }: Pod,
    { name }: Container,
    request: { readonly resource: string; readonly count: number; readonly reusable: ReadonlySet<string> },
  ): HintList {
    return this.#hintsFor({ ...request, known: this.#held.ids(uid, name, request.resource) });
  }

  /** Where those of a whole pod may come from, a list for each resource. */
  ofPod(pod: Pod): readonly HintList[] {
    const uid = pod.metadata.uid ?? '';
    return [...this.#podRequests(pod)].map(([resource, count]) => {
      const known = this.#held.idsOfPod(uid, resource);
      return this.#hintsFor({
        resource,
        count,
        reusable: new Set(),
        known: known.size > 0 ? known : undefined,
      });
    });
  }

  /** Containers run together, init containers alone. */
  #podRequests({ spec }: Pod): ReadonlyMap<string, number> {
    const sums = new Map<string, number>();
    for (const container of spec.containers ?? []) {
      for (const [name, count] of this.of(container)) sums.set(name, (sums.get(name) ?? 0) + count);
    }
    for (const container of spec.initContainers ?? []) {
      for (const [name, count] of this.of(container)) {
        sums.set(name, Math.max(sums.get(name) ?? 0, count));
      }
    }
    return sums;
  }

  #hintsFor(request: {
    readonly resource: string;
    readonly count: number;
    readonly reusable: ReadonlySet<string>;
    readonly known: ReadonlySet<string> | undefined;
  }): HintList {
    const { resource, count, reusable, known } = request;
    const devices = this.#plugins.devices(resource);
    const common = { devices, nodes: this.#nodes, count };
    if (known !== undefined && devices.nodesOf.size > 0) {
      return known.size === count ? deviceHints({ ...common, available: known, reusable: new Set() }) : [];
    }
    const available = devices.healthy.difference(this.#held.inUse(resource));
    return deviceHints({ ...common, available, reusable });
  }
}
