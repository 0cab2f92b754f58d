import type { Node, Taint } from '../../apis/types/core-v1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ControllerContext } from '../controller.ts';

/** What changes of a node. */
export interface NodeChange {
  /** All of them. */
  readonly taints?: readonly Taint[] | undefined;
  /** Those that change. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** Agents and other controllers write nodes as well, all of them when a node is new. */
const maxTries = 5;

/**
 * Changes a node by what is decided of it. When somebody else was faster it is decided anew, by the node as it is then; a node that is
 * gone needs nothing.
 *
 * @throws StatusError or TransportError
 */
export async function patchNode(
  { client, signal }: Pick<ControllerContext, 'client' | 'signal'>,
  node: Node,
  decide: (node: Node) => NodeChange | undefined,
): Promise<void> {
  const { name, uid } = node.metadata;
  const path = resourcePath({ group: '', version: 'v1', resource: 'nodes', name });
  let current = node;
  for (let attempt = 1; ; attempt++) {
    const change = decide(current);
    if (change === undefined) return;
    const { resourceVersion } = current.metadata;
    const { taints, labels } = change;
    try {
      await client.send({
        method: 'PATCH',
        path,
        contentType: 'application/merge-patch+json',
        // The version makes a decision about another state fail.
        body: {
          metadata: { resourceVersion, ...(labels && { labels }) },
          ...(taints && { spec: { taints } }),
        },
        signal,
      });
      return;
    } catch (error) {
      if (isReason(error, 'NotFound')) return;
      if (!isReason(error, 'Conflict') || attempt === maxTries) throw error;
      current = await client.json<Node>({ method: 'GET', path, signal });
      if (current.metadata.uid !== uid) return; // another node of the name
    }
  }
}
