import { podNodeMatcher, podQosClass, tolerates } from '../../apis/core/index.ts';
import type { ContainerPort, Pod } from '../../apis/types/core-v1.ts';
import { refuseSysctls } from '../container-config/index.ts';
import { appArmorHost } from '../host/index.ts';
import { checkAppArmor } from './check-apparmor.ts';
import type { Admission, AdmitPodOptions, PodRefusal, PodTerms } from './contract.ts';
import { criticality, type IsCritical } from './critical-pod.ts';
import { findShortages, type Shortage } from './fit-resources.ts';
import { choosePreempted, PreemptionError } from './preemption.ts';
import { podRequests, readAmount, readAmounts, withoutUnknownDevices } from './resource-amounts.ts';

/**
 * Decides whether a pod is run, after the rules of release 1.20, in their order. Pods that were admitted
 * together are to be asked for oldest first, each with those before it among the others.
 */
export function admitPod(options: AdmitPodOptions): Admission {
  const isCritical = criticality(options.isStatic);
  const early =
    refuseUnderPressure(options, isCritical) ?? refuseParameters(options) ?? refuseResources(options);
  if (early !== undefined) return { kind: 'refused', ...early };
  const shortages = shortagesFor(options);
  const mismatch = findMismatch(options);
  if (shortages.length > 0 && isCritical(options.pod) && mismatch === undefined) {
    return makeRoom(options, shortages, isCritical);
  }
  const [shortage] = isCritical(options.pod) ? [] : shortages;
  if (shortage !== undefined) return { kind: 'refused', ...describeShortage(shortage) };
  if (mismatch !== undefined) {
    return { kind: 'refused', ...refusal(mismatch, `Predicate ${mismatch} failed`) };
  }
  return { kind: 'admitted', preempts: [], terms: termsFor(options) };
}

function termsFor({ config, dialect, appArmor: host = appArmorHost() }: AdmitPodOptions): PodTerms {
  const { AppArmor: isOn, EphemeralContainers: runsEphemeral } = config.features;
  return { findBlock: (pod) => checkAppArmor(pod, { isOn, host, dialect }), runsEphemeral };
}

function refuseParameters({ pod, config }: AdmitPodOptions): PodRefusal | undefined {
  if (!config.features.Sysctls) return undefined;
  const refused = refuseSysctls(pod, config.allowedUnsafeSysctls);
  return refused && refusal(refused.reason, refused.message);
}

function refuseResources({ resourceRefusal: refused }: AdmitPodOptions): PodRefusal | undefined {
  return refused && refusal(refused.reason, refused.message);
}

function shortagesFor({ pod, others, node, config, dialect }: AdmitPodOptions): Shortage[] {
  const rules = { features: config.features, dialect };
  const allocatable = readAmounts(node.allocatable, rules);
  const desired = withoutUnknownDevices(pod, allocatable, dialect);
  return findShortages(podRequests(desired, rules), {
    allocatable,
    taken: others.map((other) => podRequests(other, rules)),
    maxPods: readAmount('pods', node.allocatable.pods ?? '0'),
  });
}

/** What of the node does not fit the pod, other than resources, as release 1.20 names it. */
function findMismatch({ pod, others, node }: AdmitPodOptions): string | undefined {
  if (podNodeMatcher(pod)?.(node) === false) return 'NodeAffinity';
  const { nodeName } = pod.spec;
  if (nodeName && nodeName !== node.name) return 'NodeName';
  return hasPortConflict(pod, others) ? 'NodePorts' : undefined;
}

function describeShortage({ resource, requested, used, capacity }: Shortage): PodRefusal {
  const amounts = `requested: ${requested}, used: ${used}, capacity: ${capacity}`;
  return refusal(`OutOf${resource}`, `Node didn't have enough resource: ${resource}, ${amounts}`);
}

/** Critical pods are not refused for want of resources: others end. */
function makeRoom(
  options: AdmitPodOptions,
  shortages: readonly Shortage[],
  isCritical: IsCritical,
): Admission {
  const { pod, others, config, dialect } = options;
  const rules = { features: config.features, dialect };
  try {
    const preempts = choosePreempted(shortages, { pod, others, isCritical, ...rules });
    return { kind: 'admitted', preempts, shortage: shortages[0]?.resource, terms: termsFor(options) };
  } catch (error) {
    if (!(error instanceof PreemptionError)) throw error;
    const text = `Unexpected error while attempting to recover from admission failure: ${error.message}`;
    return { kind: 'refused', ...refusal('UnexpectedAdmissionError', text) };
  }
}

/**
 * Refuses what a node under pressure cannot take: short of memory only pods that ask for nothing, otherwise all but
 * critical ones.
 */
function refuseUnderPressure(
  { pod, node, dialect }: AdmitPodOptions,
  isCritical: IsCritical,
): PodRefusal | undefined {
  const { memory, disk, pid } = node.pressure;
  if (!(memory || disk || pid) || isCritical(pod)) return undefined;
  if (memory && !disk && !pid) {
    const taint = { key: dialect.domain('node', 'memory-pressure'), effect: 'NoSchedule' };
    const isTolerated = (pod.spec.tolerations ?? []).some((toleration) => tolerates(toleration, taint));
    if (isTolerated || podQosClass(pod.spec) !== 'BestEffort') return undefined;
  }
  const conditions = [
    ...(memory ? ['MemoryPressure'] : []),
    ...(disk ? ['DiskPressure'] : []),
    ...(pid ? ['PIDPressure'] : []),
  ];
  return refusal('Evicted', `The node had condition: [${conditions.join(' ')}]. `);
}

/** A refusal with its text as event and as status have it. */
function refusal(reason: string, message: string): PodRefusal {
  return { reason, message, statusMessage: `Pod ${message}` };
}

const anyAddress = '0.0.0.0';

/** Whether a port of the node that the pod wants is taken by another pod. */
function hasPortConflict(pod: Pod, others: readonly Pod[]): boolean {
  const desired = hostPorts(pod);
  if (desired.length === 0) return false;
  const taken = new Map<string, string[]>();
  for (const port of others.flatMap(hostPorts)) {
    const key = keyOf(port);
    taken.set(key, [...(taken.get(key) ?? []), addressOf(port)]);
  }
  return desired.some((port) => {
    const address = addressOf(port);
    const addresses = taken.get(keyOf(port)) ?? [];
    return addresses.some((other) => other === address || other === anyAddress || address === anyAddress);
  });
}

function hostPorts({ spec }: Pod): ContainerPort[] {
  return (spec.containers ?? [])
    .flatMap(({ ports }) => ports ?? [])
    .filter(({ hostPort = 0 }) => hostPort > 0);
}

const keyOf = ({ protocol, hostPort }: ContainerPort): string => `${protocol || 'TCP'} ${hostPort}`;
const addressOf = ({ hostIP }: ContainerPort): string => hostIP || anyAddress;
