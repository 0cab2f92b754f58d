import type { Node } from '../../apis/types/core-v1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { Controller } from '../controller.ts';
import { keyOf } from '../shared-informers.ts';
import { createOwnerQueue } from '../workloads/index.ts';
import { decideTaints } from './decide.ts';

/** Keeps the taints of nodes as their conditions say. */
export const nodeLifecycleController: Controller = {
  name: 'nodelifecycle',
  async run(context) {
    const { client, clock, dialect, informers, signal } = context;
    const nodes = informers.nodes();
    const queue = createOwnerQueue(context, {
      informers: [nodes],
      concurrency: 8,
      async sync(_namespace, name) {
        const node = nodes.get('', name);
        const taints = node && decideTaints(node, dialect, clock.nowMs());
        if (taints === undefined) return;
        const { resourceVersion } = node?.metadata ?? {};
        await client.send({
          method: 'PATCH',
          path: resourcePath({ group: '', version: 'v1', resource: 'nodes', name }),
          contentType: 'application/merge-patch+json',
          // The version makes a decision about another state fail.
          body: { metadata: { resourceVersion }, spec: { taints } },
          signal,
        });
      },
    });
    const add = (node: Node): void => queue.add(keyOf(node));
    nodes.listen({ onAdd: add, onUpdate: add });
    await queue.done;
  },
};
