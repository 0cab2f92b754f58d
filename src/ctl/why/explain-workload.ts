import { asJsonObject, asText } from '../../base/index.ts';
import type { WireObject } from '../resource/api-object.ts';
import { explainDeletion } from './explain-deletion.ts';
import { explainPod } from './explain-pod.ts';
import {
  conditionFact,
  conditionOf,
  detailsOf,
  eventFact,
  type Facts,
  type Finding,
  inNamespace,
  nameOf,
  ownedBy,
  warningsAbout,
} from './finding.ts';

/** Why a deployment is not rolled out: down to replica sets, pods and containers. */
export function explainDeployment(deployment: WireObject, facts: Facts): readonly Finding[] {
  const about = nameOf(deployment);
  const where = inNamespace(deployment);
  const found: Finding[] = [...explainDeletion(deployment, facts), ...explainGeneration(deployment)];
  const progressing = conditionOf(deployment, 'Progressing');
  if (progressing?.status === 'False') {
    found.push({
      level: 'effect',
      about,
      reason: asText(progressing.reason),
      message: `makes no progress: ${detailsOf(progressing)}`,
      fact: conditionFact(progressing, facts.nowMs),
      next: `ctl rollout status ${about}${where}`,
    });
  }
  const { replicas = 0, updatedReplicas = 0 } = asJsonObject(deployment.status);
  if (asJsonObject(deployment.spec).paused === true) {
    found.push({
      level: updatedReplicas === replicas ? 'note' : 'cause',
      about,
      reason: 'Paused',
      message: 'is paused: changes of its template are not rolled out',
      fact: 'spec.paused is true',
      next: `ctl rollout resume ${about}${where}`,
    });
  }
  const sets = ownedBy(deployment, 'ReplicaSet', facts).filter(
    ({ spec }) => asJsonObject(spec).replicas !== 0,
  );
  const below = sets.flatMap((set) => explainPods(set, facts));
  return [...found, ...below, ...explainCount(deployment, 'availableReplicas')];
}

/** Why a replica set, a stateful set or a replication controller has too few pods. */
export function explainReplicas(object: WireObject, facts: Facts): readonly Finding[] {
  return [
    ...explainDeletion(object, facts),
    ...explainGeneration(object),
    ...explainPods(object, facts),
    ...explainCount(object, 'readyReplicas'),
  ];
}

/** Why a daemon set does not run on all of its nodes. */
export function explainDaemonSet(object: WireObject, facts: Facts): readonly Finding[] {
  const { desiredNumberScheduled: desired = 0, numberReady: ready = 0 } = asJsonObject(object.status);
  const about = nameOf(object);
  const found = [
    ...explainDeletion(object, facts),
    ...explainGeneration(object),
    ...explainPods(object, facts),
  ];
  if (desired === 0) {
    const message = 'wants pods on no node: none fits, or its controller has not looked yet';
    const fact = 'status.desiredNumberScheduled is 0';
    found.push({ level: 'note', about, reason: 'NoNodes', message, fact });
  } else if (Number(ready) < Number(desired)) {
    const message = `has ${ready} of ${desired} pods ready`;
    found.push({ level: 'effect', about, reason: 'NotReady', message, fact: 'status.numberReady' });
  }
  return found;
}

/** Why a job has failed, or does not come to its end. */
export function explainJob(job: WireObject, facts: Facts): readonly Finding[] {
  const deletion = explainDeletion(job, facts);
  if (conditionOf(job, 'Complete')?.status === 'True') return deletion;
  const failed = conditionOf(job, 'Failed');
  if (failed?.status !== 'True') return [...deletion, ...explainPods(job, facts)];
  return [
    ...deletion,
    ...explainPods(job, facts),
    {
      level: 'effect',
      about: nameOf(job),
      reason: asText(failed.reason) || 'Failed',
      message: `has failed: ${detailsOf(failed)}`,
      fact: conditionFact(failed, facts.nowMs),
      next: `ctl logs ${nameOf(job)}${inNamespace(job)}`,
    },
  ];
}

