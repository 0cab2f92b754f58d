import type { Container, Pod } from '../../../apis/types/core-v1.ts';
import type { ContainerStatus } from '../../runtime/index.ts';
import type { AgentView } from '../agent-view.ts';

/** Container of a pod's specification, of whichever kind. */
export function findContainerSpec({ spec }: Pod, name: string): Container | undefined {
  const lists: (readonly unknown[] | null | undefined)[] = [
    spec.containers,
    spec.initContainers,
    spec.ephemeralContainers,
  ];
  // Ephemeral containers have all fields of other containers that are read here.
  return lists.flatMap((list) => (list ?? []) as readonly Container[]).find((each) => each.name === name);
}

/** There is no such container, or it does not run. The text is release 1.20's. */
class ContainerNotFoundError extends Error {
  override readonly name = 'ContainerNotFoundError';

  constructor(containerName: string) {
    super(`container not found ("${containerName}")`);
  }
}

/** The container of a pod that runs under a name. @throws ContainerNotFoundError */
export async function findRunningContainer(
  view: AgentView,
  pod: Pod,
  name: string,
): Promise<ContainerStatus> {
  const found = await view.findContainer(pod, name);
  if (found?.state !== 'running') throw new ContainerNotFoundError(name);
  return found;
}
