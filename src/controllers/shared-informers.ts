import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../apis/types/apps-v1.ts';
import type { HorizontalPodAutoscaler } from '../apis/types/autoscaling-v2beta2.ts';
import type { Job } from '../apis/types/batch-v1.ts';
import type { CronJob } from '../apis/types/batch-v1beta1.ts';
import type { Lease } from '../apis/types/coordination-v1.ts';
import type {
  Endpoints,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ReplicationController,
  ResourceQuota,
  Service,
} from '../apis/types/core-v1.ts';
import type { EndpointSlice } from '../apis/types/discovery-v1beta1.ts';
import type { PodDisruptionBudget } from '../apis/types/policy-v1beta1.ts';
import type { CSIDriver, CSINode, StorageClass, VolumeAttachment } from '../apis/types/storage-v1.ts';
import { type Informer, startInformer } from '../client/informer/index.ts';
import type { CollectionMediaTypes } from '../client/list-watch/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import { type FollowContext, followOptions } from './follow-options.ts';
import type { TemplateRevision } from './revision-history/index.ts';

/** Whom an informer tells. Handlers must not throw. */
export interface InformerListener<T extends ApiObject> {
  readonly onAdd?: ((object: T) => void) | undefined;
  readonly onUpdate?: ((object: T, previous: T) => void) | undefined;
  /** `object` is the last state. */
  readonly onDelete?: ((object: T) => void) | undefined;
}

/** The objects of a resource, without their managed fields; shared, so never change them. */
export interface SharedInformer<T extends ApiObject = ApiObject>
  extends Pick<Informer<T>, 'get' | 'list' | 'isSynced' | 'whenSynced' | 'done'> {
  /** Those of a namespace, in no order. */
  listIn(namespace: string): readonly T[];
  /** Those whose controller has this uid, in no order. */
  controlledBy(uid: string): readonly T[];
  /** Those of a namespace that no controller has, in no order. */
  orphansIn(namespace: string): readonly T[];
  /** Tells a listener of all changes from now on, and at once of what is there. */
  listen(listener: InformerListener<T>): void;
}

/**
 * One informer per resource for all controllers: each event is parsed and kept once. Each begins when somebody first asks for
 * it, and runs until the signal aborts.
 */
export class SharedInformers {
  readonly #context: FollowContext;
  readonly #dialect: Pick<Dialect, 'group'>;
  readonly #running: Promise<void>[] = [];

  constructor(context: FollowContext, dialect: Pick<Dialect, 'group'>) {
    this.#context = context;
    this.#dialect = dialect;
  }

  readonly controllerRevisions = this.#later<TemplateRevision>('apps', 'controllerrevisions');
  readonly csiDrivers = this.#later<CSIDriver>('storage', 'csidrivers');
  readonly csiNodes = this.#later<CSINode>('storage', 'csinodes');
  readonly cronJobs = this.#later<CronJob>('batch', 'cronjobs', 'v1beta1');
  readonly daemonSets = this.#later<DaemonSet>('apps', 'daemonsets');
  readonly deployments = this.#later<Deployment>('apps', 'deployments');
  readonly endpointSlices = this.#later<EndpointSlice>('discovery', 'endpointslices', 'v1beta1');
  readonly endpoints = this.#later<Endpoints>('', 'endpoints');
  readonly horizontalPodAutoscalers = this.#later<HorizontalPodAutoscaler>(
    'autoscaling',
    'horizontalpodautoscalers',
    'v2beta2',
  );
  readonly jobs = this.#later<Job>('batch', 'jobs');
  readonly leases = this.#later<Lease>('coordination', 'leases');
  readonly nodes = this.#later<Node>('', 'nodes');
  readonly persistentVolumeClaims = this.#later<PersistentVolumeClaim>('', 'persistentvolumeclaims');
  readonly persistentVolumes = this.#later<PersistentVolume>('', 'persistentvolumes');
  readonly podDisruptionBudgets = this.#later<PodDisruptionBudget>(
    'policy',
    'poddisruptionbudgets',
    'v1beta1',
  );
  readonly pods = this.#later<Pod>('', 'pods');
  readonly replicaSets = this.#later<ReplicaSet>('apps', 'replicasets');
  readonly replicationControllers = this.#later<ReplicationController>('', 'replicationcontrollers');
  readonly resourceQuotas = this.#later<ResourceQuota>('', 'resourcequotas');
  readonly services = this.#later<Service>('', 'services');
  readonly statefulSets = this.#later<StatefulSet>('apps', 'statefulsets');
  readonly storageClasses = this.#later<StorageClass>('storage', 'storageclasses');
  readonly volumeAttachments = this.#later<VolumeAttachment>('storage', 'volumeattachments');

  /** Resolves when all have ended, after the signal aborted. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** `group` is spelled by the dialect; the version is that of the objects' type. */
  #later<T extends ApiObject>(group: string, resource: string, version = 'v1'): () => SharedInformer<T> {
    let informer: SharedInformer<T> | undefined;
    return () => {
      if (informer === undefined) {
        const spelled = ['', 'apps', 'autoscaling', 'batch', 'policy'].includes(group)
          ? group
          : this.#dialect.group(group);
        const place = { group: spelled, version, resource };
        informer = startIndexedInformer<T>(this.#context, { resource: place });
        this.#running.push(informer.done);
      }
      return informer;
    };
  }
}

