import { storageClassName } from '../apis/core/index.ts';
import { kindsOnNode, type MigratedKind } from '../apis/csi-migration/index.ts';
import type { ReplicaSet, StatefulSet } from '../apis/types/apps-v1.ts';
import type {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  ReplicationController,
  Service,
} from '../apis/types/core-v1.ts';
import type { PodDisruptionBudget } from '../apis/types/policy-v1beta1.ts';
import type { CSINode, StorageClass } from '../apis/types/storage-v1.ts';
import type { Informer } from '../client/informer/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import type { LabelSelector } from '../machinery/selectors/index.ts';
import type { ClusterLookups } from './cluster.ts';
import { type FollowContext, type Followed, follow } from './follow.ts';
import { groupSelector } from './group-selector.ts';
import { compileSelector, type PodInfo } from './pod-info.ts';
import type { Budget } from './preempt.ts';
import type { VolumeObjects } from './volume-objects.ts';

/** Who is told of what. */
export interface ObjectHandlers {
  readonly onNode: (node: Node, before: Node | undefined) => void;
  readonly onNodeGone: (node: Node) => void;
  /** Something beside nodes and pods changed that placements depend on. */
  readonly onChange: () => void;
}

/** In whose spelling objects are, and which built-in kinds of volumes gates leave to drivers. */
interface ObjectsOptions {
  readonly dialect: Dialect;
  readonly migratedKinds: readonly MigratedKind[];
}

interface BaseInformers {
  readonly nodes: Informer<Node>;
  readonly services: Informer<Service>;
  readonly controllers: Informer<ReplicationController>;
  readonly replicaSets: Informer<ReplicaSet>;
  readonly statefulSets: Informer<StatefulSet>;
}

interface VolumeInformers {
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  readonly csiNodes: Informer<CSINode>;
}

/** Objects beside pods that placements depend on. Each kind is followed from when the first pod needs it. */
export class ClusterObjects implements ClusterLookups, VolumeObjects {
  readonly migratedKinds: readonly MigratedKind[];
  readonly #context: FollowContext;
  readonly #dialect: Dialect;
  readonly #handlers: ObjectHandlers;
  readonly #promised = new Map<string, string>();
  #base: BaseInformers | undefined;
  #volumes: VolumeInformers | undefined;
  #budgets: Informer<PodDisruptionBudget> | undefined;

  constructor(context: FollowContext, { dialect, migratedKinds }: ObjectsOptions, handlers: ObjectHandlers) {
    this.#context = context;
    this.#dialect = dialect;
    this.migratedKinds = migratedKinds;
    this.#handlers = handlers;
  }

  readonly volumes: VolumeObjects = this;

  /** Resolves when nodes, and what pods may belong to, are known. */
  async needBase(): Promise<void> {
    this.#base ??= this.#startBase();
    await whenSynced(this.#base);
  }

  /** Resolves when claims and volumes are known. */
  async needVolumes(): Promise<void> {
    this.#volumes ??= this.#startVolumes();
    await whenSynced(this.#volumes);
  }

  get hasVolumes(): boolean {
    return this.#volumes !== undefined && Object.values(this.#volumes).every(({ isSynced }) => isSynced);
  }

  /** The budgets of now. */
  async budgets(): Promise<readonly Budget[]> {
    this.#budgets ??= this.#follow<PodDisruptionBudget>('policy', 'v1beta1', 'poddisruptionbudgets');
    await this.#budgets.whenSynced;
    return this.#budgets.list().map(({ metadata, spec, status }) => ({
      namespace: metadata.namespace ?? '',
      selector: compileSelector(spec.selector),
      allowed: status.disruptionsAllowed,
      disrupted: new Set(Object.keys(status.disruptedPods ?? {})),
    }));
  }

  groupOf(pod: PodInfo): LabelSelector | undefined {
    if (this.#base === undefined) return undefined;
    const { services, controllers, replicaSets, statefulSets } = this.#base;
    return groupSelector(pod, {
      services: services.list(),
      controller: (name) => controllers.get(pod.namespace, name),
      replicaSet: (name) => replicaSets.get(pod.namespace, name),
      statefulSet: (name) => statefulSets.get(pod.namespace, name),
    });
  }

  claim(namespace: string, name: string): PersistentVolumeClaim | undefined {
    return this.#volumes?.claims.get(namespace, name);
  }

  volume(name: string): PersistentVolume | undefined {
    return this.#volumes?.volumes.get('', name);
  }

  storageClass(name: string): StorageClass | undefined {
    return this.#volumes?.classes.get('', name);
  }

  csiNode(name: string): CSINode | undefined {
    return this.#volumes?.csiNodes.get('', name);
  }

  migratedOn(node: string): readonly MigratedKind[] {
    const csiNode = this.csiNode(node);
    return csiNode === undefined ? [] : kindsOnNode(csiNode, this.migratedKinds, this.#dialect);
  }

  *volumesOfClass(name: string): Iterable<PersistentVolume> {
    for (const volume of this.#volumes?.volumes.list() ?? []) {
      if (storageClassName(volume, this.#dialect) === name) yield volume;
    }
  }

  promisedTo(volume: string): string | undefined {
    return this.#promised.get(volume);
  }

  /** Until `release`, nobody else gets the volume. */
  promise(volume: string, claim: string): void {
    this.#promised.set(volume, claim);
  }

  release(volume: string): void {
    this.#promised.delete(volume);
  }

  /** Resolves when nothing is followed any more. */
  async ended(): Promise<void> {
    const all = [...Object.values(this.#base ?? {}), ...Object.values(this.#volumes ?? {}), this.#budgets];
    await Promise.all(all.map((informer) => informer?.done));
  }

  #startBase(): BaseInformers {
    const { onNode, onNodeGone, onChange } = this.#handlers;
    const changes = { onSet: onChange, onDelete: onChange };
    return {
      nodes: this.#follow<Node>('', 'v1', 'nodes', { onSet: onNode, onDelete: onNodeGone }),
      services: this.#follow<Service>('', 'v1', 'services', changes),
      controllers: this.#follow<ReplicationController>('', 'v1', 'replicationcontrollers'),
      replicaSets: this.#follow<ReplicaSet>('apps', 'v1', 'replicasets'),
      statefulSets: this.#follow<StatefulSet>('apps', 'v1', 'statefulsets'),
    };
  }

  #startVolumes(): VolumeInformers {
    const onSet = this.#handlers.onChange;
    return {
      claims: this.#follow<PersistentVolumeClaim>('', 'v1', 'persistentvolumeclaims', { onSet }),
      volumes: this.#follow<PersistentVolume>('', 'v1', 'persistentvolumes', { onSet }),
      classes: this.#follow<StorageClass>('storage', 'v1', 'storageclasses', { onSet }),
      csiNodes: this.#follow<CSINode>('storage', 'v1', 'csinodes', { onSet }),
    };
  }

  #follow<T extends ApiObject>(
    group: string,
    version: string,
    resource: string,
    handlers: Pick<Followed<T>, 'onSet' | 'onDelete'> = {},
  ): Informer<T> {
    const isOwn = group === '' || group === 'apps' || group === 'policy';
    const of = { group: isOwn ? group : this.#dialect.group(group), version, resource };
    return follow<T>(this.#context, { resource: of, ...handlers });
  }
}

async function whenSynced(informers: object): Promise<void> {
  const all: readonly Pick<Informer, 'whenSynced'>[] = Object.values(informers);
  await Promise.all(all.map((informer) => informer.whenSynced));
}
