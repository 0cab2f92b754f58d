import type { Deployment, ReplicaSet } from '../../apis/types/apps-v1.ts';
import { errorText } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { WorkQueue } from '../../client/work-queue/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { OwnerReference } from '../../machinery/meta/index.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { type ControllerEvents, createControllerEvents } from '../controller-events.ts';
import { isNamespaceTerminating } from '../ensure-in-namespaces.ts';
import { keyOf } from '../shared-informers.ts';
import { carryOutClaims, controllerOf, decideClaims, type Owner } from '../workloads/claims.ts';
import { followOwned } from '../workloads/follow-owned.ts';
import { createOwnerQueue } from '../workloads/owner-queue.ts';
import { type DeploymentPlan, decideDeployment, type SetWrite } from './decide.ts';
import { type DeploymentAnnotations, deploymentAnnotations, hasSameTemplate } from './revisions.ts';
import { decideRollback, isRollbackRequested } from './rollback.ts';
import { progressDeadlineOf, withCondition } from './status.ts';

const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
const replicaSets = { group: 'apps', version: 'v1', resource: 'replicasets' };

/** Rollouts of deployments: replica sets are created, scaled and cleaned up; pods are the replica sets' own. */
export const deploymentController: Controller = {
  name: 'deployment',
  run: (context) => new DeploymentLoop(context).run(),
};

class DeploymentLoop {
  readonly #context: ControllerContext;
  readonly #events: ControllerEvents;
  readonly #names: DeploymentAnnotations;
  readonly #queue: WorkQueue<string>;

