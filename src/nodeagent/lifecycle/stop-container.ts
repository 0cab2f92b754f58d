import type { Pod } from '../../apis/types/core-v1.ts';
import { containerFieldPath } from '../events/index.ts';
import type { ContainerStop } from '../sync/index.ts';
import { findContainer, type LifecycleParts } from './parts.ts';

export interface StopRequest {
  readonly pod: Pod;
  readonly stop: ContainerStop;
  readonly podIp: string | undefined;
}

/**
 * Ends one container: its hook first, within the grace, then the two signals. Resolves when it has ended or is gone.
 *
 * @throws RuntimeError when the runtime could not, or nobody knows
 */
export async function stopContainer({ pod, stop, podIp }: StopRequest, parts: LifecycleParts): Promise<void> {
  const { containerId, name, graceMs, message } = stop;
  const found = findContainer(pod, name);
  const fieldPath = containerFieldPath(found?.list ?? 'containers', name);
  const about = { kind: 'pod', pod, fieldPath } as const;
  parts.events.record({ about, type: 'Normal', reason: 'Killing', message });
  const isKilled = graceMs === 0 || found === undefined;
  const timeoutMs = isKilled
    ? graceMs
    : await parts.hooks.preStop({ pod, container: found.container, containerId, podIp }, graceMs);
  await parts.runtime.stopContainer(containerId, { timeoutMs });
}
