import type { Pod } from '../../apis/types/core-v1.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { OwnerReference } from '../../machinery/meta/index.ts';
import { parseGroupVersion } from '../../machinery/schema/index.ts';
import type { ControllerContext } from '../controller.ts';
import { Scales } from '../scales.ts';
import { controllerOf } from '../workloads/claims.ts';
import type { ScaledController } from './decide.ts';

const appsGroups = new Set(['apps', 'extensions']);

/** Finds how many pods the controllers of pods ask for: of built-in kinds in memory, of others by their `scale`. */
export class PodControllers {
  readonly #informers: ControllerContext['informers'];
  readonly #scales: Scales;

  constructor(context: ControllerContext) {
    this.#informers = context.informers;
    this.#scales = new Scales(context);
  }

  /**
   * By the uid of the pods' owner references; those that have no scale are missing.
   *
   * @throws Error for a kind that the server does not know, StatusError or TransportError when it does not tell.
   */
  async of(pods: readonly Pod[]): Promise<Map<string, ScaledController>> {
    const found = new Map<string, ScaledController>();
    const seen = new Set<string>();
    for (const pod of pods) {
      const reference = controllerOf(pod);
      // Nobody asks for the others when one has none: the budget cannot be decided.
      if (reference === undefined) break;
      if (seen.has(reference.uid)) continue;
      seen.add(reference.uid);
      const controller = await this.#find(reference, pod.metadata.namespace ?? '');
      if (controller === undefined) break;
      found.set(reference.uid, controller);
    }
    return found;
  }

  async #find(reference: OwnerReference, namespace: string): Promise<ScaledController | undefined> {
    const group = parseGroupVersion(reference.apiVersion)?.group ?? '';
    return this.#findKnown(reference, { group, namespace }) ?? (await this.#readScale(reference, namespace));
  }

  #findKnown({ kind, name, uid }: OwnerReference, { group, namespace }: Place): ScaledController | undefined {
    const informers = this.#informers;
    if (kind === 'ReplicationController' && group === '') {
      return scaled(informers.replicationControllers().get(namespace, name), uid);
    }
    if (kind === 'StatefulSet' && group === 'apps') {
      return scaled(informers.statefulSets().get(namespace, name), uid);
    }
    if (kind !== 'ReplicaSet' || !appsGroups.has(group)) return undefined;
    const set = informers.replicaSets().get(namespace, name);
    const above = set && controllerOf(set);
    if (above?.kind !== 'Deployment') return scaled(set, uid);
    // Of a deployment in the middle of a rollout the sets together have more.
    return scaled(informers.deployments().get(namespace, above.name), above.uid);
  }

  async #readScale(
    { apiVersion, kind, name, uid }: OwnerReference,
    namespace: string,
  ): Promise<ScaledController | undefined> {
    const version = parseGroupVersion(apiVersion);
    const resource = version && (await this.#scales.findResource({ ...version, kind }));
    if (resource === undefined) throw new Error(`no matches for kind "${kind}" in version "${apiVersion}"`);
    try {
      const { metadata, spec } = await this.#scales.get({ resource, namespace, name });
      return metadata.uid === uid ? { uid, replicas: spec.replicas ?? 0 } : undefined;
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }
}

interface Place {
  readonly group: string;
  readonly namespace: string;
}

/** What informers hold of a built-in kind. */
interface Scalable {
  readonly metadata: { readonly uid?: string | undefined };
  readonly spec: { readonly replicas?: number | undefined };
}

/** Another object of the same name is not the one that is meant. */
const scaled = (object: Scalable | undefined, uid: string): ScaledController | undefined =>
  object?.metadata.uid === uid ? { uid, replicas: object.spec.replicas ?? 1 } : undefined;
