import { criticality } from '../../nodeagent/admission/index.ts';
import type { PodManager, PodTable } from '../../nodeagent/lifecycle/index.ts';
import { isStaticPod } from '../../nodeagent/sources/index.ts';
import type { AgentBase } from './agent-base.ts';
import type { AgentNotifier } from './agent-notices.ts';

interface ShutdownInputs {
  readonly table: Pick<PodTable, 'activePods'>;
  readonly manager: Pick<PodManager, 'evict'>;
  readonly notifier: AgentNotifier;
}

/** Has shutdowns of the machine wait for its pods, where the options want that; undefined where they do not. */
export async function startShutdown(
  { config, dialect, environment, clock, logger }: AgentBase,
  { table, manager, notifier }: ShutdownInputs,
): Promise<AsyncDisposable | undefined> {
  const { shutdownGracePeriodMs: periodMs, shutdownGracePeriodCriticalPodsMs: criticalPeriodMs } = config;
  if (!config.features.GracefulNodeShutdown || periodMs <= 0 || config.runOnce) return undefined;
  const { startShutdownManager } = await import('../../nodeagent/shutdown/index.ts');
  return startShutdownManager({
    periodMs,
    criticalPeriodMs,
    agent: dialect.spell('nodeagent'),
    environment,
    pods: () => table.activePods(),
    isCritical: criticality((pod) => isStaticPod(pod, dialect)),
    evict: (pod, verdict) => manager.evict(pod, verdict),
    onChange: (shutdown) => notifier.notify('shutdownChanged', shutdown),
    clock,
    logger,
  });
}
