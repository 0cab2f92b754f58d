import type { Pod } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import type { PodCgroups } from '../cgroups/index.ts';
import type { EventRecorder } from '../events/index.ts';
import { type MountedVolume, type PodVolumes, VolumeError } from '../volumes/index.ts';
import type { NodeInfo } from './node-info.ts';

/** What preparing pods takes. */
export interface PodPreparerOptions {
  /** Undefined: the agent keeps no control groups of pods. */
  readonly cgroups: Pick<PodCgroups, 'ensurePod'> | undefined;
  readonly volumes: Pick<PodVolumes, 'mount'>;
  readonly nodeInfo: () => NodeInfo;
  readonly events: EventRecorder;
}

/** Makes what the containers of a pod need before any of them is made: its control group and its volumes. */
export class PodPreparer {
  readonly #options: PodPreparerOptions;

  constructor(options: PodPreparerOptions) {
    this.#options = options;
  }

  /**
   * Makes what is missing and renews the contents of volumes; gives the volumes by their names in the pod. Failures
   * become events as well.
   *
   * @throws CgroupError or VolumeError
   */
  async prepare(pod: Pod, podIp: string | undefined): Promise<ReadonlyMap<string, MountedVolume>> {
    await this.#ensureCgroup(pod);
    const { hostIps, allocatable } = this.#options.nodeInfo();
    try {
      const podIps = podIp === undefined ? [] : [podIp];
      return await this.#options.volumes.mount(pod, { podIps, hostIps, allocatable });
    } catch (error) {
      if (error instanceof VolumeError) {
        for (const { reason, message } of error.events) this.#warn(pod, reason, message);
      }
      throw error;
    }
  }

  async #ensureCgroup(pod: Pod): Promise<void> {
    try {
      await this.#options.cgroups?.ensurePod(pod);
    } catch (error) {
      const message = `error: failed to ensure that the pod: ${pod.metadata.uid} cgroups exist and are correctly applied: ${errorText(error)}`;
      this.#warn(pod, 'FailedCreatePodContainer', message);
      throw error;
    }
  }

  #warn(pod: Pod, reason: string, message: string): void {
    this.#options.events.record({ about: { kind: 'pod', pod }, type: 'Warning', reason, message });
  }
}
