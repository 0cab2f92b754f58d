import { criticality } from '../../nodeagent/admission/index.ts';
import type { PodManager } from '../../nodeagent/lifecycle/index.ts';
import type { ShutdownManager } from '../../nodeagent/shutdown/index.ts';
import { isStaticPod } from '../../nodeagent/sources/index.ts';
import type { AgentBase } from './agent-base.ts';
import type { AgentLinks } from './agent-links.ts';

/** Has shutdowns of the machine wait for its pods, where the options want that; undefined where they do not. */
export async function watchShutdown(
  { config, dialect, environment, clock, logger }: AgentBase,
  links: AgentLinks,
  manager: Pick<PodManager, 'activePods' | 'evict'>,
): Promise<ShutdownManager | undefined> {
  const { shutdownGracePeriodMs: periodMs, shutdownGracePeriodCriticalPodsMs: criticalPeriodMs } = config;
  if (!config.features.GracefulNodeShutdown || periodMs <= 0 || config.runOnce) return undefined;
  const { startShutdownManager } = await import('../../nodeagent/shutdown/index.ts');
  links.shutdown = startShutdownManager({
    periodMs,
    criticalPeriodMs,
    agent: dialect.spell('nodeagent'),
    environment,
    pods: () => manager.activePods(),
    isCritical: criticality((pod) => isStaticPod(pod, dialect)),
    evict: (pod, verdict) => manager.evict(pod, verdict),
    onChange: () => void links.node?.update(),
    clock,
    logger,
  });
  return links.shutdown;
}
