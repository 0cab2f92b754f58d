import type { ContainerStatus, Pod } from '../../../apis/types/core-v1.ts';

/** The container whose log is requested, or why it has none. */
export type LogContainer =
  | {
      readonly id: string;
      /** The id after the name of the runtime, as in the pod's status. */
      readonly statusId: string;
    }
  | { readonly problem: string };

/** Finds out from a pod's status which container of that name has a log. Texts are release 1.20's. */
export function logContainer(
  pod: Pod,
  name: string,
  { previous }: { readonly previous: boolean },
): LogContainer {
  const podName = pod.metadata.name ?? '';
  const where = `container "${name}" in pod "${podName}"`;
  const status = findStatus(pod, name);
  if (status === undefined) return { problem: `${where} is not available` };
  const { state, lastState } = status;
  const lastId = lastState.terminated?.containerID ?? '';
  if (previous) {
    if (lastId !== '') return containerOf(lastId);
    return { problem: `previous terminated container "${name}" in pod "${podName}" not found` };
  }
  if (state.running !== undefined) return containerOf(status.containerID ?? '');
  if (state.terminated !== undefined) {
    const id = state.terminated.containerID || lastId;
    return id === '' ? { problem: `${where} is terminated` } : containerOf(id);
  }
  if (lastId !== '') return containerOf(lastId);
  if (lastState.terminated !== undefined) return { problem: `${where} is terminated` };
  return {
    problem: `${where} is waiting to start${describeWaiting(state.waiting && (state.waiting.reason ?? ''))}`,
  };
}

function findStatus({ status }: Pod, name: string): ContainerStatus | undefined {
  const lists = [
    status?.containerStatuses,
    status?.initContainerStatuses,
    status?.ephemeralContainerStatuses,
  ];
  return lists.flatMap((list) => list ?? []).find((each) => each.name === name);
}

function describeWaiting(reason: string | undefined): string {
  if (reason === undefined) return ' - no logs yet';
  if (reason === 'ErrImagePull') return ": image can't be pulled";
  if (reason === 'ImagePullBackOff') return ': trying and failing to pull image';
  return `: ${reason}`;
}

/** Ids in a status begin with the name of the runtime. */
const containerOf = (statusId: string): LogContainer => ({
  id: statusId.replace(/^[^:/]+:\/\//, ''),
  statusId,
});
