import { addAll } from '../../../base/index.ts';
import { type FieldError, type FieldPath, invalidValue } from '../../../machinery/errors/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import { reportInvalid, requireOneOf } from '../../reporting.ts';
import type { PodSpec } from '../../types/core-v1.ts';
import {
  isDns1123Label,
  isQualifiedName,
  nameIsDnsSubdomain,
  rangeMessage,
  validateLabels,
} from '../../validation/index.ts';
import allowed from './allowed-values.json' with { type: 'json' };
import {
  type ContainerSurroundings,
  checkContainers,
  checkEphemeralContainers,
  checkInitContainers,
} from './containers.ts';
import { checkDnsConfig, checkHostAliases } from './name-resolution.ts';
import { checkAffinity, checkTopologySpread } from './placement.ts';
import { checkPodSecurity } from './pod-security.ts';
import { checkResources } from './resource-requirements.ts';
import { checkTolerations } from './tolerations.ts';
import { checkVolumes } from './volumes.ts';

const maxInt32 = 2_147_483_647;

/** All errors of a pod's spec, in release 1.20's order. `podName` is unknown in templates. */
export function checkPodSpec(
  errors: FieldError[],
  spec: PodSpec,
  path: FieldPath,
  options: { readonly podName: string | undefined; readonly context: RuleContext },
): void {
  const { context } = options;
  const volumes = checkVolumes(errors, spec.volumes ?? [], path.child('volumes'), options);
  checkAllContainers(errors, spec, path, { volumes, context });
  requireOneOf(errors, path.child('restartPolicy'), spec.restartPolicy, allowed.restartPolicy);
  requireOneOf(errors, path.child('dnsPolicy'), spec.dnsPolicy, allowed.dnsPolicy);
  if (spec.nodeSelector) addAll(errors, validateLabels(spec.nodeSelector, path.child('nodeSelector')));
  checkPodSecurity(errors, spec, path, context);
  if (spec.affinity) checkAffinity(errors, spec.affinity, path.child('affinity'));
  checkDnsConfig(errors, spec, path.child('dnsConfig'));
  checkReadinessGates(errors, spec, path);
  if (spec.topologySpreadConstraints) {
    checkTopologySpread(errors, spec.topologySpreadConstraints, path.child('topologySpreadConstraints'));
  }
  checkScheduling(errors, spec, path, context);
  if (spec.overhead) checkResources(errors, { limits: spec.overhead }, path.child('overhead'), context);
}

function checkAllContainers(
  errors: FieldError[],
  spec: PodSpec,
  path: FieldPath,
  surroundings: ContainerSurroundings,
): void {
  const containers = spec.containers ?? [];
  checkContainers(errors, containers, path.child('containers'), surroundings);
  if (spec.initContainers) {
    const initPath = path.child('initContainers');
    checkInitContainers(errors, spec.initContainers, containers, initPath, surroundings);
  }
  if (spec.ephemeralContainers) {
    checkEphemeralContainers(errors, spec, path.child('ephemeralContainers'), surroundings);
  }
}

function checkReadinessGates(errors: FieldError[], spec: PodSpec, path: FieldPath): void {
  for (const [position, { conditionType }] of (spec.readinessGates ?? []).entries()) {
    const at = path.child('readinessGates').index(position).child('conditionType');
    reportInvalid(errors, at, conditionType, isQualifiedName(conditionType));
  }
}

/** Errors of the names and numbers that decide where and how long a pod runs. */
function checkScheduling(errors: FieldError[], spec: PodSpec, path: FieldPath, context: RuleContext): void {
  checkName(errors, spec.serviceAccountName, 'serviceAccountName', path);
  checkName(errors, spec.nodeName, 'nodeName', path);
  const seconds = spec.activeDeadlineSeconds;
  if (seconds !== undefined && (seconds < 1 || seconds > maxInt32)) {
    errors.push(invalidValue(path.child('activeDeadlineSeconds'), seconds, rangeMessage(1, maxInt32)));
  }
  for (const field of ['hostname', 'subdomain'] as const) {
    const name = spec[field];
    if (name) reportInvalid(errors, path.child(field), name, isDns1123Label(name));
  }
  if (spec.tolerations) checkTolerations(errors, spec.tolerations, path.child('tolerations'), context);
  if (spec.hostAliases) checkHostAliases(errors, spec.hostAliases, path.child('hostAliases'));
  checkName(errors, spec.priorityClassName, 'priorityClassName', path);
  const runtimeClass = spec.runtimeClassName;
  if (runtimeClass !== undefined) {
    reportInvalid(
      errors,
      path.child('runtimeClassName'),
      runtimeClass,
      nameIsDnsSubdomain(runtimeClass, false),
    );
  }
  if (spec.preemptionPolicy !== undefined) {
    requireOneOf(errors, path.child('preemptionPolicy'), spec.preemptionPolicy, allowed.preemptionPolicy);
  }
}

function checkName(errors: FieldError[], name: string | undefined, field: string, path: FieldPath): void {
  if (name) reportInvalid(errors, path.child(field), name, nameIsDnsSubdomain(name, false));
}
