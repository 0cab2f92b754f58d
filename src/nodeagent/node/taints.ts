import type { Taint } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentConfig } from '../options/index.ts';

type TaintConfig = Pick<AgentConfig, 'registerWithTaints' | 'registerSchedulable' | 'cloudProvider'>;

/** Taints that a node is registered with; the server adds that it is not ready. */
export function initialTaints(config: TaintConfig, dialect: Dialect): Taint[] {
  const taints: Taint[] = config.registerWithTaints.map(({ key, value, effect }) => ({
    key,
    ...(value === '' ? {} : { value }),
    effect,
  }));
  const unschedulable = dialect.domain('node', 'unschedulable');
  if (!config.registerSchedulable && !taints.some(({ key }) => key === unschedulable)) {
    taints.push({ key: unschedulable, effect: 'NoSchedule' });
  }
  if (config.cloudProvider === 'external') {
    const key = dialect.domain('node.cloudprovider', 'uninitialized');
    taints.push({ key, value: 'true', effect: 'NoSchedule' });
  }
  return taints;
}
