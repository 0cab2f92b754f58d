import type { ContainerStatus, Pod } from '../../../apis/types/core-v1.ts';

/** Id of the container whose log is requested, or why it has none. */
export type LogContainer = { readonly id: string } | { readonly problem: string };

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
  const lastId = idOf(lastState.terminated?.containerID);
  if (previous) {
    if (lastId !== '') return { id: lastId };
    return { problem: `previous terminated container "${name}" in pod "${podName}" not found` };
  }
  if (state.running !== undefined) return { id: idOf(status.containerID) };
  if (state.terminated !== undefined) {
    const id = idOf(state.terminated.containerID) || lastId;
    return id === '' ? { problem: `${where} is terminated` } : { id };
  }
  if (lastId !== '') return { id: lastId };
  if (lastState.terminated !== undefined) return { problem: `${where} is terminated` };
  return { problem: `${where} is waiting to start${describeWaiting(state.waiting?.reason)}` };
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
function idOf(containerId: string | undefined): string {
  return (containerId ?? '').replace(/^[^:/]+:\/\//, '');
}
