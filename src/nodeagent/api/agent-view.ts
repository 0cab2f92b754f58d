import type { Pod } from '../../apis/types/core-v1.ts';
import type { ContainerStatus } from '../runtime/index.ts';

/** What the servers ask of the agent. */
export interface AgentView {
  /** All pods of the node, each with the status as it is now. */
  pods(): readonly Pod[];
  /** A pod with its status; static pods by the name that ends with that of the node. */
  findPod(namespace: string, name: string): Pod | undefined;
  /** Container of the pod as the runtime has it: the newest attempt, or the one before. */
  findContainer(
    pod: Pod,
    name: string,
    options?: { readonly previous?: boolean },
  ): Promise<ContainerStatus | undefined>;
  /** Sandbox that the pod runs in. */
  findSandboxId(pod: Pod): Promise<string | undefined>;
  /** Pods reconstructed from the runtime's list: name, namespace, uid, and name and image of running containers. */
  runningPods(): Promise<readonly Pod[]>;
  /** When the runtime was last listed successfully, in ms since the Unix epoch; 0 before the first time. */
  lastSyncAtMs(): number;
}

/** How full a volume of a pod is. */
export interface VolumeUsage {
  readonly name: string;
  /** When this was measured, since the Unix epoch. */
  readonly atMs: number;
  readonly usedBytes: number;
  readonly inodesUsed: number;
  /** Of the file system that the volume lies on. */
  readonly capacityBytes?: number | undefined;
  readonly availableBytes?: number | undefined;
  readonly inodes?: number | undefined;
  readonly inodesFree?: number | undefined;
  /** Claim that the volume belongs to. */
  readonly claim?: { readonly namespace: string; readonly name: string } | undefined;
}

/** What is known of pods' volumes. */
export interface VolumeUsageSource {
  /** Empty when nothing was measured yet. */
  usage(podUid: string): Promise<readonly VolumeUsage[]>;
}