  constructor(context: ControllerContext) {
    const { informers, settings, dialect } = context;
    this.#context = context;
    this.#events = createControllerEvents(context, 'deployment-controller');
    this.#names = deploymentAnnotations(dialect);
    this.#queue = createOwnerQueue(context, {
      informers: [informers.deployments(), informers.replicaSets(), informers.pods()],
      concurrency: settings.concurrentDeploymentSyncs,
      sync: (namespace, name) => this.#sync(namespace, name),
    });
  }

  async run(): Promise<void> {
    const { informers } = this.#context;
    const add = (deployment: Deployment): void => this.#queue.add(keyOf(deployment));
    informers.deployments().listen({ onAdd: add, onUpdate: add, onDelete: add });
    followOwned(informers.replicaSets(), {
      keyOf: (reference, namespace) => this.#keyOfReference(reference, namespace),
      adopters: ({ metadata }) =>
        informers
          .deployments()
          .listIn(metadata.namespace ?? '')
          .filter(({ spec }) => labelSelectorFromObject(spec.selector).matches(metadata.labels))
          .map(keyOf),
      onChange: (key) => this.#queue.add(key),
    });
    informers.pods().listen({
      onDelete: (pod) => {
        // A deployment that recreates waits for the last of them.
        const { namespace = '' } = pod.metadata;
        const reference = controllerOf(pod);
        const set =
          reference?.kind === 'ReplicaSet'
            ? informers.replicaSets().get(namespace, reference.name)
            : undefined;
        const owner = set && controllerOf(set);
        const key = owner && this.#keyOfReference(owner, namespace);
        const isRecreated =
          owner && informers.deployments().get(namespace, owner.name)?.spec.strategy.type === 'Recreate';
        if (key !== undefined && isRecreated) this.#queue.add(key);
      },
    });
    await this.#queue.done;
  }

  #keyOfReference({ kind, name, uid }: OwnerReference, namespace: string): string | undefined {
    if (kind !== 'Deployment') return undefined;
    const deployment = this.#context.informers.deployments().get(namespace, name);
    return deployment?.metadata.uid === uid ? `${namespace}/${name}` : undefined;
  }

  async #sync(namespace: string, name: string): Promise<void> {
    const { informers, clock } = this.#context;
    const deployment = informers.deployments().get(namespace, name);
    if (deployment === undefined) return;
    const selector = labelSelectorFromObject(deployment.spec.selector);
    if (selector.isEmpty) return this.#refuseSelector(deployment);
    const owner = ownerOf(deployment);
    const known = informers.replicaSets();
    const candidates = [...known.controlledBy(owner.uid), ...known.orphansIn(namespace)];
    const sets = await carryOutClaims(owner, decideClaims(owner, selector, candidates), {
      client: this.#context.client,
      signal: this.#context.signal,
      resource: replicaSets,
      ownerPath: resourcePath({ ...deployments, namespace, name }),
    });
    if (
      isRollbackRequested(deployment, this.#names) &&
      deployment.spec.paused !== true &&
      !owner.isBeingDeleted
    ) {
      return this.#rollBack(deployment, sets);
    }
    const plan = decideDeployment({
      deployment,
      sets,
      podsOf: ({ metadata }) => informers.pods().controlledBy(metadata.uid ?? ''),
      names: this.#names,
      nowMs: clock.nowMs(),
    });
    await this.#carryOut(deployment, plan);
  }

  async #carryOut(deployment: Deployment, { writes, updated, checkAfterMs }: DeploymentPlan): Promise<void> {
    for (const write of writes) await this.#write(deployment, write);
    if (updated !== undefined) await this.#putStatus(updated);
    if (checkAfterMs !== undefined) this.#queue.addAfter(keyOf(deployment), checkAfterMs);
  }

  async #write(deployment: Deployment, write: SetWrite): Promise<void> {
    const { client, signal } = this.#context;
    const { namespace, name = '' } = write.set.metadata;
    const path = resourcePath({ ...replicaSets, namespace, name });
    if (write.kind === 'create') await this.#create(deployment, write.set);
    else if (write.kind === 'update') {
      await client.send({ method: 'PUT', path, body: write.set, signal });
      this.#tellScale(deployment, write.set, write.scaledFrom);
    } else {
      try {
        await client.send({ method: 'DELETE', path, signal });
      } catch (error) {
        if (!isReason(error, 'NotFound')) throw error;
      }
    }
  }

  async #create(deployment: Deployment, set: ReplicaSet): Promise<void> {
    const { client, signal } = this.#context;
    const { namespace, name = '' } = set.metadata;
    try {
      const path = resourcePath({ ...replicaSets, namespace });
      await client.send({ method: 'POST', path, body: set, signal });
      this.#tellScale(deployment, set, 0);
    } catch (error) {
      if (isReason(error, 'AlreadyExists')) await this.#settleCollision(deployment, set);
      else {
        if (!isNamespaceTerminating(error)) await this.#tellFailure(deployment, name, error);
        throw error;
      }
    }
  }

  /** Somebody has the name: this deployment, seen too late, or another template with the same hash, which then gets another. */
  async #settleCollision(deployment: Deployment, set: ReplicaSet): Promise<void> {
    const { client, signal } = this.#context;
    const { namespace, name = '' } = set.metadata;
    const path = resourcePath({ ...replicaSets, namespace, name });
    const stored = await client.json<ReplicaSet>({ method: 'GET', path, signal });
    const isOurs = controllerOf(stored)?.uid === deployment.metadata.uid;
    if (isOurs && hasSameTemplate(stored.spec.template, deployment.spec.template)) return;
    const collisionCount = (deployment.status.collisionCount ?? 0) + 1;
    await this.#putStatus({ ...deployment, status: { ...deployment.status, collisionCount } });
    throw new Error(`replica set ${name} is of another template: collision ${collisionCount}`);
  }

  async #tellFailure(deployment: Deployment, name: string, error: unknown): Promise<void> {
    const message = `Failed to create new replica set "${name}": ${errorText(error)}`;
    const reason = 'ReplicaSetCreateError';
    if (progressDeadlineOf(deployment) !== undefined) {
      const condition = { type: 'Progressing', status: 'False', reason, message };
      const before = deployment.status.conditions ?? [];
      const conditions = withCondition(before, condition, this.#context.clock.nowMs());
      if (conditions !== before) {
        await this.#putStatus({
          ...deployment,
          status: { ...deployment.status, conditions: [...conditions] },
        });
      }
    }
    this.#record(deployment, 'Warning', reason, message);
  }

  #tellScale(deployment: Deployment, { metadata, spec }: ReplicaSet, from: number | undefined): void {
    const to = spec.replicas ?? 0;
    if (from === undefined || from === to) return;
    const message = `Scaled ${to > from ? 'up' : 'down'} replica set ${metadata.name} to ${to}`;
    this.#record(deployment, 'Normal', 'ScalingReplicaSet', message);
  }

  async #rollBack(deployment: Deployment, sets: readonly ReplicaSet[]): Promise<void> {
    const { client, signal } = this.#context;
    const { namespace, name } = deployment.metadata;
    const { updated, type, reason, message } = decideRollback(deployment, sets, this.#names);
    const path = resourcePath({ ...deployments, namespace, name });
    await client.send({ method: 'PUT', path, body: updated, signal });
    this.#record(deployment, type, reason, message);
  }

  async #refuseSelector(deployment: Deployment): Promise<void> {
    const message = 'This deployment is selecting all pods. A non-empty selector is required.';
    this.#record(deployment, 'Warning', 'SelectingAll', message);
    const { generation } = deployment.metadata;
    if ((deployment.status.observedGeneration ?? 0) >= (generation ?? 0)) return;
    await this.#putStatus({
      ...deployment,
      status: { ...deployment.status, observedGeneration: generation },
    });
  }

  async #putStatus(deployment: Deployment): Promise<void> {
    const { client, signal } = this.#context;
    const { namespace, name } = deployment.metadata;
    const path = resourcePath({ ...deployments, namespace, name, subresource: 'status' });
    try {
      await client.send({ method: 'PUT', path, body: deployment, signal });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error; // deleted meanwhile
    }
  }

  #record(deployment: Deployment, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#events.record(ownerOf(deployment), type, reason, message);
  }
}

function ownerOf({ metadata }: Deployment): Owner & { readonly resourceVersion: string | undefined } {
  const { namespace = '', name = '', uid = '', resourceVersion, deletionTimestamp } = metadata;
  const isBeingDeleted = Boolean(deletionTimestamp);
  return { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name, uid, resourceVersion, isBeingDeleted };
}
