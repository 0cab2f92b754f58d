import { startInformer } from '../../src/client/informer/index.ts';
import { type RestClient, resourcePath } from '../../src/client/rest/index.ts';
import type { ApiObject } from '../../src/machinery/meta/index.ts';

/** Where the workload lives, and its name. */
export const namespace = 'default';
export const deploymentName = 'web';
/** Collection of one of the kinds that the benchmark writes. */
export const collectionOf = (resource: string, group = ''): string =>
  resourcePath({ group, version: 'v1', resource, namespace });
export const deploymentPath = `${collectionOf('deployments', 'apps')}/${deploymentName}`;

/** What is the same in all pods, and small enough for ten and more on a node. */
export const podTemplate = {
  metadata: { labels: { app: deploymentName } },
  spec: {
    // Nobody mounts a token: the pods of servers without controllers, which make none, are the same.
    automountServiceAccountToken: false,
    containers: [{ name: 'main', image: 'hollow', resources: { requests: { cpu: '100m', memory: '64Mi' } } }],
  },
};

interface Deployment extends ApiObject {
  readonly status?: { readonly readyReplicas?: number };
}

/** Applies a deployment of so many pods. */
export async function applyDeployment(client: RestClient, replicas: number): Promise<void> {
  await client.send({
    method: 'PATCH',
    path: deploymentPath,
    query: { fieldManager: 'bench' },
    contentType: 'application/apply-patch+yaml',
    body: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: deploymentName },
      spec: { replicas, selector: { matchLabels: podTemplate.metadata.labels }, template: podTemplate },
    },
  });
}

/** Resolves once so many pods of the deployment are ready. @throws Error when they are not in time. */
export async function untilReady(client: RestClient, count: number, patienceMs: number): Promise<void> {
  const ending = new AbortController();
  const ready = Promise.withResolvers<void>();
  let last = 0;
  const see = ({ status }: Deployment): void => {
    last = status?.readyReplicas ?? 0;
    if (last === count) ready.resolve();
  };
  const informer = startInformer<Deployment>({
    client,
    resource: { group: 'apps', version: 'v1', resource: 'deployments' },
    namespace,
    signal: ending.signal,
    onAdd: see,
    onUpdate: see,
  });
  const late = setTimeout(
    () => ready.reject(new Error(`${last} of ${count} pods are ready after ${patienceMs / 1000} s`)),
    patienceMs,
  );
  try {
    await ready.promise;
  } finally {
    clearTimeout(late);
    ending.abort();
    await informer.done;
  }
}
