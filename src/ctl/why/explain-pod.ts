import { asJsonObject, asText } from '../../base/index.ts';
import { asRecords, type Fields } from '../describe/report.ts';
import type { WireObject } from '../resource/api-object.ts';
import { claimsOf, explainDeletion } from './explain-deletion.ts';
import { explainClaim, explainNode } from './explain-parts.ts';
import {
  conditionFact,
  conditionOf,
  detailsOf,
  eventFact,
  eventTimeMs,
  type Facts,
  type Finding,
  inNamespace,
  nameOf,
  warningsAbout,
} from './finding.ts';

/** Older warnings say nothing of how a pod is now. */
const recentMs = 3600 * 1000;

/** Why a pod is not scheduled, not started, not ready or not gone. */
export function explainPod(pod: WireObject, facts: Facts): readonly Finding[] {
  const { phase } = asJsonObject(pod.status);
  const deletion = explainDeletion(pod, facts);
  if (phase === 'Succeeded' || conditionOf(pod, 'Ready')?.status === 'True') return deletion;
  const { nodeName } = asJsonObject(pod.spec);
  if (asText(nodeName) === '') return [...deletion, ...explainUnscheduled(pod, facts)];
  const node = facts.related.find(({ kind, metadata }) => kind === 'Node' && metadata.name === nodeName);
  const found = [
    ...deletion,
    ...(node === undefined ? [] : explainNode(node, facts).filter(({ level }) => level !== 'note')),
    ...explainContainers(pod, facts),
    ...explainGates(pod),
    ...explainFailure(pod),
  ];
  return found.length > 0 ? found : [explainSilence(pod, facts)];
}

function explainUnscheduled(pod: WireObject, facts: Facts): readonly Finding[] {
  const claims = facts.related
    .filter(
      ({ kind, metadata }) => kind === 'PersistentVolumeClaim' && claimsOf(pod).includes(metadata.name ?? ''),
    )
    .flatMap((claim) => explainClaim(claim, facts));
  const missing = facts.unread.some(({ type }) => type === 'persistentvolumeclaims')
    ? []
    : claimsOf(pod).filter(
        (name) =>
          !facts.related.some(
            ({ kind, metadata }) => kind === 'PersistentVolumeClaim' && metadata.name === name,
          ),
      );
  const about = nameOf(pod);
  const condition = conditionOf(pod, 'PodScheduled');
  const { schedulerName } = asJsonObject(pod.spec);
  return [
    ...claims,
    ...missing.map(
      (name): Finding => ({
        level: 'cause',
        about,
        reason: 'ClaimNotFound',
        message: `has a volume of persistentvolumeclaim/${name}, which is not there`,
        fact: 'spec.volumes',
      }),
    ),
    condition?.status === 'False'
      ? {
          level: 'cause',
          about,
          reason: asText(condition.reason) || 'Unschedulable',
          message: `is not scheduled: ${asText(condition.message)}`,
          fact: conditionFact(condition, facts.nowMs),
          next: 'ctl describe nodes',
        }
      : {
          level: 'cause',
          about,
          reason: 'NotScheduled',
          message: `waits for the scheduler ${asText(schedulerName)}, which has not said anything of it`,
          fact: 'spec.nodeName is not set',
        },
  ];
}

/** Containers for the start come first: the others wait for them. */
function explainContainers(pod: WireObject, facts: Facts): readonly Finding[] {
  const status = asJsonObject(pod.status);
  const init = asRecords(status.initContainerStatuses).map((container) => ({
    container,
    list: 'initContainerStatuses',
  }));
  const main = asRecords(status.containerStatuses).map((container) => ({
    container,
    list: 'containerStatuses',
  }));
  return [...init, ...main].flatMap(({ container, list }) => {
    const found = explainContainer(pod, container, facts);
    const field = `status.${list}[${asText(container.name)}]`;
    return found === undefined ? [] : [{ ...found, about: nameOf(pod), fact: found.fact || field }];
  });
}

type Partial = Omit<Finding, 'about'>;

