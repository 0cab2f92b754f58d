import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
} from '../../machinery/errors/index.ts';
import type { PodSecurityPolicySpec } from '../types/policy-v1beta1.ts';

const maxSysctlBytes = 253;
const patternSource = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?\\.)*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]';
const pattern = new RegExp(`^${patternSource}$`);

/** Adds the errors of the kernel settings that a policy allows and forbids: names, or beginnings that end in `*`. */
export function validateSysctlLists(
  errors: FieldError[],
  { allowedUnsafeSysctls, forbiddenSysctls }: PodSecurityPolicySpec,
  path: FieldPath,
): void {
  const allowed = { patterns: allowedUnsafeSysctls ?? [], path: path.child('allowedUnsafeSysctls') };
  const forbidden = { patterns: forbiddenSysctls ?? [], path: path.child('forbiddenSysctls') };
  validatePatterns(errors, allowed);
  validatePatterns(errors, forbidden);
  for (const [at, one] of allowed.patterns.entries()) {
    for (const [position, other] of forbidden.patterns.entries()) {
      const describe = (list: SysctlList, index: number, name: string, wider: string): void => {
        errors.push(invalidValue(list.path.index(index), name, `sysctl overlaps with ${wider}`));
      };
      if (covers(other, one)) describe(allowed, at, one, other);
      else if (covers(one, other)) describe(forbidden, position, other, one);
    }
  }
}

interface SysctlList {
  readonly patterns: readonly string[];
  readonly path: FieldPath;
}

function validatePatterns(errors: FieldError[], { patterns, path }: SysctlList): void {
  for (const [at, name] of patterns.entries()) {
    if (name === '') errors.push(invalidValue(path.index(at), name, 'empty sysctl not allowed'));
    else if (Buffer.byteLength(name) > maxSysctlBytes || !pattern.test(name)) {
      const detail = `must have at most ${maxSysctlBytes} characters and match regex ${patternSource}`;
      errors.push(invalidValue(path.index(at), name, detail));
    }
  }
  if (patterns.length > 1 && patterns.some((name) => name === '*')) {
    errors.push(forbiddenField(path.child('items'), "if '*' is present, must not specify other sysctls"));
  }
}

/** True when every name that `narrow` means is meant by `wide` too. */
function covers(wide: string, narrow: string): boolean {
  if (!wide.endsWith('*')) return wide === narrow;
  return narrow.replace(/\*$/, '').startsWith(wide.slice(0, -1));
}
