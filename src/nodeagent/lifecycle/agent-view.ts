import type { Container as ApiContainer, Pod } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { runtimeLabelNames } from '../container-config/index.ts';
import type { ContainerStatus } from '../runtime/index.ts';
import type { PodTable } from './pod-table.ts';
import type { PodViews } from './pod-views.ts';
import type { RuntimeRelist } from './runtime-relist.ts';

/** Where the pods and states come from that the agent's HTTP server shows. */
export interface AgentViewOptions {
  readonly table: Pick<PodTable, 'pods' | 'findPod'>;
  readonly views: PodViews;
  readonly relist: Pick<RuntimeRelist, 'answeredAtMs'>;
  readonly dialect: Dialect;
}

/** What servers of the agent may ask of its pods. */
export function createAgentView({ table, views, relist, dialect }: AgentViewOptions) {
  const names = runtimeLabelNames(dialect);
  return {
    pods: () => table.pods(),
    findPod: (namespace: string, name: string) => table.findPod(namespace, name),
    lastSyncAtMs: () => relist.answeredAtMs ?? 0,

    /** The newest attempt, or the newest that is older. @throws RuntimeError */
    async findContainer(
      pod: Pod,
      name: string,
      { previous = false }: { readonly previous?: boolean } = {},
    ): Promise<ContainerStatus | undefined> {
      const { containers } = await views.read(pod.metadata.uid ?? '');
      const instances = containers
        .map(({ status }) => status)
        .filter(({ metadata }) => metadata.name === name)
        .sort((a, b) => b.metadata.attempt - a.metadata.attempt || b.createdAtMs - a.createdAtMs);
      return instances[previous ? 1 : 0];
    },

    /** That of the newest attempt, while it is ready. @throws RuntimeError */
    async findSandboxId(pod: Pod): Promise<string | undefined> {
      const { sandboxes } = await views.read(pod.metadata.uid ?? '');
      const ready = sandboxes.filter(({ state }) => state === 'ready');
      return ready.sort((a, b) => b.metadata.attempt - a.metadata.attempt)[0]?.id;
    },

    /** Made up from what runs: who it is, names and images. @throws RuntimeError */
    async runningPods(): Promise<readonly Pod[]> {
      const { sandboxes, containers } = await views.list();
      const running = Map.groupBy(
        containers.filter(({ state }) => state === 'running'),
        (each) => views.podUidOf(each),
      );
      const uids = new Set([
        ...sandboxes.filter(({ state }) => state === 'ready').map((each) => views.podUidOf(each)),
        ...running.keys(),
      ]);
      return Array.from(uids, (uid): Pod => {
        const all = running.get(uid) ?? [];
        const labels = (sandboxes.find((each) => views.podUidOf(each) === uid) ?? all[0])?.labels ?? {};
        return {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: labels[names.podName], namespace: labels[names.podNamespace], uid },
          spec: {
            containers: all.map(
              ({ metadata, image }): ApiContainer => ({ name: metadata.name, image, resources: {} }),
            ),
          },
          status: {},
        };
      });
    },
  };
}
