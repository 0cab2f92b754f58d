import type { Pod } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { EventRecorder } from '../events/index.ts';
import type { NodePressure } from '../node/index.ts';
import type { AgentConfig } from '../options/index.ts';
import type { ImageService, RuntimeService } from '../runtime/index.ts';
import type { PodVerdict } from '../sync/pod-input.ts';
import type { VolumeUsage } from './pod-usage.ts';

/** The thresholds, the pods that may be evicted, and what is measured and reclaimed before that. */
export interface EvictionOptions {
  readonly config: AgentConfig;
  /** Pods that run or wait on this node; not those that have ended. */
  readonly pods: () => readonly Pod[];
  /** Static pods are never evicted. */
  readonly isStatic: (pod: Pod) => boolean;
  /**
   * Ends a pod; resolves when its containers have stopped. The event about it is recorded before. A rejection is logged,
   * and the pod tried again.
   */
  readonly evict: (pod: Pod, verdict: PodVerdict) => Promise<void>;
  /** What the pod's volumes hold. */
  readonly volumeUsage: (podUid: string) => Promise<readonly VolumeUsage[]>;
  /** Removes dead containers and unused images before pods are evicted for space on disk. */
  readonly reclaimDisk: () => Promise<void>;
  readonly runtime: Pick<RuntimeService, 'listContainerStats'>;
  readonly images: Pick<ImageService, 'imageFsInfo'>;
  readonly events: EventRecorder;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when the pressure conditions change; there is no pressure at the start. */
  readonly onPressure: (pressure: NodePressure) => void;
  /** A pod is about to be evicted for figures of this signal, which were read so long ago. */
  readonly onFigures: (signal: string, ageMs: number) => void;
  /** A pod was evicted because of this signal. */
  readonly onEvicted: (signal: string) => void;
  /** Root folder of the machine, `/` when left out; another one is for tests. */
  readonly machineRoot?: string | undefined;
  /** Folder of a pod's logs; where release 1.20 keeps them when left out. */
  readonly logsOf?: ((pod: Pod) => string) | undefined;
}

/** Monitors memory, disk and processes of the node, and evicts pods before they run out. */
export interface EvictionManager extends AsyncDisposable {
  pressure(): NodePressure;
  /**
   * Measures everything and compares it with the thresholds now; resolves when the pods that must be evicted have
   * stopped.
   */
  check(): Promise<void>;
}
