import type { Node, Taint } from '../apis/types/core-v1.ts';
import { type Amounts, addAmount, readAmount, readAmounts } from './amounts.ts';
import type { HostPort, PodInfo } from './pod-info.ts';

/** Counts that a node remembers at a time. */
const maxCounts = 64;

/** A node with its pods, and what they take of it. */
export class NodeInfo {
  readonly name: string;
  readonly #pods: Map<string, PodInfo>;
  readonly #requested: Map<string, number>;
  /** Pods with terms about other pods, which are few. */
  readonly #withAffinity: Map<string, PodInfo>;
  /** Counts that were asked for since pods came or went last: most nodes stay as they are between two placements. */
  readonly #counts = new Map<string, number>();
  #node: Node | undefined;
  #allocatable: Amounts = new Map();
  #maxPods = 0;
  #scored = { cpu: 0, memory: 0 };

  constructor(name: string, from?: NodeInfo) {
    this.name = name;
    if (from === undefined) {
      this.#pods = new Map();
      this.#requested = new Map();
      this.#withAffinity = new Map();
      return;
    }
    this.#pods = new Map(from.#pods);
    this.#requested = new Map(from.#requested);
    this.#withAffinity = new Map(from.#withAffinity);
    this.#node = from.#node;
    this.#allocatable = from.#allocatable;
    this.#maxPods = from.#maxPods;
    this.#scored = { ...from.#scored };
  }

  /** One that can be changed without changing this. */
  clone(): NodeInfo {
    return new NodeInfo(this.name, this);
  }

  /** Undefined while only pods name it. */
  get node(): Node | undefined {
    return this.#node;
  }

  set node(node: Node | undefined) {
    this.#node = node;
    const { allocatable } = node?.status ?? {};
    this.#allocatable = readAmounts(allocatable);
    this.#maxPods = readAmount('pods', allocatable?.pods ?? '0');
  }

  get labels(): Readonly<Record<string, string>> {
    return this.#node?.metadata.labels ?? {};
  }

  get taints(): readonly Taint[] {
    return this.#node?.spec.taints ?? [];
  }

  get allocatable(): Amounts {
    return this.#allocatable;
  }

  get maxPods(): number {
    return this.#maxPods;
  }

  get requested(): Amounts {
    return this.#requested;
  }

  get scored(): { readonly cpu: number; readonly memory: number } {
    return this.#scored;
  }

  get podCount(): number {
    return this.#pods.size;
  }

  pods(): Iterable<PodInfo> {
    return this.#pods.values();
  }

  podsWithAffinity(): Iterable<PodInfo> {
    return this.#withAffinity.values();
  }

  /** How many pods are counted. `key` stands for `isCounted`: the same key is the same question. */
  countPods(key: string, isCounted: (pod: PodInfo) => boolean): number {
    let count = this.#counts.get(key);
    if (count !== undefined) return count;
    count = 0;
    for (const pod of this.#pods.values()) if (isCounted(pod)) count++;
    if (this.#counts.size >= maxCounts) this.#counts.clear();
    this.#counts.set(key, count);
    return count;
  }

  takesPort(isTaken: (port: HostPort) => boolean): boolean {
    for (const { hostPorts } of this.#pods.values()) if (hostPorts.some(isTaken)) return true;
    return false;
  }

  addPod(pod: PodInfo): void {
    this.removePod(pod.key);
    this.#pods.set(pod.key, pod);
    if (pod.near.length + pod.far.length + pod.preferredNear.length + pod.preferredFar.length > 0) {
      this.#withAffinity.set(pod.key, pod);
    }
    this.#count(pod, 1);
  }

  removePod(key: string): void {
    const pod = this.#pods.get(key);
    if (pod === undefined) return;
    this.#pods.delete(key);
    this.#withAffinity.delete(key);
    this.#count(pod, -1);
  }

  #count({ requests, scored }: PodInfo, sign: 1 | -1): void {
    this.#counts.clear();
    for (const [name, amount] of requests) addAmount(this.#requested, name, sign * amount);
    this.#scored.cpu += sign * scored.cpu;
    this.#scored.memory += sign * scored.memory;
  }
}
