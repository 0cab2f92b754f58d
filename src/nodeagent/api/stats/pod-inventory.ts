import type { Dialect } from '../../../machinery/dialect.ts';
import { runtimeLabelNames } from '../../container-config/index.ts';
import type { Container, ContainerStats, PodSandbox, RuntimeService } from '../../runtime/index.ts';

/** A running container with its figures. */
export interface RunningContainer {
  readonly name: string;
  readonly container: Container;
  readonly stats: ContainerStats | undefined;
}

/** A pod that runs, as the runtime knows it. */
export interface RunningPod {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly sandbox: PodSandbox;
  readonly containers: readonly RunningContainer[];
}

/** Pods with a sandbox that is ready, sorted by name, each with its running containers. */
export async function listRunningPods(
  runtime: RuntimeService,
  dialect: Dialect,
): Promise<readonly RunningPod[]> {
  const [sandboxes, containers, stats] = await Promise.all([
    runtime.listPodSandboxes({ state: 'ready' }),
    runtime.listContainers({ state: 'running' }),
    runtime.listContainerStats(),
  ]);
  const names = runtimeLabelNames(dialect);
  const statsById = new Map(stats.map((each) => [each.id, each]));
  const bySandbox = Map.groupBy(containers, ({ podSandboxId }) => podSandboxId);
  return sandboxes
    .filter(({ labels }) => labels[names.podUid] !== undefined) // containers of other programs
    .map((sandbox) => ({
      name: sandbox.metadata.name,
      namespace: sandbox.metadata.namespace,
      uid: sandbox.metadata.uid,
      sandbox,
      containers: (bySandbox.get(sandbox.id) ?? []).map((container) => ({
        name: container.metadata.name,
        container,
        stats: statsById.get(container.id),
      })),
    }))
    .sort((a, b) => compare(`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
