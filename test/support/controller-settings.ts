import type { ControllerSettings } from '../../src/controllers/index.ts';

/** The settings of controllers as the flags have them by default. */
export const controllerSettings: ControllerSettings = {
  concurrentRcSyncs: 5,
  concurrentReplicasetSyncs: 5,
  concurrentResourceQuotaSyncs: 5,
  resourceQuotaSyncPeriodMs: 300_000,
};
