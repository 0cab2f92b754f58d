import type { Node } from '../../apis/types/core-v1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ControllerContext } from '../controller.ts';
import { Written } from '../written.ts';
import { keyPrefix } from './attachable-volume.ts';
import type { AttachedVolume } from './decide.ts';

/** Tells nodes what is attached to them: their agents mount nothing else. */
export class NodeReports {
  readonly #context: ControllerContext;
  readonly #nodes: Written<Node>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#nodes = new Written(context.informers.nodes());
  }

  /** Brings the status of these nodes up to date; the result is the nodes for which that failed. A node that is gone needs nothing. */
  async write(names: ReadonlySet<string>, attached: Iterable<AttachedVolume>): Promise<ReadonlySet<string>> {
    const reported = [...attached].filter(({ isReported }) => isReported);
    const byNode = Map.groupBy(reported, ({ node }) => node);
    const failed = new Set<string>();
    const writeOne = async (name: string): Promise<void> => {
      const keys = (byNode.get(name) ?? []).map(({ key }) => key);
      try {
        await this.#write(name, keys);
      } catch (error) {
        const { signal, logger } = this.#context;
        if (!signal.aborted) logger.error('status of node not updated', { node: name, error });
        failed.add(name);
      }
    };
    await Promise.all([...names].map(writeOne));
    return failed;
  }

  async #write(name: string, keys: readonly string[]): Promise<void> {
    const node = this.#nodes.get('', name);
    if (node === undefined) return;
    const { client, dialect, signal } = this.#context;
    const shown = node.status.volumesAttached ?? [];
    const prefix = keyPrefix(dialect);
    const others = shown.filter((volume) => !volume.name.startsWith(prefix));
    const isShown = new Set(shown.map((volume) => volume.name));
    if (shown.length === others.length + keys.length && keys.every((key) => isShown.has(key))) return;
    const volumesAttached = [...others, ...keys.map((key) => ({ name: key, devicePath: '' }))];
    const path = resourcePath({ group: '', version: 'v1', resource: 'nodes', name });
    try {
      const written = await client.json<Node>({
        method: 'PATCH',
        path: `${path}/status`,
        contentType: 'application/merge-patch+json',
        body: { status: { volumesAttached: volumesAttached.length === 0 ? null : volumesAttached } },
        signal,
      });
      this.#nodes.set(written);
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }
}
