import type { ControllerSettings } from '../../src/controllers/index.ts';

/** The settings of controllers as the flags have them by default. */
export const controllerSettings: ControllerSettings = {
  concurrentDaemonsetSyncs: 2,
  concurrentDeploymentSyncs: 5,
  concurrentEndpointSyncs: 5,
  concurrentJobSyncs: 5,
  concurrentRcSyncs: 5,
  concurrentReplicasetSyncs: 5,
  concurrentStatefulsetSyncs: 5,
  concurrentResourceQuotaSyncs: 5,
  concurrentServiceEndpointSyncs: 5,
  horizontalPodAutoscalerCpuInitializationPeriodMs: 300_000,
  horizontalPodAutoscalerDownscaleStabilizationMs: 300_000,
  horizontalPodAutoscalerInitialReadinessDelayMs: 30_000,
  horizontalPodAutoscalerSyncPeriodMs: 15_000,
  horizontalPodAutoscalerTolerance: 0.1,
  maxEndpointsPerSlice: 100,
  pvclaimbinderSyncPeriodMs: 15_000,
  resourceQuotaSyncPeriodMs: 300_000,
  terminatedPodGcThreshold: 12_500,
};
