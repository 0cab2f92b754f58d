import type { Pod } from '../../apis/types/core-v1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { ControllerContext } from '../controller.ts';
import type { TemplateRevision } from '../revision-history/index.ts';
import {
  controllerRevisions,
  type NewestRevision,
  RevisionWriter,
  type TemplateOwner,
} from '../workloads/revision-writer.ts';
import { decideHistory, hashOf } from './history.ts';
import { hashLabel } from './placement.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };

/** A history after the writes, and the pods as they are then. */
export interface WrittenHistory extends NewestRevision {
  /** Without the duplicates that were deleted. */
  readonly history: readonly TemplateRevision[];
  readonly pods: readonly Pod[];
}

/** Writes the histories of daemon sets. */
export class HistoryWrites {
  readonly #context: Pick<ControllerContext, 'client' | 'signal'>;
  readonly #revisions: RevisionWriter;

  constructor(context: Pick<ControllerContext, 'client' | 'signal'>) {
    this.#context = context;
    this.#revisions = new RevisionWriter(context, hashLabel);
  }

  /** Makes the template of now the newest of the history, which is sorted, and there once. @throws StatusError or TransportError */
  async write(
    source: TemplateOwner,
    stored: readonly TemplateRevision[],
    owned: readonly Pod[],
  ): Promise<WrittenHistory> {
    const history = await this.#labelAll(stored);
    const { step, duplicates, relabeled } = decideHistory(history, source.template, owned);
    const { revision, collisionCount } = await this.#revisions.write(source, step);
    const seen = new Map<Pod, Pod>();
    // The pods first: a revision that pods have stays known until they have another.
    for (const pod of relabeled) seen.set(pod, (await this.#label(pods, pod, hashOf(revision))) ?? pod);
    await this.#revisions.delete(duplicates);
    return {
      revision,
      collisionCount,
      history: history.filter((each) => !duplicates.includes(each)),
      pods: owned.map((pod) => seen.get(pod) ?? pod),
    };
  }

  /** Deletes revisions. @throws StatusError or TransportError */
  delete(revisions: readonly TemplateRevision[]): Promise<void> {
    return this.#revisions.delete(revisions);
  }

  /** Revisions that others made without the label of the hash get it, with their name. */
  async #labelAll(history: readonly TemplateRevision[]): Promise<readonly TemplateRevision[]> {
    const isLabeled = ({ metadata }: TemplateRevision): boolean => metadata.labels?.[hashLabel] !== undefined;
    if (history.every(isLabeled)) return history;
    const labeled: TemplateRevision[] = [];
    for (const revision of history) {
      const { name = '' } = revision.metadata;
      const next = isLabeled(revision) ? revision : await this.#label(controllerRevisions, revision, name);
      if (next !== undefined) labeled.push(next);
    }
    return labeled;
  }

  /** Undefined for what is gone. */
  async #label<T extends ApiObject>(
    resource: typeof pods,
    { metadata: { namespace = '', name = '', uid } }: T,
    hash: string,
  ): Promise<T | undefined> {
    const { client, signal } = this.#context;
    try {
      return await client.json<T>({
        method: 'PATCH',
        path: resourcePath({ ...resource, namespace, name }),
        contentType: 'application/strategic-merge-patch+json',
        body: { metadata: { uid, labels: { [hashLabel]: hash } } },
        signal,
      });
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }
}
