import type { Node } from '../../apis/types/core-v1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { Controller } from '../controller.ts';
import { keyOf } from '../shared-informers.ts';
import { createOwnerQueue } from '../workloads/owner-queue.ts';
import { CacheTime, decideAnnotation } from './decide.ts';

/** Tells agents how long they may use what they have cached: the longer, the larger the cluster. It caches nothing itself. */
export const nodeTtlController: Controller = {
  name: 'ttl',
  async run(context) {
    const { client, dialect, informers, signal } = context;
    const nodes = informers.nodes();
    const annotation = dialect.domain('node.alpha', 'ttl');
    const time = new CacheTime();
    let size = 0;
    const queue = createOwnerQueue(context, {
      informers: [nodes],
      concurrency: 5,
      async sync(_namespace, name) {
        const node = nodes.get('', name);
        const seconds = time.secondsFor(size);
        const text = node && decideAnnotation(node, annotation, seconds);
        if (text === undefined) return;
        await client.send({
          method: 'PATCH',
          path: resourcePath({ group: '', version: 'v1', resource: 'nodes', name }),
          contentType: 'application/merge-patch+json',
          body: { metadata: { annotations: { [annotation]: text } } },
          signal,
        });
      },
    });
    const add = (node: Node): void => queue.add(keyOf(node));
    // All learn of another time at once: nodes whose agents are gone never report again.
    const count = (change: number): void => {
      const before = time.secondsFor(size);
      size += change;
      if (time.secondsFor(size) !== before) nodes.list().forEach(add);
    };
    nodes.listen({
      onAdd: (node) => {
        count(1);
        add(node);
      },
      onUpdate: add,
      onDelete: () => count(-1),
    });
    await queue.done;
  },
};
