import type { Deployment, DeploymentStatus, ReplicaSet } from '../../apis/types/apps-v1.ts';
import type { Pod } from '../../apis/types/core-v1.ts';
import { deepEqual } from '../../apis/validation/index.ts';
import {
  type DeploymentAnnotations,
  hasSameTemplate,
  newReplicaSet,
  newSetAnnotations,
  nextRevision,
  sizeAnnotations,
  sizeIn,
} from './revisions.ts';
import {
  activeOf,
  actualOf,
  byCreation,
  isRollingUpdate,
  newSetReplicas,
  replicasOf,
  scaleDownOld,
  scaleInProportion,
} from './rolling.ts';
import {
  conditionOf,
  countReplicas,
  historyLimitOf,
  isComplete,
  nextCheckMs,
  progressDeadlineOf,
  rolloutStatus,
  withCondition,
} from './status.ts';

/** What is decided from. */
export interface DeploymentState {
  readonly deployment: Deployment;
  /** All that the deployment controls. */
  readonly sets: readonly ReplicaSet[];
  /** Of these sets, for deployments that recreate. */
  readonly podsOf: (set: ReplicaSet) => readonly Pod[];
  readonly names: DeploymentAnnotations;
  readonly nowMs: number;
}

/** One write to a replica set. */
export type SetWrite =
  | { readonly kind: 'create'; readonly set: ReplicaSet }
  /** `scaledFrom` is its size before, where that changes. */
  | { readonly kind: 'update'; readonly set: ReplicaSet; readonly scaledFrom?: number }
  | { readonly kind: 'delete'; readonly set: ReplicaSet };

/** What brings a deployment one step on. */
export interface DeploymentPlan {
  /** To be done in order, before the status. */
  readonly writes: readonly SetWrite[];
  /** The deployment with the status and revision that it is to have then; undefined when it has them. */
  readonly updated: Deployment | undefined;
  /** When to look again though nothing happens, in milliseconds from now. */
  readonly checkAfterMs: number | undefined;
}

/** The next step of a deployment. Pure. Source: release 1.20, `syncDeployment`. */
export function decideDeployment(state: DeploymentState): DeploymentPlan {
  return new Step(state).decide();
}

class Step {
  readonly #state: DeploymentState;
  readonly #writes: SetWrite[] = [];
  readonly #old: readonly ReplicaSet[];
  #current: ReplicaSet | undefined;
  #conditions: NonNullable<DeploymentStatus['conditions']>;
  #annotations: Readonly<Record<string, string>>;

  constructor(state: DeploymentState) {
    const { deployment, sets } = state;
    this.#state = state;
    this.#current = [...sets]
      .sort(byCreation)
      .find(({ spec }) => hasSameTemplate(spec.template, deployment.spec.template));
    this.#old = sets.filter((set) => set !== this.#current);
    this.#conditions = [...(deployment.status.conditions ?? [])];
    this.#annotations = deployment.metadata.annotations ?? {};
  }

