import { asJsonObject, asText } from '../../base/index.ts';
import type { WireObject } from '../resource/api-object.ts';
import {
  conditionFact,
  conditionOf,
  conditionsOf,
  detailsOf,
  eventFact,
  type Facts,
  type Finding,
  inNamespace,
  nameOf,
  warningsAbout,
} from './finding.ts';

/** Types of conditions that say that something works. */
const good = new Set([
  'Ready',
  'Available',
  'Established',
  'NamesAccepted',
  'Healthy',
  'AbleToScale',
  'ScalingActive',
]);
/** Types of conditions that say that something does not. */
const bad = /^(Failed|Degraded|Stalled|ReplicaFailure|NetworkUnavailable|NonStructuralSchema|\w+Pressure)$/;

/** What the conditions of an object of any type say. */
export function explainConditions(object: WireObject, { nowMs }: Facts): readonly Finding[] {
  return conditionsOf(object)
    .filter(({ type, status }) =>
      good.has(asText(type)) ? status !== 'True' : bad.test(asText(type)) && status === 'True',
    )
    .map((condition) => {
      const { type, status, reason } = condition;
      const word = status === 'True' ? `has ${asText(type)}` : `is not ${asText(type)}`;
      const details = detailsOf(condition);
      return {
        level: 'cause',
        about: nameOf(object),
        reason: asText(reason) || asText(type),
        message: details === '' ? word : `${word}: ${details}`,
        fact: conditionFact(condition, nowMs),
      };
    });
}

/** Why pods cannot run on a node. */
export function explainNode(node: WireObject, facts: Facts): readonly Finding[] {
  const about = nameOf(node);
  const found: Finding[] = [...explainConditions(node, facts)];
  if (conditionOf(node, 'Ready') === undefined) {
    const message = 'has never been reported as ready: no agent runs under its name';
    found.push({ level: 'cause', about, reason: 'NeverReady', message, fact: 'no condition Ready' });
  }
  if (asJsonObject(node.spec).unschedulable === true) {
    found.push({
      level: 'note',
      about,
      reason: 'Cordoned',
      message: 'takes no new pods',
      fact: 'spec.unschedulable is true',
      next: `ctl uncordon ${node.metadata.name}`,
    });
  }
  return found;
}

/** Why a claim has no volume. */
export function explainClaim(claim: WireObject, facts: Facts): readonly Finding[] {
  const phase = asText(asJsonObject(claim.status).phase);
  if (phase === 'Bound') return [];
  const about = nameOf(claim);
  const fact = `status.phase is ${phase || 'not set'}`;
  if (phase === 'Lost') {
    const message = `has lost its volume ${asText(asJsonObject(claim.spec).volumeName)}`;
    return [{ level: 'cause', about, reason: 'Lost', message, fact }];
  }
  const [event] = warningsAbout(claim, facts);
  const storageClass = asText(asJsonObject(claim.spec).storageClassName);
  const wanted = storageClass === '' ? 'and names no storage class' : `of storage class ${storageClass}`;
  return [
    {
      level: 'cause',
      about,
      reason: asText(event?.reason) || 'Unbound',
      message: `is bound to no volume ${wanted}${event === undefined ? '' : `: ${asText(event.message)}`}`,
      fact: event === undefined ? fact : eventFact(event, facts.nowMs),
      next: `ctl describe pvc ${claim.metadata.name}${inNamespace(claim)}`,
    },
  ];
}

/** Why a budget lets no pod go. */
export function explainBudget(budget: WireObject): readonly Finding[] {
  const { disruptionsAllowed, currentHealthy, desiredHealthy } = asJsonObject(budget.status);
  if (disruptionsAllowed !== 0) return [];
  return [
    {
      level: 'note',
      about: nameOf(budget),
      reason: 'NoDisruptionsAllowed',
      message: `allows no eviction: ${currentHealthy ?? 0} pods are healthy, ${desiredHealthy ?? 0} must be`,
      fact: 'status.disruptionsAllowed is 0',
    },
  ];
}