function explainContainer(pod: WireObject, container: Fields, facts: Facts): Partial | undefined {
  const name = asText(container.name);
  const { waiting, running, terminated } = asJsonObject(container.state);
  if (waiting !== undefined) return explainWaiting(pod, container, facts);
  if (terminated !== undefined) {
    const { exitCode } = asJsonObject(terminated);
    if (exitCode === 0) return undefined;
    const message = `container ${name} ended ${endOf(asJsonObject(terminated))}`;
    const next = `ctl logs ${nameOf(pod)}${inNamespace(pod)} -c ${name}`;
    return {
      level: 'cause',
      reason: asText(asJsonObject(terminated).reason) || 'Error',
      message,
      fact: '',
      next,
    };
  }
  if (running === undefined || container.ready === true) return undefined;
  const probe = warningsAbout(pod, facts).find(
    ({ reason, involvedObject }) =>
      reason === 'Unhealthy' && asText(asJsonObject(involvedObject).fieldPath).includes(`{${name}}`),
  );
  return {
    level: 'cause',
    reason: probe === undefined ? 'NotReady' : 'Unhealthy',
    message: `container ${name} runs and is not ready${probe === undefined ? '' : `: ${asText(probe.message)}`}`,
    fact: probe === undefined ? '' : eventFact(probe, facts.nowMs),
    next: `ctl logs ${nameOf(pod)}${inNamespace(pod)} -c ${name}`,
  };
}

function explainWaiting(pod: WireObject, container: Fields, facts: Facts): Partial | undefined {
  const waiting = asJsonObject(asJsonObject(container.state).waiting);
  const name = asText(container.name);
  const reason = asText(waiting.reason);
  const where = inNamespace(pod);
  const found = { level: 'cause', reason, fact: '' } as const;
  if (reason === 'PodInitializing') return undefined;
  if (reason === 'ContainerCreating' || reason === '') {
    const event = recentWarning(pod, facts);
    const message = `container ${name} is not made yet${event === undefined ? '' : `: ${asText(event.message)}`}`;
    if (event === undefined) return { ...found, level: 'effect', reason: 'ContainerCreating', message };
    return { ...found, reason: asText(event.reason), message, fact: eventFact(event, facts.nowMs) };
  }
  if (reason === 'CrashLoopBackOff') {
    const last = asJsonObject(asJsonObject(container.lastState).terminated);
    return {
      ...found,
      message: `container ${name} ends again and again (${container.restartCount ?? 0} restarts), last time ${endOf(last)}`,
      next: `ctl logs ${nameOf(pod)}${where} -c ${name} --previous`,
    };
  }
  const isImage = /Image/.test(reason);
  return {
    ...found,
    message: `container ${name} waits${isImage ? ` for its image ${asText(container.image)}` : ''}: ${detailsOf(waiting)}`,
    ...(isImage ? { next: `ctl describe ${nameOf(pod)}${where}` } : {}),
  };
}

/** `with exit code 137 (OOMKilled: beyond its memory limit)`. */
function endOf({ exitCode, reason, message }: Fields): string {
  const why = reason === 'OOMKilled' ? 'OOMKilled: it took more memory than its limit' : asText(reason);
  const details = [why, asText(message)].filter(Boolean).join(': ');
  return `with exit code ${exitCode ?? 'unknown'}${details === '' ? '' : ` (${details})`}`;
}

function explainGates(pod: WireObject): readonly Finding[] {
  return asRecords(asJsonObject(pod.spec).readinessGates)
    .map(({ conditionType }) => asText(conditionType))
    .filter((type) => conditionOf(pod, type)?.status !== 'True')
    .map((type) => ({
      level: 'cause',
      about: nameOf(pod),
      reason: 'ReadinessGate',
      message: `waits for the condition ${type}, which somebody else has to set`,
      fact: 'spec.readinessGates',
    }));
}

function explainFailure(pod: WireObject): readonly Finding[] {
  const status = asJsonObject(pod.status);
  if (status.phase !== 'Failed') return [];
  const details = detailsOf(status);
  const message = details === '' ? 'has failed' : `has failed: ${details}`;
  const reason = asText(status.reason) || 'Failed';
  return [
    {
      level: details === '' ? 'effect' : 'cause',
      about: nameOf(pod),
      reason,
      message,
      fact: 'status.phase is Failed',
    },
  ];
}

/** A pod on a node of which nothing else is known. */
function explainSilence(pod: WireObject, facts: Facts): Finding {
  const about = nameOf(pod);
  const event = recentWarning(pod, facts);
  if (event !== undefined) {
    const { reason, message } = event;
    const fact = eventFact(event, facts.nowMs);
    return { level: 'cause', about, reason: asText(reason), message: asText(message), fact };
  }
  const node = asText(asJsonObject(pod.spec).nodeName);
  return {
    level: 'cause',
    about,
    reason: 'NotStarted',
    message: `is assigned to node/${node}, whose agent has not reported its containers as ready`,
    fact: `status.phase is ${asText(asJsonObject(pod.status).phase) || 'not set'}`,
    next: `ctl why node/${node}`,
  };
}

function recentWarning(pod: WireObject, facts: Facts): Fields | undefined {
  const [newest] = warningsAbout(pod, facts);
  return newest !== undefined && facts.nowMs - eventTimeMs(newest) < recentMs ? newest : undefined;
}