  decide(): DeploymentPlan {
    const { deployment } = this.#state;
    if (deployment.metadata.deletionTimestamp) return this.#finish(false);
    this.#notePause();
    if (deployment.spec.paused === true || this.#isResized()) return this.#resize();
    return isRollingUpdate(deployment) ? this.#roll() : this.#recreate();
  }

  #roll(): DeploymentPlan {
    const { deployment } = this.#state;
    this.#ensureCurrent(true);
    const current = this.#current;
    if (current === undefined) return this.#finish(true);
    const wanted = newSetReplicas(deployment, this.#all(), replicasOf(current));
    const replicas = replicasOf(current) > replicasOf(deployment) ? replicasOf(deployment) : wanted;
    if (replicas !== replicasOf(current)) {
      this.#scale(current, replicas);
      return this.#finish(true);
    }
    const downs = scaleDownOld(deployment, activeOf(this.#old), current);
    for (const { set, replicas: left } of downs) this.#scale(set, left);
    if (downs.length === 0 && isComplete(deployment, deployment.status)) this.#cleanUp();
    return this.#finish(true);
  }

  #recreate(): DeploymentPlan {
    const { deployment } = this.#state;
    this.#ensureCurrent(false);
    const downs = activeOf(this.#old);
    for (const set of downs) this.#scale(set, 0);
    if (downs.length > 0 || this.#oldPodsRun()) return this.#finish(true);
    this.#ensureCurrent(true);
    const current = this.#current;
    if (current !== undefined && replicasOf(current) !== replicasOf(deployment)) {
      this.#scale(current, replicasOf(deployment));
    }
    if (isComplete(deployment, deployment.status)) this.#cleanUp();
    return this.#finish(true);
  }

  #oldPodsRun(): boolean {
    if (actualOf(this.#old) > 0) return true;
    return this.#old.some((set) =>
      this.#state.podsOf(set).some(({ status }) => status.phase !== 'Failed' && status.phase !== 'Succeeded'),
    );
  }

  /** Of a paused deployment only the size is brought about, shared among the sets that it has. */
  #resize(): DeploymentPlan {
    const { deployment, names } = this.#state;
    this.#ensureCurrent(false);
    const active = activeOf(this.#all());
    const newest = this.#current ?? [...this.#old].sort(byCreation).at(-1);
    const only = active.length === 0 ? newest : active.length === 1 ? active[0] : undefined;
    if (only !== undefined) {
      if (replicasOf(only) !== replicasOf(deployment)) this.#scale(only, replicasOf(deployment));
    } else if (this.#isSaturated()) {
      for (const set of activeOf(this.#old)) this.#scale(set, 0);
    } else if (isRollingUpdate(deployment)) {
      const madeFor = (set: ReplicaSet) => sizeIn(set.metadata.annotations, names.maxReplicas) || undefined;
      for (const { set, replicas } of scaleInProportion(deployment, active, madeFor))
        this.#scale(set, replicas);
    }
    if (deployment.spec.paused === true) this.#cleanUp();
    return this.#finish(false);
  }

  #isSaturated(): boolean {
    const { deployment, names } = this.#state;
    const current = this.#current;
    if (current === undefined) return false;
    const counts = [
      replicasOf(current),
      sizeIn(current.metadata.annotations, names.desiredReplicas),
      current.status.availableReplicas ?? 0,
    ];
    return counts.every((count) => count === replicasOf(deployment));
  }

  /** Whether the deployment was scaled since its sets were: their annotations tell for which size. */
  #isResized(): boolean {
    const { deployment, names, sets } = this.#state;
    return activeOf(sets).some(({ metadata }) => {
      const desired = sizeIn(metadata.annotations, names.desiredReplicas);
      return desired !== undefined && desired !== replicasOf(deployment);
    });
  }

  /** Progress does not count while a deployment is paused, and begins anew afterwards. */
  #notePause(): void {
    const { deployment } = this.#state;
    const known = conditionOf(deployment.status, 'Progressing');
    if (progressDeadlineOf(deployment) === undefined || known?.reason === 'ProgressDeadlineExceeded') return;
    const wasPaused = known?.reason === 'DeploymentPaused';
    const isPaused = deployment.spec.paused === true;
    if (wasPaused === isPaused) return;
    this.#setProgress(
      'Unknown',
      isPaused ? 'DeploymentPaused' : 'DeploymentResumed',
      `Deployment is ${isPaused ? 'paused' : 'resumed'}`,
    );
  }

  /** Makes the replica set of the template what it must be; where there is none, it is created if `mayCreate`. */
  #ensureCurrent(mayCreate: boolean): void {
    const { deployment, names } = this.#state;
    const revision = nextRevision(this.#old, names);
    if (this.#current !== undefined) this.#adjustCurrent(this.#current, revision);
    else if (mayCreate) {
      const bare = newReplicaSet(deployment);
      const replicas = newSetReplicas(deployment, this.#old, 0);
      const annotations = {
        ...newSetAnnotations(deployment, {}, { revision, names }),
        ...sizeAnnotations(deployment, names),
      };
      const set = { ...bare, metadata: { ...bare.metadata, annotations }, spec: { ...bare.spec, replicas } };
      this.#writes.push({ kind: 'create', set });
      this.#current = set;
      this.#annotations = { ...this.#annotations, [names.revision]: String(revision) };
      if (progressDeadlineOf(deployment) !== undefined) {
        this.#setProgress('True', 'NewReplicaSetCreated', `Created new replica set "${set.metadata.name}"`);
      }
    }
  }

  #adjustCurrent(current: ReplicaSet, revision: bigint): void {
    const { deployment, names } = this.#state;
    const annotations = newSetAnnotations(deployment, current.metadata.annotations ?? {}, {
      revision,
      names,
    });
    const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
    const isRight =
      deepEqual(annotations, current.metadata.annotations ?? {}) &&
      (current.spec.minReadySeconds ?? 0) === minReadySeconds;
    if (!isRight) {
      const { spec, metadata } = current;
      this.#update({
        ...current,
        metadata: { ...metadata, annotations },
        spec: { ...spec, minReadySeconds },
      });
    }
    this.#annotations = { ...this.#annotations, [names.revision]: annotations[names.revision] ?? '' };
    if (
      progressDeadlineOf(deployment) !== undefined &&
      conditionOf({ conditions: this.#conditions }, 'Progressing') === undefined
    ) {
      this.#setProgress('True', 'FoundNewReplicaSet', `Found new replica set "${current.metadata.name}"`);
    }
  }

  #scale(set: ReplicaSet, replicas: number): void {
    const { deployment, names } = this.#state;
    const sizes = sizeAnnotations(deployment, names);
    const annotations = { ...set.metadata.annotations, ...sizes };
    const hasSize = replicasOf(set) === replicas;
    if (hasSize && deepEqual(annotations, set.metadata.annotations ?? {})) return;
    const scaled = { ...set, metadata: { ...set.metadata, annotations }, spec: { ...set.spec, replicas } };
    this.#update(scaled, hasSize ? undefined : replicasOf(set));
  }

  /** Writes to one set are joined: each must be of its newest version. */
  #update(set: ReplicaSet, scaledFrom?: number): void {
    const { uid } = set.metadata;
    const at = this.#writes.findIndex((write) => write.kind === 'update' && write.set.metadata.uid === uid);
    const write: SetWrite = { kind: 'update', set, ...(scaledFrom !== undefined && { scaledFrom }) };
    if (at < 0) this.#writes.push(write);
    else this.#writes[at] = write;
    if (this.#current?.metadata.uid === uid) this.#current = set;
  }

  /** Deletes old sets without pods beyond the limit, oldest first. */
  #cleanUp(): void {
    const limit = historyLimitOf(this.#state.deployment);
    if (limit === undefined) return;
    const kept = this.#old.filter(({ metadata }) => !metadata.deletionTimestamp).sort(byCreation);
    for (const set of kept.slice(0, Math.max(0, kept.length - limit))) {
      const isSeen = (set.metadata.generation ?? 0) <= (set.status.observedGeneration ?? 0);
      if (set.status.replicas === 0 && replicasOf(set) === 0 && isSeen)
        this.#writes.push({ kind: 'delete', set });
    }
  }

  #setProgress(status: string, reason: string, message: string): void {
    const condition = { type: 'Progressing', status, reason, message };
    this.#conditions = [...withCondition(this.#conditions, condition, this.#state.nowMs)];
  }

  #all(): ReplicaSet[] {
    return this.#current === undefined ? [...this.#old] : [...this.#old, this.#current];
  }