/** A resource in one version. */
export interface FollowedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

export interface IndexedInformerOptions {
  readonly resource: FollowedResource;
  readonly accept?: CollectionMediaTypes | undefined;
}

/** Follows a resource until the signal of the context aborts. */
export function startIndexedInformer<T extends ApiObject>(
  context: FollowContext,
  options: IndexedInformerOptions,
): SharedInformer<T> {
  return new IndexedInformer<T>(context, options);
}

class IndexedInformer<T extends ApiObject> implements SharedInformer<T> {
  readonly #informer: Informer<T>;
  readonly #listeners: InformerListener<T>[] = [];
  readonly #byNamespace = new Index<T>(({ metadata }) => metadata.namespace ?? '');
  readonly #byController = new Index<T>(controllerUid);

  constructor(context: FollowContext, options: IndexedInformerOptions) {
    this.#informer = startInformer<T>({
      ...followOptions(context),
      ...options,
      transform: withoutManagedFields,
      onAdd: (object) => {
        this.#byNamespace.set(object);
        this.#byController.set(object);
        for (const { onAdd } of this.#listeners) onAdd?.(object);
      },
      onUpdate: (object, previous) => {
        this.#byNamespace.set(object);
        this.#byController.set(object);
        for (const { onUpdate } of this.#listeners) onUpdate?.(object, previous);
      },
      onDelete: (object) => {
        this.#byNamespace.delete(object);
        this.#byController.delete(object);
        for (const { onDelete } of this.#listeners) onDelete?.(object);
      },
    });
  }

  get isSynced(): boolean {
    return this.#informer.isSynced;
  }

  get whenSynced(): Promise<void> {
    return this.#informer.whenSynced;
  }

  get done(): Promise<void> {
    return this.#informer.done;
  }

  get(namespace: string, name: string): T | undefined {
    return this.#informer.get(namespace, name);
  }

  list(): readonly T[] {
    return this.#informer.list();
  }

  listIn(namespace: string): readonly T[] {
    return this.#byNamespace.list(namespace);
  }

  controlledBy(uid: string): readonly T[] {
    return this.#byController.list(uid);
  }

  orphansIn(namespace: string): readonly T[] {
    return this.#byController.list(`/${namespace}`);
  }

  listen(listener: InformerListener<T>): void {
    this.#listeners.push(listener);
    if (listener.onAdd !== undefined) for (const object of this.list()) listener.onAdd(object);
  }
}

/** Objects by a text of theirs, then by namespace and name. */
class Index<T extends ApiObject> {
  readonly #textOf: (object: T) => string;
  readonly #objects = new Map<string, Map<string, T>>();
  /** Where each object is: its last state may have another text than the one that it was entered with. */
  readonly #texts = new Map<string, string>();

  constructor(textOf: (object: T) => string) {
    this.#textOf = textOf;
  }

  list(text: string): readonly T[] {
    return [...(this.#objects.get(text)?.values() ?? [])];
  }

  set(object: T): void {
    const key = keyOf(object);
    const text = this.#textOf(object);
    if (this.#texts.get(key) !== text) this.delete(object);
    this.#texts.set(key, text);
    let objects = this.#objects.get(text);
    if (objects === undefined) {
      objects = new Map();
      this.#objects.set(text, objects);
    }
    objects.set(key, object);
  }

  delete(object: T): void {
    const key = keyOf(object);
    const text = this.#texts.get(key);
    if (text === undefined) return;
    this.#texts.delete(key);
    const objects = this.#objects.get(text);
    objects?.delete(key);
    if (objects?.size === 0) this.#objects.delete(text);
  }
}

/** The key of an object in queues: `NAMESPACE/NAME`. */
export const keyOf = ({ metadata }: ApiObject): string =>
  `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;

/** The uid of an object's controller; of an object that has none its namespace, after a slash, which no uid has. */
const controllerUid = ({ metadata }: ApiObject): string =>
  metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid ??
  `/${metadata.namespace ?? ''}`;

/** Managed fields are half of many objects, and no controller reads them. A write without them leaves them as they are. */
function withoutManagedFields<T extends ApiObject>(object: T): T {
  // The informer hands over what it has parsed for itself.
  delete object.metadata.managedFields;
  return object;
}
