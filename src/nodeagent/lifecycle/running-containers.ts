import type { Pod } from '../../apis/types/core-v1.ts';
import type { RuntimeView } from '../sync/observe-pod.ts';

/** A container that runs, as probes know it. */
export interface RunningContainer {
  readonly name: string;
  readonly id: string;
  readonly startedAtMs: number;
}

/** Those of the pod's containers that may have probes: neither init containers nor ephemeral ones. */
export function runningContainers(pod: Pod, { containers }: RuntimeView): RunningContainer[] {
  const probed = new Set((pod.spec.containers ?? []).map(({ name }) => name));
  return containers.flatMap(({ status: { id, metadata, state, startedAtMs } }) =>
    state === 'running' && probed.has(metadata.name)
      ? [{ name: metadata.name, id, startedAtMs: startedAtMs ?? 0 }]
      : [],
  );
}

/** The first address of the pod's own network; undefined while it has none. */
export function podIpOf({ sandboxes }: RuntimeView): string | undefined {
  return sandboxes.find(({ state }) => state === 'ready')?.ips[0];
}