  /** The plan, with the status after it; of a rollout also how it gets on. Counts are those that were seen, not those to come. */
  #finish(isRollout: boolean): DeploymentPlan {
    const { deployment, sets, nowMs } = this.#state;
    const seen = sets.find(
      ({ metadata }) => metadata.uid !== undefined && metadata.uid === this.#current?.metadata.uid,
    );
    const of = { current: seen ?? this.#current, all: sets };
    const statusOf = isRollout ? rolloutStatus : countReplicas;
    const status = statusOf(deployment, of, { conditions: this.#conditions, nowMs });
    const isSame =
      deepEqual(withoutZeros(status), withoutZeros(deployment.status)) &&
      deepEqual(this.#annotations, deployment.metadata.annotations ?? {});
    const updated = {
      ...deployment,
      metadata: { ...deployment.metadata, annotations: this.#annotations },
      status,
    };
    return {
      writes: this.#writes,
      updated: isSame ? undefined : updated,
      checkAfterMs: isRollout && isSame ? nextCheckMs(deployment, status, nowMs) : undefined,
    };
  }
}

/** Counts of zero are left out of what is stored. */
const withoutZeros = (status: DeploymentStatus): object =>
  Object.fromEntries(
    Object.entries(status).filter(
      ([, value]) => value !== 0 && !(Array.isArray(value) && value.length === 0),
    ),
  );
