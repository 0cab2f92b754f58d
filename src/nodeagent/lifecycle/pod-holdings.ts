import type { Pod } from '../../apis/types/core-v1.ts';
import type { Clock } from '../../base/index.ts';
import type { PodCgroups } from '../cgroups/index.ts';
import type { Prober } from '../probes/index.ts';
import type { RuntimeView } from '../sync/observe-pod.ts';
import type { PodVolumes } from '../volumes/index.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodPreparer } from './pod-preparer.ts';
import { PodUpkeep } from './pod-upkeep.ts';
import { podIpOf, runningContainers } from './running-containers.ts';

/** What keeping and letting go takes of what a pod holds on the node. */
export interface PodHoldingsOptions {
  readonly prober: Pick<Prober, 'update' | 'remove'>;
  readonly preparer: Pick<PodPreparer, 'prepare'>;
  readonly volumes: Pick<PodVolumes, 'unmount'>;
  /** Undefined: the agent keeps no control groups of pods. */
  readonly cgroups: Pick<PodCgroups, 'removePod'> | undefined;
  readonly nodeInfo: () => Pick<NodeInfo, 'hostIps'>;
  /** Whether volumes of pods that have ended stay mounted. */
  readonly keepsVolumes: boolean;
  /** Longest time between renewals of the contents of volumes. */
  readonly syncFrequencyMs: number;
  readonly clock: Clock;
}

/** The pod that holds these resources, and who is notified of renewals. */
export interface HoldingsOwner {
  /** The pod as it is now. */
  readonly pod: () => Pod;
  /** Volumes could not be renewed; it is tried again. */
  readonly onFailure: (error: unknown) => void;
  /** A renewal has ended, and another is due already. */
  readonly onDueAgain: () => void;
}

/** What one pod holds on the node beside what the runtime has: probes, volumes, a control group. */
export class PodHoldings {
  readonly #options: PodHoldingsOptions;
  readonly #owner: HoldingsOwner;
  readonly #upkeep: PodUpkeep;

  constructor(options: PodHoldingsOptions, owner: HoldingsOwner) {
    this.#options = options;
    this.#owner = owner;
    this.#upkeep = new PodUpkeep({
      ...options,
      renew: (podIp) => this.#renew(podIp),
      onDueAgain: owner.onDueAgain,
    });
  }

  /** When volumes are to be renewed next (ms since 1970). */
  get renewalDueMs(): number {
    return this.#upkeep.renewalDueMs;
  }

  /** Volumes are to be renewed at the next opportunity. */
  hasten(): void {
    this.#upkeep.hasten();
  }

  /** True once in each period in which ended containers are to be removed. */
  takesGarbage(): boolean {
    return this.#upkeep.takesGarbage();
  }

  /** Probes go to the containers that run now. */
  probe(view: RuntimeView): void {
    const { nodeInfo, prober } = this.#options;
    const pod = this.#owner.pod();
    const ip = pod.spec.hostNetwork === true ? nodeInfo().hostIps[0] : podIpOf(view);
    prober.update(pod, runningContainers(pod, view), ip);
  }

  /** Renews the contents of volumes beside all else when that is due and something runs. */
  renewWhenDue(view: RuntimeView): void {
    const isRunning = view.containers.some(({ status }) => status.state === 'running');
    this.#upkeep.renewWhenDue(isRunning, podIpOf(view));
  }

  /**
   * Lets everything go, of a pod of which nothing runs; may be called again.
   *
   * @throws Error for volumes or a control group that cannot be removed yet
   */
  async release({ isRemoved }: { readonly isRemoved: boolean }): Promise<void> {
    const uid = this.#owner.pod().metadata.uid ?? '';
    const { prober, volumes, cgroups, keepsVolumes } = this.#options;
    prober.remove(uid);
    await this.#upkeep.settled();
    if (!keepsVolumes || isRemoved) await volumes.unmount(uid);
    await cgroups?.removePod(uid);
  }

  async #renew(podIp: string | undefined): Promise<void> {
    try {
      await this.#options.preparer.prepare(this.#owner.pod(), podIp);
    } catch (error) {
      this.#owner.onFailure(error);
    }
  }
}
