import { asJsonObject, asText, type JsonObject } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import type { WireObject } from '../resource/api-object.ts';
import type { RolloutKind } from './rollout-kinds.ts';

/** How far a rollout is, as a line for the user. */
export interface Progress {
  readonly text: string;
  readonly isDone: boolean;
}

/** What is judged: an object, and of deployments the revision that it must be at. */
export interface ProgressQuestion {
  readonly kind: RolloutKind;
  readonly object: WireObject;
  /** 0: any. */
  readonly revision: number;
  /** The annotation with the revision of a deployment. */
  readonly revisionKey: string;
}

/**
 * How far the rollout of an object is.
 *
 * @throws CtlError when it will not end: it is over its deadline, at another revision, or done by hand
 */
export function progressOf(question: ProgressQuestion): Progress {
  const { kind, object } = question;
  switch (kind) {
    case 'Deployment':
      return deploymentProgress(question);
    case 'DaemonSet':
      return daemonSetProgress(object);
    case 'StatefulSet':
      return statefulSetProgress(object);
  }
}

function deploymentProgress({ object, revision, revisionKey }: ProgressQuestion): Progress {
  const name = JSON.stringify(object.metadata.name);
  const running = object.metadata.annotations?.[revisionKey] ?? '0';
  if (revision > 0 && String(revision) !== running) {
    throw new CtlError(`desired revision (${revision}) is different from the running revision (${running})`);
  }
  const status = asJsonObject(object.status);
  if (!isObserved(object, status)) return waiting('Waiting for deployment spec update to be observed...');
  if (isOverDeadline(status)) throw new CtlError(`deployment ${name} exceeded its progress deadline`);
  const wanted = optionalNumber(asJsonObject(object.spec).replicas);
  const updated = number(status.updatedReplicas);
  const old = number(status.replicas) - updated;
  const available = number(status.availableReplicas);
  const head = `Waiting for deployment ${name} rollout to finish:`;
  if (wanted !== undefined && updated < wanted) {
    return waiting(`${head} ${updated} out of ${wanted} new replicas have been updated...`);
  }
  if (old > 0) return waiting(`${head} ${old} old replicas are pending termination...`);
  if (available < updated)
    return waiting(`${head} ${available} of ${updated} updated replicas are available...`);
  return done(`deployment ${name} successfully rolled out`);
}

function isOverDeadline({ conditions }: JsonObject): boolean {
  const list = Array.isArray(conditions) ? conditions.map(asJsonObject) : [];
  return list.find(({ type }) => type === 'Progressing')?.reason === 'ProgressDeadlineExceeded';
}

function daemonSetProgress(object: WireObject): Progress {
  requireRollingUpdate(object);
  const name = JSON.stringify(object.metadata.name);
  const status = asJsonObject(object.status);
  if (!isObserved(object, status)) return waiting('Waiting for daemon set spec update to be observed...');
  const wanted = number(status.desiredNumberScheduled);
  const updated = number(status.updatedNumberScheduled);
  const available = number(status.numberAvailable);
  const head = `Waiting for daemon set ${name} rollout to finish:`;
  if (updated < wanted) return waiting(`${head} ${updated} out of ${wanted} new pods have been updated...`);
  if (available < wanted) return waiting(`${head} ${available} of ${wanted} updated pods are available...`);
  return done(`daemon set ${name} successfully rolled out`);
}

function statefulSetProgress(object: WireObject): Progress {
  const rollingUpdate = requireRollingUpdate(object);
  const status = asJsonObject(object.status);
  if (number(status.observedGeneration) === 0 || !isObserved(object, status)) {
    return waiting('Waiting for statefulset spec update to be observed...');
  }
  const wanted = optionalNumber(asJsonObject(object.spec).replicas);
  const updated = number(status.updatedReplicas);
  const missing = (wanted ?? 0) - number(status.readyReplicas);
  if (wanted !== undefined && missing > 0) return waiting(`Waiting for ${missing} pods to be ready...`);
  if (rollingUpdate !== undefined) {
    const partition = optionalNumber(asJsonObject(rollingUpdate).partition);
    const above = (wanted ?? 0) - (partition ?? 0);
    return wanted !== undefined && partition !== undefined && updated < above
      ? waiting(
          `Waiting for partitioned roll out to finish: ${updated} out of ${above} new pods have been updated...`,
        )
      : done(`partitioned roll out complete: ${updated} new pods have been updated...`);
  }
  const next = asText(status.updateRevision);
  const current = asText(status.currentRevision);
  if (next !== current) {
    return waiting(
      `waiting for statefulset rolling update to complete ${updated} pods at revision ${next}...`,
    );
  }
  return done(
    `statefulset rolling update complete ${number(status.currentReplicas)} pods at revision ${current}...`,
  );
}

/** The settings of the strategy. @throws CtlError when pods are replaced by hand */
function requireRollingUpdate({ spec }: WireObject): unknown {
  const { type, rollingUpdate } = asJsonObject(asJsonObject(spec).updateStrategy);
  if (type === 'RollingUpdate') return rollingUpdate;
  throw new CtlError('rollout status is only available for RollingUpdate strategy type');
}

/** True when the controller has seen the object as it is now. */
function isObserved({ metadata }: WireObject, status: JsonObject): boolean {
  return (metadata.generation ?? 0) <= number(status.observedGeneration);
}

function number(value: unknown): number {
  return optionalNumber(value) ?? 0;
}

function optionalNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function waiting(text: string): Progress {
  return { text: `${text}\n`, isDone: false };
}

function done(text: string): Progress {
  return { text: `${text}\n`, isDone: true };
}
