import type { StatefulSet } from '../../apis/types/apps-v1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ControllerContext } from '../controller.ts';
import {
  decideRevision,
  holdsTemplate,
  sortRevisions,
  surplusRevisions,
  type TemplateRevision,
  templateData,
} from '../revision-history/index.ts';
import { controllerReference, type Owner, shortHash } from '../workloads/index.ts';

export const controllerRevisions = { group: 'apps', version: 'v1', resource: 'controllerrevisions' };

/** The revisions of a set as they are now. */
export interface SetRevisions {
  readonly current: TemplateRevision;
  readonly update: TemplateRevision;
  readonly collisionCount: number;
}

/** Brings the template of a set to the end of its history. Source: release 1.20, `getStatefulSetRevisions`. */
export class RevisionWriter {
  readonly #context: Pick<ControllerContext, 'client' | 'signal' | 'dialect'>;

  constructor(context: Pick<ControllerContext, 'client' | 'signal' | 'dialect'>) {
    this.#context = context;
  }

  /** @throws StatusError or TransportError */
  async write(set: StatefulSet, owner: Owner, revisions: readonly TemplateRevision[]): Promise<SetRevisions> {
    const history = sortRevisions(revisions);
    const step = decideRevision(history, set.spec.template);
    let collisionCount = set.status.collisionCount ?? 0;
    let update: TemplateRevision | undefined;
    if (step.kind === 'keep') update = step.revision;
    else if (step.kind === 'renumber') update = await this.#replace(step.revision);
    else {
      for (;;) {
        update = await this.#create(
          newRevision(set, owner, { ...step, collisionCount, hashLabel: this.#hashLabel }),
        );
        if (update !== undefined) break;
        collisionCount++;
      }
    }
    const current = history.find(({ metadata }) => metadata.name === set.status.currentRevision) ?? update;
    return { current, update, collisionCount };
  }

  /** Deletes what is beyond the limit of the history. */
  async prune(
    set: StatefulSet,
    revisions: readonly TemplateRevision[],
    inUse: ReadonlySet<string>,
  ): Promise<void> {
    const { client, signal } = this.#context;
    const limit = set.spec.revisionHistoryLimit ?? 10;
    for (const { metadata } of surplusRevisions(sortRevisions(revisions), inUse, limit)) {
      try {
        await client.send({ method: 'DELETE', path: pathOf(metadata.namespace, metadata.name), signal });
      } catch (error) {
        if (!isReason(error, 'NotFound')) throw error;
      }
    }
  }

  get #hashLabel(): string {
    return this.#context.dialect.domain('controller', 'hash');
  }

  async #replace(body: TemplateRevision): Promise<TemplateRevision> {
    const { client, signal } = this.#context;
    const path = pathOf(body.metadata.namespace, body.metadata.name);
    return client.json<TemplateRevision>({ method: 'PUT', path, body, signal });
  }

  /** Undefined when another template has the name. */
  async #create(body: TemplateRevision): Promise<TemplateRevision | undefined> {
    const { client, signal } = this.#context;
    const { namespace, name } = body.metadata;
    try {
      const path = resourcePath({ ...controllerRevisions, namespace });
      return await client.json<TemplateRevision>({ method: 'POST', path, body, signal });
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
      const found = await client.json<TemplateRevision>({
        method: 'GET',
        path: pathOf(namespace, name),
        signal,
      });
      const template = body.data?.spec?.template;
      return template && holdsTemplate(found, template) ? found : undefined;
    }
  }
}

const pathOf = (namespace = '', name = ''): string =>
  resourcePath({ ...controllerRevisions, namespace, name });

interface NewRevisionOptions {
  readonly revision: number;
  readonly collisionCount: number;
  readonly hashLabel: string;
}

function newRevision(
  { metadata, spec }: StatefulSet,
  owner: Owner,
  { revision, collisionCount, hashLabel }: NewRevisionOptions,
): TemplateRevision {
  const data = templateData(spec.template);
  const hash = shortHash(data, collisionCount);
  // Room for a dash and the hash (release 1.20, `ControllerRevisionName`).
  const name = `${owner.name.slice(0, 223)}-${hash}`;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name,
      namespace: owner.namespace,
      labels: { ...spec.template.metadata?.labels, [hashLabel]: hash },
      ...(metadata.annotations && { annotations: metadata.annotations }),
      ownerReferences: [controllerReference(owner)],
    },
    data,
    revision,
  };
}
