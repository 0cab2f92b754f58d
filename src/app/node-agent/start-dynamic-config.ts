import type { AgentBase } from './agent-base.ts';
import type { AgentNotifier } from './agent-notices.ts';

/** Follows what the node asks for, where the options ask for it; undefined where they do not. */
export async function startDynamicConfig(
  base: AgentBase,
  notifier: AgentNotifier,
): Promise<AsyncDisposable | undefined> {
  const { dynamicConfig } = base;
  if (dynamicConfig === undefined) return undefined;
  const { followDynamicConfig } = await import('./follow-dynamic-config.ts');
  return followDynamicConfig(base, dynamicConfig, (status) => notifier.notify('configChanged', status));
}
