import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
} from '../../../machinery/errors/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import { reportInvalid } from '../../reporting.ts';
import type { SecurityContext } from '../../types/core-v1.ts';
import { isValidGroupId, isValidUserId, renderGo } from '../../validation/index.ts';
import allowed from './allowed-values.json' with { type: 'json' };
import { checkSeccompProfile } from './seccomp.ts';
import { checkWindowsOptions } from './windows-options.ts';

/** Errors of the security settings of one container. */
export function checkContainerSecurity(
  errors: FieldError[],
  security: SecurityContext,
  path: FieldPath,
  context: RuleContext,
): void {
  const { runAsUser, runAsGroup, procMount } = security;
  if (security.privileged && !context.allowsPrivileged) {
    errors.push(forbiddenField(path.child('privileged'), 'disallowed by cluster policy'));
  }
  if (runAsUser !== undefined) {
    reportInvalid(errors, path.child('runAsUser'), runAsUser, isValidUserId(runAsUser));
  }
  if (runAsGroup !== undefined) {
    reportInvalid(errors, path.child('runAsGroup'), runAsGroup, isValidGroupId(runAsGroup));
  }
  if (procMount !== undefined && !allowed.procMount.includes(procMount)) {
    errors.push(notSupported(path.child('procMount'), procMount, allowed.procMount));
  }
  if (security.seccompProfile) {
    checkSeccompProfile(errors, security.seccompProfile, path.child('seccompProfile'), context);
  }
  if (security.allowPrivilegeEscalation === false) checkEscalation(errors, security, path, context);
  if (security.windowsOptions) {
    checkWindowsOptions(errors, security.windowsOptions, path.child('windowsOptions'));
  }
}

/** A container that may not gain privileges cannot have them to begin with. */
function checkEscalation(
  errors: FieldError[],
  security: SecurityContext,
  path: FieldPath,
  context: RuleContext,
): void {
  const reject = (what: string): void => {
    const detail = `cannot set \`allowPrivilegeEscalation\` to false and ${what}`;
    errors.push(invalidValue(path, renderGo(security, 'v1.SecurityContext', context.catalog), detail));
  };
  if (security.privileged) reject('`privileged` to true');
  for (const capability of security.capabilities?.add ?? []) {
    if (capability === 'CAP_SYS_ADMIN') reject('`capabilities.Add` CAP_SYS_ADMIN');
  }
}
