import { type RestClient, resourcePath } from '../../src/client/rest/index.ts';
import { eventually } from '../../test/support/eventually.ts';
import {
  applyDeployment,
  collectionOf,
  deploymentName,
  deploymentPath,
  namespace,
  podTemplate,
} from './deployment.ts';
import type { HollowNodes } from './hollow-nodes.ts';
import type { WriteCounts } from './written.ts';

/** Requests at a time. */
const clients = 16;

export interface SameWrites {
  readonly pods: number;
  /** What controllers and scheduler wrote in their run, together with the nodes. */
  readonly writes: WriteCounts;
  readonly nodes: HollowNodes;
  readonly patienceMs: number;
}

/**
 * Writes to a server without controllers what they write: the pods, their bindings, as many events, and for everything
 * else as many changes of the deployment's status. The nodes do their part. Nobody decides or follows anything.
 */
export async function writeTheSame(client: RestClient, options: SameWrites): Promise<void> {
  const { pods, writes, nodes, patienceMs } = options;
  await applyDeployment(client, pods);
  const changes = Math.max(0, writes.total - writes.events - 3 * pods - 1);
  const work = [
    // One after another, as one controller writes them: changes of one object at a time would be conflicts.
    async () => {
      for (let index = 0; index < changes; index++) await changeStatus(client, index);
    },
    ...Array.from({ length: pods }, (_, index) => () => placePod(client, index, nodes)),
    ...Array.from({ length: writes.events }, (_, index) => () => writeEvent(client, index)),
  ];
  let next = 0;
  const loop = async (): Promise<void> => {
    for (let task = work[next++]; task !== undefined; task = work[next++]) await task();
  };
  await Promise.all(Array.from({ length: clients }, loop));
  await eventually(async () => (nodes.started >= pods ? true : undefined), { patienceMs });
}

async function placePod(client: RestClient, index: number, nodes: HollowNodes): Promise<void> {
  const name = `${deploymentName}-${index}`;
  const path = collectionOf('pods');
  const { spec, metadata } = podTemplate;
  await client.send({
    method: 'POST',
    path,
    body: { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name }, spec },
  });
  const target = { apiVersion: 'v1', kind: 'Node', name: nodes.names[index % nodes.names.length] };
  await client.send({
    method: 'POST',
    path: resourcePath({
      group: '',
      version: 'v1',
      resource: 'pods',
      namespace,
      name,
      subresource: 'binding',
    }),
    body: { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target },
  });
}

async function writeEvent(client: RestClient, index: number): Promise<void> {
  const nowText = new Date().toISOString().replace(/\.\d+/, '');
  const body = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${deploymentName}-${index}.bench` },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace, name: `${deploymentName}-${index}` },
    reason: 'Scheduled',
    message: `Successfully assigned ${namespace}/${deploymentName}-${index} to a node`,
    type: 'Normal',
    source: { component: 'bench' },
    firstTimestamp: nowText,
    lastTimestamp: nowText,
    count: 1,
  };
  await client.send({ method: 'POST', path: collectionOf('events'), body });
}

async function changeStatus(client: RestClient, index: number): Promise<void> {
  await client.send({
    method: 'PATCH',
    path: `${deploymentPath}/status`,
    contentType: 'application/merge-patch+json',
    body: { status: { replicas: index + 1 } },
  });
}
