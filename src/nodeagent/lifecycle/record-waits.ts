import type { ContainerStatus, Pod, PodStatus } from '../../apis/types/core-v1.ts';
import { containerFieldPath, type EventRecorder } from '../events/index.ts';
import { findContainer } from './find-container.ts';

/** Records what a new status shows for the first time: waits before another start, and a passed deadline. */
export function recordWaits(
  pod: Pod,
  { previous, next }: { readonly previous: PodStatus | undefined; readonly next: PodStatus },
  events: EventRecorder,
): void {
  const before = new Map(statusesOf(previous).map((status) => [status.name, status]));
  for (const status of statusesOf(next)) {
    const isWaiting = status.state.waiting?.reason === 'CrashLoopBackOff';
    if (isWaiting && !isSameWait(before.get(status.name), status)) recordWait(pod, status.name, events);
  }
  if (next.reason === 'DeadlineExceeded' && previous?.reason !== next.reason) {
    const about = { kind: 'pod', pod } as const;
    events.record({ about, type: 'Normal', reason: next.reason, message: next.message ?? '' });
  }
}

function recordWait(pod: Pod, name: string, events: EventRecorder): void {
  const found = findContainer(pod, name);
  if (found === undefined) return;
  const fieldPath = containerFieldPath(found.list, name);
  const message = 'Back-off restarting failed container';
  events.record({ about: { kind: 'pod', pod, fieldPath }, type: 'Warning', reason: 'BackOff', message });
}

function isSameWait(a: ContainerStatus | undefined, b: ContainerStatus): boolean {
  return a?.state.waiting?.reason === b.state.waiting?.reason && a?.restartCount === b.restartCount;
}

function statusesOf(status: PodStatus | undefined): readonly ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}
