import type { Pod } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { EventRecorder } from '../events/index.ts';
import type { AgentConfig } from '../options/index.ts';
import type { ImageService, RuntimeService } from '../runtime/index.ts';
import type { PodVerdict } from '../sync/index.ts';

/** Bytes and inodes that a volume of a pod holds. */
export interface VolumeUsage {
  readonly usedBytes: number;
  readonly inodesUsed: number;
}

export interface EvictionOptions {
  readonly config: AgentConfig;
  /** Pods that run or wait on this node; not those that have ended. */
  readonly pods: () => readonly Pod[];
  /** Ends a pod; resolves when its containers have stopped. A rejection is logged and the pod tried again. */
  readonly evict: (pod: Pod, verdict: PodVerdict) => Promise<void>;
  /** What the pod's volumes on this node's disk hold, by name. */
  readonly volumeUsage: (podUid: string) => Promise<ReadonlyMap<string, VolumeUsage>>;
  /** Frees images and dead containers before pods are evicted for space on disk. */
  readonly reclaimDisk: () => Promise<void>;
  readonly runtime: Pick<RuntimeService, 'listContainerStats'>;
  readonly images: Pick<ImageService, 'imageFsInfo'>;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether the pod mirrors or is a static one; critical static pods are never evicted. */
  readonly isStatic: (pod: Pod) => boolean;
  /** Tells that the pressure changed. */
  readonly onChange?: (() => void) | undefined;
}

/** Watches what the node has left, and ends pods before it runs out. */
export interface EvictionManager extends AsyncDisposable {
  pressure(): { readonly memory: boolean; readonly disk: boolean; readonly pid: boolean };
  /** Looks at everything now, also while the loop runs; resolves when what must end has ended. */
  check(): Promise<void>;
}
