import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../../machinery/errors/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import { reportInvalid } from '../../reporting.ts';
import type { PodSecurityContext, PodSpec, Sysctl } from '../../types/core-v1.ts';
import { isValidGroupId, isValidUserId } from '../../validation/index.ts';
import allowed from './allowed-values.json' with { type: 'json' };
import { checkHostNetworkPorts } from './container-ports.ts';
import { checkSeccompProfile } from './seccomp.ts';
import { checkWindowsOptions } from './windows-options.ts';

const sysctlSource = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?\\.)*[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const sysctlName = new RegExp(`^${sysctlSource}$`);
const maxSysctlBytes = 253;

/**
 * Errors of the security settings of a whole pod. The fields about the node's namespaces stand beside
 * `securityContext`; release 1.20 reports them at the path below it.
 */
export function checkPodSecurity(
  errors: FieldError[],
  spec: PodSpec,
  specPath: FieldPath,
  context: RuleContext,
): void {
  const path = specPath.child('securityContext');
  if (spec.hostNetwork) checkHostNetworkPorts(errors, spec.containers ?? [], specPath.child('containers'));
  const security = spec.securityContext ?? {};
  checkIds(errors, security, path);
  if (spec.shareProcessNamespace && spec.hostPID) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(invalidValue(path.child('shareProcessNamespace'), true, detail));
  }
  if (security.sysctls) checkSysctls(errors, security.sysctls, path.child('sysctls'));
  const policy = security.fsGroupChangePolicy;
  if (policy !== undefined && !allowed.fsGroupChangePolicy.includes(policy)) {
    errors.push(notSupported(path.child('fsGroupChangePolicy'), policy, allowed.fsGroupChangePolicy));
  }
  if (security.seccompProfile) {
    checkSeccompProfile(errors, security.seccompProfile, path.child('seccompProfile'), context);
  }
  if (security.windowsOptions) {
    checkWindowsOptions(errors, security.windowsOptions, path.child('windowsOptions'));
  }
}

function checkIds(errors: FieldError[], security: PodSecurityContext, path: FieldPath): void {
  const { fsGroup, runAsUser, runAsGroup, supplementalGroups } = security;
  if (fsGroup !== undefined) reportInvalid(errors, path.child('fsGroup'), fsGroup, isValidGroupId(fsGroup));
  if (runAsUser !== undefined) {
    reportInvalid(errors, path.child('runAsUser'), runAsUser, isValidUserId(runAsUser));
  }
  if (runAsGroup !== undefined) {
    reportInvalid(errors, path.child('runAsGroup'), runAsGroup, isValidGroupId(runAsGroup));
  }
  for (const [position, group] of (supplementalGroups ?? []).entries()) {
    reportInvalid(errors, path.child('supplementalGroups').index(position), group, isValidGroupId(group));
  }
}

function checkSysctls(errors: FieldError[], sysctls: readonly Sysctl[], path: FieldPath): void {
  const seen = new Set<string>();
  for (const [position, { name }] of sysctls.entries()) {
    const at = path.index(position).child('name');
    if (name === '') errors.push(required(at));
    else if (Buffer.byteLength(name) > maxSysctlBytes || !sysctlName.test(name)) {
      const detail = `must have at most ${maxSysctlBytes} characters and match regex ${sysctlSource}`;
      errors.push(invalidValue(at, name, detail));
    } else if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
  }
}