/** Why a cron job starts nothing. */
export function explainCronJob(object: WireObject, facts: Facts): readonly Finding[] {
  const about = nameOf(object);
  const found = [
    ...explainDeletion(object, facts),
    ...ownedBy(object, 'Job', facts).flatMap((job) => explainJob(job, facts)),
  ];
  if (asJsonObject(object.spec).suspend !== true) return found;
  const message = 'is suspended: no jobs are started';
  const next = `ctl patch ${about}${inNamespace(object)} -p '{"spec":{"suspend":false}}'`;
  return [
    ...found,
    { level: 'cause', about, reason: 'Suspended', message, fact: 'spec.suspend is true', next },
  ];
}

/** Why pods are not made, and what is wrong with those that are there. */
function explainPods(owner: WireObject, facts: Facts): readonly Finding[] {
  const pods = ownedBy(owner, 'Pod', facts);
  const wanted = asJsonObject(owner.spec).replicas ?? asJsonObject(owner.status).desiredNumberScheduled;
  const isShort = wanted === undefined ? pods.length === 0 : pods.length < Number(wanted);
  const found = pods.flatMap((pod) => explainPod(pod, facts));
  const refusal = isShort ? findRefusal(owner, facts) : undefined;
  if (refusal === undefined) return found;
  return [
    {
      level: 'cause',
      about: nameOf(owner),
      reason: 'FailedCreate',
      message: `cannot make pods: ${refusal.message}`,
      fact: refusal.fact,
      ...adviceOn(refusal.message, inNamespace(owner)),
    },
    ...found,
  ];
}

/** The last refusal of a pod: events are forgotten after a while, and conditions are not on all types. */
function findRefusal(owner: WireObject, facts: Facts) {
  const condition = conditionOf(owner, 'ReplicaFailure');
  if (condition?.status === 'True') {
    return { message: asText(condition.message), fact: conditionFact(condition, facts.nowMs) };
  }
  const event = warningsAbout(owner, facts).find(({ reason }) => reason === 'FailedCreate');
  return event && { message: asText(event.message), fact: eventFact(event, facts.nowMs) };
}

/** What to look at after the server refused a pod. */
function adviceOn(message: string, where: string): { readonly next?: string } {
  if (message.includes('exceeded quota')) return { next: `ctl describe quota${where}` };
  if (message.includes('webhook')) {
    return { next: 'ctl get mutatingwebhookconfigurations,validatingwebhookconfigurations' };
  }
  return message.includes('serviceaccount') ? { next: `ctl get serviceaccounts${where}` } : {};
}

function explainGeneration(object: WireObject): readonly Finding[] {
  const { observedGeneration } = asJsonObject(object.status);
  const { generation = 0 } = object.metadata;
  if (Number(observedGeneration ?? 0) >= generation) return [];
  const message = 'has a change that its controller has not seen yet; see whether the controllers run';
  const fact = `status.observedGeneration is ${observedGeneration ?? 'not set'}, metadata.generation is ${generation}`;
  return [{ level: 'cause', about: nameOf(object), reason: 'NotObserved', message, fact }];
}

function explainCount(object: WireObject, field: string): readonly Finding[] {
  const about = nameOf(object);
  const wanted = Number(asJsonObject(object.spec).replicas ?? 1);
  if (wanted === 0) {
    const next = `ctl scale ${about}${inNamespace(object)} --replicas=1`;
    return [
      {
        level: 'note',
        about,
        reason: 'ScaledToZero',
        message: 'wants no pods',
        fact: 'spec.replicas is 0',
        next,
      },
    ];
  }
  const there = Number(asJsonObject(object.status)[field] ?? 0);
  if (there >= wanted) return [];
  const word = field === 'availableReplicas' ? 'available' : 'ready';
  const message = `has ${there} of ${wanted} pods ${word}`;
  return [{ level: 'effect', about, reason: 'NotReady', message, fact: `status.${field}` }];
}
