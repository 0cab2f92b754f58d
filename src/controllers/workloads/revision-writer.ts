import type { PodTemplateSpec } from '../../apis/types/core-v1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ControllerContext } from '../controller.ts';
import {
  holdsTemplate,
  type RevisionStep,
  type TemplateRevision,
  templateData,
} from '../revision-history/index.ts';
import { revisionHash, templateHash } from '../template-hash/index.ts';
import { controllerReference, type Owner } from './claims.ts';

export const controllerRevisions = { group: 'apps', version: 'v1', resource: 'controllerrevisions' };

/** Whose history is written, and what it is to end with. */
export interface TemplateOwner {
  readonly owner: Owner;
  readonly template: PodTemplateSpec;
  /** Of the owner; a revision has those of the moment when it was made. */
  readonly annotations: Readonly<Record<string, string>> | undefined;
  /** How often a name was found to be another template's. */
  readonly collisionCount: number;
}

/** The revision of the template of now. */
export interface NewestRevision {
  readonly revision: TemplateRevision;
  readonly collisionCount: number;
}

/** Writes the histories of one kind of owners. Source: release 1.20, `realHistory`. */
export class RevisionWriter {
  readonly #context: Pick<ControllerContext, 'client' | 'signal'>;
  /** The label of revisions that has the hash of the template. */
  readonly #hashLabel: string;

  constructor(context: Pick<ControllerContext, 'client' | 'signal'>, hashLabel: string) {
    this.#context = context;
    this.#hashLabel = hashLabel;
  }

  /** Does what was decided, so that the template is the newest of its history. @throws StatusError or TransportError */
  async write(source: TemplateOwner, step: RevisionStep): Promise<NewestRevision> {
    let { collisionCount } = source;
    if (step.kind === 'keep') return { revision: step.revision, collisionCount };
    if (step.kind === 'renumber') return { revision: await this.#replace(step.revision), collisionCount };
    for (;;) {
      const created = await this.#create(this.#newRevision(source, step.revision, collisionCount));
      if (created !== undefined) return { revision: created, collisionCount };
      collisionCount++;
    }
  }

  /** Deletes revisions; those that are gone already count as deleted. @throws StatusError or TransportError */
  async delete(revisions: readonly TemplateRevision[]): Promise<void> {
    const { client, signal } = this.#context;
    for (const { metadata } of revisions) {
      try {
        await client.send({ method: 'DELETE', path: pathOf(metadata.namespace, metadata.name), signal });
      } catch (error) {
        if (!isReason(error, 'NotFound')) throw error;
      }
    }
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
      const path = pathOf(namespace, name);
      const found = await client.json<TemplateRevision>({ method: 'GET', path, signal });
      const template = body.data?.spec?.template;
      return template && holdsTemplate(found, template) ? found : undefined;
    }
  }

  #newRevision(
    { owner, template, annotations }: TemplateOwner,
    revision: number,
    collisionCount: number,
  ): TemplateRevision {
    const data = templateData(template);
    // Daemon sets hash the template, others the patch: owners of two kinds may have one name, but their revisions do not.
    const hash =
      owner.kind === 'DaemonSet'
        ? templateHash(template, collisionCount || undefined)
        : revisionHash(data, collisionCount);
    // Room for a dash and the hash (release 1.20, `ControllerRevisionName`).
    const name = `${owner.name.slice(0, 223)}-${hash}`;
    return {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: {
        name,
        namespace: owner.namespace,
        labels: { ...template.metadata?.labels, [this.#hashLabel]: hash },
        ...(annotations && { annotations: { ...annotations } }),
        ownerReferences: [controllerReference(owner)],
      },
      data,
      revision,
    };
  }
}

const pathOf = (namespace = '', name = ''): string =>
  resourcePath({ ...controllerRevisions, namespace, name });
