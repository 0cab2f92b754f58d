import type { Node } from '../apis/types/core-v1.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { LabelSelector } from '../machinery/selectors/index.ts';
import { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import type { VolumeObjects } from './volume-objects.ts';

/** Objects that placements look up beside nodes and pods. */
export interface ClusterLookups {
  readonly volumes: VolumeObjects;
  /** What selects the pods that belong together with this one, by services and controllers; undefined for none. */
  readonly groupOf: (pod: PodInfo) => LabelSelector | undefined;
}

/** Nodes and where pods are, those included that are only about to be there. */
export class Cluster {
  readonly dialect: Dialect;
  readonly lookups: ClusterLookups;
  readonly #nodes = new Map<string, NodeInfo>();
  readonly #nodeOfPod = new Map<string, string>();
  readonly #nominated = new Map<string, { readonly pod: PodInfo; readonly node: string }>();
  /** Sizes of images by image and node. */
  readonly #images = new Map<string, Map<string, number>>();
  #ordered: readonly NodeInfo[] | undefined;

  constructor(dialect: Dialect, lookups: ClusterLookups) {
    this.dialect = dialect;
    this.lookups = lookups;
  }

  /** Nodes that exist, those of different zones by turns, as release 1.20 goes through them (`node_tree.go`). */
  nodes(): readonly NodeInfo[] {
    this.#ordered ??= interleave(
      [...this.#nodes.values()].filter(({ node }) => node !== undefined),
      this.dialect,
    );
    return this.#ordered;
  }

  node(name: string): NodeInfo | undefined {
    const found = this.#nodes.get(name);
    return found?.node === undefined ? undefined : found;
  }

  setNode(node: Node): void {
    const { name = '' } = node.metadata;
    const info = this.#infoOf(name);
    this.#forgetImages(info);
    info.node = node;
    for (const { names, sizeBytes = 0 } of node.status?.images ?? []) {
      for (const image of names ?? []) {
        const sizes = this.#images.get(image) ?? new Map<string, number>();
        this.#images.set(image, sizes.set(name, Number(sizeBytes)));
      }
    }
    this.#ordered = undefined;
  }

  removeNode(name: string): void {
    const info = this.#nodes.get(name);
    if (info === undefined) return;
    this.#forgetImages(info);
    info.node = undefined;
    if (info.podCount === 0) this.#nodes.delete(name);
    this.#ordered = undefined;
  }

  /** Size of an image on a node and how many nodes have it; undefined where it is not. */
  image(name: string, node: string): { readonly size: number; readonly nodes: number } | undefined {
    const sizes = this.#images.get(name);
    const size = sizes?.get(node);
    return size === undefined ? undefined : { size, nodes: sizes?.size ?? 0 };
  }

  /** The pod is on this node, and on no other. */
  setPod(pod: PodInfo, nodeName: string): void {
    const before = this.#nodeOfPod.get(pod.key);
    if (before !== undefined && before !== nodeName) this.removePod(pod.key);
    this.#nodeOfPod.set(pod.key, nodeName);
    this.#infoOf(nodeName).addPod(pod);
  }

  removePod(key: string): void {
    const name = this.#nodeOfPod.get(key);
    if (name === undefined) return;
    this.#nodeOfPod.delete(key);
    const info = this.#nodes.get(name);
    info?.removePod(key);
    if (info?.node === undefined && info?.podCount === 0) this.#nodes.delete(name);
  }

  /** Room was made for the pod on this node; undefined: nowhere any more. */
  nominate(pod: PodInfo, node: string | undefined): void {
    if (node === undefined || node === '') this.#nominated.delete(pod.key);
    else this.#nominated.set(pod.key, { pod, node });
  }

  /** Pods that wait for room on any node. */
  get nominated(): readonly PodInfo[] {
    return [...this.#nominated.values()].map(({ pod }) => pod);
  }

  /** Pods that wait for room on a node. */
  nominatedOn(node: string): readonly PodInfo[] {
    if (this.#nominated.size === 0) return [];
    return [...this.#nominated.values()].filter((each) => each.node === node).map(({ pod }) => pod);
  }

  #infoOf(name: string): NodeInfo {
    let info = this.#nodes.get(name);
    if (info === undefined) {
      info = new NodeInfo(name);
      this.#nodes.set(name, info);
    }
    return info;
  }

  #forgetImages({ name, node }: NodeInfo): void {
    for (const { names } of node?.status?.images ?? []) {
      for (const image of names ?? []) {
        const sizes = this.#images.get(image);
        sizes?.delete(name);
        if (sizes?.size === 0) this.#images.delete(image);
      }
    }
  }
}

function interleave(nodes: readonly NodeInfo[], dialect: Dialect): readonly NodeInfo[] {
  const zones = new Map<string, NodeInfo[]>();
  for (const info of nodes) {
    const zone = zoneOf(info, dialect);
    const list = zones.get(zone);
    if (list === undefined) zones.set(zone, [info]);
    else list.push(info);
  }
  if (zones.size <= 1) return nodes;
  const lists = [...zones.values()];
  const longest = Math.max(...lists.map(({ length }) => length));
  const ordered: NodeInfo[] = [];
  for (let at = 0; at < longest; at++) ordered.push(...lists.flatMap((list) => list[at] ?? []));
  return ordered;
}

function zoneOf({ labels }: NodeInfo, dialect: Dialect): string {
  const of = (name: string) =>
    labels[dialect.domain('topology', name)] ?? labels[dialect.domain('failure-domain.beta', name)] ?? '';
  return `${of('region')}\0${of('zone')}`;
}
