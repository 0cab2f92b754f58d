import type { MigratedKind } from '../apis/csi-migration/index.ts';
import type { Clock, Logger } from '../base/index.ts';
import type { RestClient } from '../client/rest/index.ts';
import type { WorkQueueMetrics } from '../client/work-queue/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { DiscoveryReader } from './discovery-reader.ts';
import type { SharedInformers } from './shared-informers.ts';

/** Concurrency and periods of the controllers, by the names of their flags. */
export interface ControllerSettings {
  readonly concurrentDaemonsetSyncs: number;
  readonly concurrentDeploymentSyncs: number;
  readonly concurrentEndpointSyncs: number;
  readonly concurrentJobSyncs: number;
  readonly concurrentRcSyncs: number;
  readonly concurrentReplicasetSyncs: number;
  readonly concurrentResourceQuotaSyncs: number;
  readonly concurrentServiceEndpointSyncs: number;
  readonly concurrentStatefulsetSyncs: number;
  readonly concurrentTtlAfterFinishedSyncs: number;
  readonly horizontalPodAutoscalerCpuInitializationPeriodMs: number;
  readonly horizontalPodAutoscalerDownscaleStabilizationMs: number;
  readonly horizontalPodAutoscalerInitialReadinessDelayMs: number;
  readonly horizontalPodAutoscalerSyncPeriodMs: number;
  readonly horizontalPodAutoscalerTolerance: number;
  /** Pods leave nodes by taints; otherwise they are deleted after `podEvictionTimeoutMs`. */
  readonly enableTaintManager: boolean;
  /** Zones of at most this many nodes evict nothing while too many of them are not ready. */
  readonly largeClusterSizeThreshold: number;
  readonly maxEndpointsPerSlice: number;
  /** Nodes of a zone per second that may begin to lose their pods. */
  readonly nodeEvictionRate: number;
  /** How long a node may be silent before its state is unknown. */
  readonly nodeMonitorGracePeriodMs: number;
  /** How often nodes are looked at. */
  readonly nodeMonitorPeriodMs: number;
  /** The grace period of a node that has not reported yet. */
  readonly nodeStartupGracePeriodMs: number;
  /** How long pods stay on nodes that are not ready, without taints. */
  readonly podEvictionTimeoutMs: number;
  readonly mirroringConcurrentServiceEndpointSyncs: number;
  /** Changes within it become one. */
  readonly mirroringEndpointsliceUpdatesBatchPeriodMs: number;
  readonly mirroringMaxEndpointsPerSubset: number;
  /** How long a deleted namespace keeps its content: until then other servers may still admit objects into it. */
  readonly namespaceDeletionDelayMs: number;
  /** How often all volumes and claims are looked at again. */
  readonly pvclaimbinderSyncPeriodMs: number;
  /** 0: quotas are recalculated when something changes only. */
  readonly resourceQuotaSyncPeriodMs: number;
  /** `nodeEvictionRate` of large zones in which too many nodes are not ready. */
  readonly secondaryNodeEvictionRate: number;
  /** Pods that have ended and may stay; 0: all of them. */
  readonly terminatedPodGcThreshold: number;
  /** The share of a zone's nodes from which on too many are not ready. */
  readonly unhealthyZoneThreshold: number;
}

/** What every controller runs with. */
export interface ControllerContext {
  readonly client: RestClient;
  readonly discovery: DiscoveryReader;
  /** Objects that several controllers follow. */
  readonly informers: SharedInformers;
  readonly settings: ControllerSettings;
  /** Built-in kinds of volumes that gates leave to drivers. */
  readonly migratedKinds: readonly MigratedKind[];
  readonly dialect: Dialect;
  readonly logger: Logger;
  /** For the queues of this controller. */
  readonly queueMetrics?: WorkQueueMetrics | undefined;
  readonly clock: Clock;
  /** A number from 0 to 1, for jitter. */
  readonly random: () => number;
  /** Ends the controller. */
  readonly signal: AbortSignal;
}

/** The authorities that clients of the servers are to believe, as they are published. */
export interface PublishedAuthority {
  /** PEM certificates, joined. */
  pem(): string;
  /** Has a listener told when they are others; the returned function ends that. */
  onChange(listener: () => void): () => void;
}

/** A control loop. It runs until the signal of its context aborts; the promise resolves when nothing runs any more. */
export interface Controller {
  /** As `--controllers` spells it. */
  readonly name: string;
  run(context: ControllerContext): Promise<void>;
}
