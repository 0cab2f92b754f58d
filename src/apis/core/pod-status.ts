import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  internalFieldError,
  invalidValue,
} from '../../machinery/errors/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type { ContainerStatus, Pod } from '../types/core-v1.ts';
import { isQualifiedName, isValidIp, nameIsDnsSubdomain, renderGo } from '../validation/index.ts';
import { checkPodAnnotations, checkPodAnnotationUpdates } from './pod-spec/index.ts';
import { familyOf } from './service-addresses.ts';

const statusPath = fieldPath('status');
const podIpsPath = statusPath.child('podIPs');
const annotationsPath = fieldPath('metadata', 'annotations');
const conditionsPath = fieldPath('metadata', 'conditions');
const systemConditions: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** Keeps what the status subresource may not change: the spec, the owners and the deletion. */
export function preparePodStatusUpdate(pod: Pod, old: Pod): void {
  pod.spec = old.spec;
  pod.metadata.deletionTimestamp = old.metadata.deletionTimestamp;
  pod.metadata.ownerReferences = old.metadata.ownerReferences;
}

/** All errors of a new status of a pod, in release 1.20's order. */
export function validatePodStatusUpdate(pod: Pod, old: Pod, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  const { status, metadata } = pod;
  checkPodAnnotationUpdates(errors, metadata.annotations, old.metadata.annotations, annotationsPath, context);
  checkPodAnnotations(errors, metadata.annotations, pod.spec, annotationsPath, context);
  for (const [position, { type }] of (status.conditions ?? []).entries()) {
    if (systemConditions.has(type)) continue;
    reportInvalid(errors, conditionsPath.index(position).child('Type'), type, isQualifiedName(type));
  }
  if ((pod.spec.nodeName ?? '') !== (old.spec.nodeName ?? '')) {
    errors.push(forbiddenField(statusPath.child('nodeName'), 'may not be changed directly'));
  }
  const nominated = status.nominatedNodeName;
  if (nominated && nominated !== old.status.nominatedNodeName) {
    reportInvalid(
      errors,
      statusPath.child('nominatedNodeName'),
      nominated,
      nameIsDnsSubdomain(nominated, false),
    );
  }
  for (const list of ['containerStatuses', 'initContainerStatuses'] as const) {
    checkTransitions(errors, status[list], old.status[list], statusPath.child(list), old.spec.restartPolicy);
  }
  const addressErrors = checkPodIps(pod, context);
  // Addresses that were wrong before may stay so.
  if (addressErrors.length > 0 && checkPodIps(old, context).length === 0) errors.push(...addressErrors);
  return errors;
}

/** A container that ended for good may not come back to life. */
function checkTransitions(
  errors: FieldError[],
  statuses: readonly ContainerStatus[] | undefined,
  old: readonly ContainerStatus[] | undefined,
  path: FieldPath,
  restartPolicy: string | undefined,
): void {
  if (restartPolicy === 'Always') return;
  for (const [position, before] of (old ?? []).entries()) {
    const ended = before.state.terminated;
    if (!ended || (ended.exitCode !== 0 && restartPolicy === 'OnFailure')) continue;
    for (const after of statuses ?? []) {
      if (after.name !== before.name || after.state.terminated) continue;
      const at = path.index(position).child('state');
      errors.push(forbiddenField(at, 'may not be transitioned to non-terminated state'));
    }
  }
}

function checkPodIps(pod: Pod, { catalog }: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  const addresses = pod.status.podIPs ?? [];
  const ips = addresses.map(({ ip = '' }) => ip);
  for (const [position, ip] of ips.entries()) {
    reportInvalid(errors, podIpsPath.index(position), ip, isValidIp(ip));
  }
  if (ips.length < 2) return errors;
  const families = new Set(ips.map(familyOf));
  const hasInvalid = families.has(undefined);
  if (hasInvalid) {
    errors.push(
      internalFieldError(podIpsPath, 'failed to check for dual stack with error:ip <nil> is invalid'),
    );
  }
  if (families.size !== 2 || hasInvalid || ips.length > 2) {
    const detail = 'may specify no more than one IP for each IP family';
    errors.push(invalidValue(podIpsPath, renderGo(addresses, 'list<v1.PodIP>', catalog), detail));
  }
  const seen = new Set<string>();
  for (const [position, ip] of ips.entries()) {
    const shown = renderGo(addresses[position], 'v1.PodIP', catalog);
    if (seen.has(ip)) errors.push(duplicate(podIpsPath.index(position), shown));
    seen.add(ip);
  }
  return errors;
}
