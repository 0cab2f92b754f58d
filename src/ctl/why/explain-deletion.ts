import { asJsonObject, asList, asText } from '../../base/index.ts';
import { asRecords } from '../describe/report.ts';
import { timeMs } from '../pods/pod.ts';
import { formatAge } from '../printers/human-duration.ts';
import type { WireObject } from '../resource/api-object.ts';
import { conditionFact, conditionsOf, type Facts, type Finding, inNamespace, nameOf } from './finding.ts';

/** Why an object that is to be deleted is still there; nothing for others. */
export function explainDeletion(object: WireObject, facts: Facts): readonly Finding[] {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined) return [];
  const about = nameOf(object);
  const since = `metadata.deletionTimestamp, ${formatAge(deletionTimestamp, facts.nowMs)} ago`;
  const held = finalizers.map((finalizer) => explainFinalizer(object, finalizer, facts));
  const content = object.kind === 'Namespace' ? explainContent(object, facts.nowMs) : [];
  const found = [...held, ...content];
  if (found.length === 0 && object.kind === 'Pod') found.push(explainEnding(object, facts));
  return [
    ...found,
    { level: 'effect', about, reason: 'Terminating', message: 'is being deleted', fact: since },
  ];
}

function explainFinalizer(object: WireObject, finalizer: string, facts: Facts): Finding {
  const found = { level: 'cause', about: nameOf(object), fact: 'metadata.finalizers' } as const;
  const where = inNamespace(object);
  if (finalizer === 'foregroundDeletion') {
    const left = facts.related.filter(({ metadata }) =>
      (metadata.ownerReferences ?? []).some(
        ({ uid, blockOwnerDeletion }) => uid === object.metadata.uid && blockOwnerDeletion === true,
      ),
    );
    const [first] = left;
    const which = first === undefined ? 'what it owns' : `${left.map(nameOf).join(', ')}, which it owns`;
    return {
      ...found,
      reason: 'ForegroundDeletion',
      message: `goes after ${which}`,
      ...(first === undefined ? {} : { next: `ctl why ${nameOf(first)}${where}` }),
    };
  }
  if (finalizer.endsWith('/pvc-protection')) {
    const users = facts.related.filter((pod) => usesClaim(pod, object.metadata.name ?? ''));
    const which = users.length === 0 ? 'no pod uses it' : `${users.map(nameOf).join(', ')} no longer use it`;
    return { ...found, reason: 'ClaimInUse', message: `is kept until ${which}` };
  }
  if (finalizer.endsWith('/pv-protection')) {
    const claim = asJsonObject(asJsonObject(object.spec).claimRef);
    const message = `is kept while persistentvolumeclaim/${asText(claim.name)} is bound to it`;
    return { ...found, reason: 'VolumeInUse', message };
  }
  if (finalizer === 'orphan') {
    const message = 'waits for the garbage collector, which takes its name from what it owned';
    return { ...found, reason: 'Orphaning', message };
  }
  return {
    ...found,
    reason: 'Finalizer',
    message: `waits for the controller that has to take away the finalizer ${finalizer}; see whether that runs`,
    next: `ctl get ${nameOf(object)}${where} -o jsonpath={.metadata.finalizers}`,
  };
}

/** True for a pod with a volume of the claim. */
export function usesClaim(pod: WireObject, claim: string): boolean {
  return pod.kind === 'Pod' && claimsOf(pod).includes(claim);
}

/** Names of the claims that the volumes of a pod are from. */
export function claimsOf(pod: WireObject): readonly string[] {
  return asRecords(asJsonObject(pod.spec).volumes)
    .map(({ persistentVolumeClaim }) => asText(asJsonObject(persistentVolumeClaim).claimName))
    .filter(Boolean);
}

/** What the deletion of a namespace waits for, as its conditions say. */
function explainContent(namespace: WireObject, nowMs: number): readonly Finding[] {
  const about = nameOf(namespace);
  const found = conditionsOf(namespace)
    .filter(({ type, status }) => asText(type).startsWith('Namespace') && status === 'True')
    .map((condition): Finding => {
      const isDiscovery = condition.type === 'NamespaceDeletionDiscoveryFailure';
      return {
        level: 'cause',
        about,
        reason: asText(condition.reason),
        message: asText(condition.message),
        fact: conditionFact(condition, nowMs),
        ...(isDiscovery ? { next: 'ctl get apiservices' } : {}),
      };
    });
  const finalizers = asList(asJsonObject(namespace.spec).finalizers);
  if (found.length > 0 || finalizers.length === 0) return found;
  const message = `waits for ${finalizers.join(', ')}: the namespace controller has not told what is left`;
  return [{ level: 'cause', about, reason: 'Finalizer', message, fact: 'spec.finalizers' }];
}

/** A pod without finalizers goes when its agent says that it has ended. */
function explainEnding(pod: WireObject, { nowMs }: Facts): Finding {
  const node = asText(asJsonObject(pod.spec).nodeName);
  const isLate = timeMs(pod.metadata.deletionTimestamp) < nowMs;
  const message = isLate
    ? `should have ended, but the agent of node/${node} has not confirmed it`
    : 'has time to end until its grace period is over';
  return {
    level: 'cause',
    about: nameOf(pod),
    reason: isLate ? 'EndNotConfirmed' : 'GracePeriod',
    message,
    fact: `metadata.deletionGracePeriodSeconds is ${pod.metadata.deletionGracePeriodSeconds ?? 0}`,
    ...(isLate ? { next: `ctl why node/${node}` } : {}),
  };
}
