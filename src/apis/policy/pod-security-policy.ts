import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  notSupported,
  quoteGo,
  required,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import { wasGivenEmpty } from '../../machinery/schema/index.ts';
import { checkCsiDriverName } from '../core/pod-spec/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type { IDRange, PodSecurityPolicy, PodSecurityPolicySpec } from '../types/policy-v1beta1.ts';
import { goStringList, isDns1123Subdomain, nameIsDnsSubdomain, renderGo } from '../validation/index.ts';
import { validateProfileAnnotations } from './profile-annotations.ts';
import { validateSysctlLists } from './sysctl-patterns.ts';
import volumeTypes from './volume-types.json' with { type: 'json' };

const specPath = fieldPath('spec');
const procMountTypes: readonly string[] = ['Default', 'Unmasked'];

/** Pod security policies: what pods may ask of their node. */
export const podSecurityPolicyRules: KindRules<PodSecurityPolicy> = {
  messageGroup: 'extensions',
  validateName: nameIsDnsSubdomain,
  answersDeletion: 'object',
  prepareForCreate: ({ spec }, { gates }) => dropGatedFields(spec, undefined, gates),
  prepareForUpdate: ({ spec }, old, { gates }) => dropGatedFields(spec, old.spec, gates),
  validate: validatePolicy,
  validateUpdate: (policy, _old, context) => validatePolicy(policy, context),
};

/** Without its gate, only a policy that has kinds of proc mounts may say which. */
function dropGatedFields(
  spec: PodSecurityPolicySpec,
  old: PodSecurityPolicySpec | undefined,
  gates: ReadonlySet<string>,
): void {
  if (gates.has('ProcMountType') || old?.allowedProcMountTypes?.length) return;
  delete spec.allowedProcMountTypes;
}

const groupRules: readonly string[] = ['MustRunAs', 'RunAsAny', 'MayRunAs'];
/** Each strategy besides that of groups, and the rules that it knows, in the order of the errors. */
const strategies = [
  ['runAsUser', ['MustRunAs', 'MustRunAsNonRoot', 'RunAsAny']],
  ['seLinux', ['MustRunAs', 'RunAsAny']],
  ['supplementalGroups', ['MayRunAs', 'MustRunAs', 'RunAsAny']],
  ['fsGroup', ['MayRunAs', 'MustRunAs', 'RunAsAny']],
] as const;

function validatePolicy({ metadata, spec }: PodSecurityPolicy, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  validateProfileAnnotations(errors, metadata.annotations ?? {}, context);
  for (const [field, rules] of strategies) {
    const strategy = spec[field];
    if (strategy === undefined) continue;
    const path = specPath.child(field);
    const rule = strategy.rule ?? '';
    if (!rules.some((known) => known === rule)) errors.push(notSupported(path.child('rule'), rule, rules));
    if ('ranges' in strategy) validateRanges(errors, strategy.ranges ?? [], path.child('ranges'));
    if (field === 'runAsUser') validateRunAsGroup(errors, spec.runAsGroup, context);
  }
  for (const volume of spec.volumes ?? []) {
    if (volumeTypes.includes(volume)) continue;
    errors.push(notSupported(specPath.child('volumes'), volume, volumeTypes));
  }
  validateCapabilities(errors, spec);
  validateEscalation(errors, spec);
  for (const [at, type] of (spec.allowedProcMountTypes ?? []).entries()) {
    if (procMountTypes.includes(type)) continue;
    errors.push(notSupported(specPath.child('allowedProcMountTypes').index(at), type, procMountTypes));
  }
  validateAllowedPaths(errors, spec);
  for (const [at, { name }] of (spec.allowedCSIDrivers ?? []).entries()) {
    // Release 1.20 names the list twice in the paths of these errors.
    const path = specPath.child('allowedCSIDrivers', 'allowedCSIDriver').index(at).child('name');
    checkCsiDriverName(errors, name, path);
  }
  validateSysctlLists(errors, spec, specPath);
  validateRuntimeClasses(errors, spec);
  return errors;
}

/** Ranges and rule belong together, which release 1.20 wants of no other strategy. */
function validateRunAsGroup(
  errors: FieldError[],
  strategy: PodSecurityPolicySpec['runAsGroup'],
  { catalog }: RuleContext,
): void {
  if (strategy === undefined) return;
  const path = specPath.child('runAsGroup');
  const rangesPath = path.child('ranges');
  const { rule = '', ranges = [] } = strategy;
  if (!groupRules.includes(rule)) {
    errors.push(notSupported(path.child('rule'), rule, groupRules));
    return;
  }
  const needsRanges = rule !== 'RunAsAny';
  if (needsRanges !== ranges.length > 0) {
    const shown = wasGivenEmpty(strategy, 'ranges')
      ? new VerbatimValue('[]policy.IDRange{}')
      : renderGo(ranges, 'list<policy/v1beta1.IDRange>', catalog);
    const detail = needsRanges ? 'must provide at least one range' : 'Ranges must be empty';
    errors.push(invalidValue(rangesPath, shown, detail));
  }
  if (needsRanges) validateRanges(errors, ranges, rangesPath);
}

function validateRanges(errors: FieldError[], ranges: readonly IDRange[], listPath: FieldPath): void {
  for (const [at, { min, max }] of ranges.entries()) {
    const path = listPath.index(at);
    if (min < 0) errors.push(invalidValue(path.child('min'), min, 'min cannot be negative'));
    if (max < 0) errors.push(invalidValue(path.child('max'), max, 'max cannot be negative'));
    if (min > max) errors.push(invalidValue(path.child('min'), min, 'min cannot be greater than max'));
  }
}

/** Release 1.20 leaves `spec` out of the paths of these errors. */
function validateCapabilities(errors: FieldError[], spec: PodSecurityPolicySpec): void {
  const { requiredDropCapabilities: dropped = [], allowedCapabilities: allowed = [] } = spec;
  if (dropped.length > 0 && allowed.includes('*')) {
    const path = fieldPath('requiredDropCapabilities');
    const detail = 'must be empty when all capabilities are allowed by a wildcard';
    errors.push(invalidValue(path, goStringList(dropped, 'core.Capability'), detail));
  }
  const allDropped = new Set(dropped);
  for (const field of ['defaultAddCapabilities', 'allowedCapabilities'] as const) {
    for (const capability of spec[field] ?? []) {
      if (!allDropped.has(capability)) continue;
      const path = fieldPath(field);
      const detail = `capability is listed in ${field} and requiredDropCapabilities`;
      errors.push(invalidValue(path, capability, detail));
    }
  }
}

function validateEscalation(errors: FieldError[], spec: PodSecurityPolicySpec): void {
  if (spec.defaultAllowPrivilegeEscalation !== true || spec.allowPrivilegeEscalation !== false) return;
  const detail =
    'Cannot set DefaultAllowPrivilegeEscalation to true without also setting AllowPrivilegeEscalation to true';
  errors.push(invalidValue(specPath.child('defaultAllowPrivilegeEscalation'), true, detail));
}

function validateAllowedPaths(errors: FieldError[], spec: PodSecurityPolicySpec): void {
  for (const [at, { pathPrefix = '' }] of (spec.allowedHostPaths ?? []).entries()) {
    const path = specPath.child('allowedHostPaths').index(at);
    if (pathPrefix === '') {
      // Release 1.20 looks no further.
      errors.push(required(path, 'is required'));
      break;
    }
    if (pathPrefix.split('/').includes('..')) {
      errors.push(invalidValue(path, pathPrefix, "must not contain '..'"));
    }
  }
  for (const [at, { driver }] of (spec.allowedFlexVolumes ?? []).entries()) {
    if (driver !== '') continue;
    // Release 1.20 names the list twice in the paths of these errors.
    const path = specPath.child('allowedFlexVolumes', 'allowedFlexVolumes').index(at).child('driver');
    errors.push(required(path, 'must specify a driver'));
  }
}

function validateRuntimeClasses(errors: FieldError[], { runtimeClass }: PodSecurityPolicySpec): void {
  if (runtimeClass === undefined) return;
  const path = specPath.child('runtimeClass');
  const { defaultRuntimeClassName: fallback } = runtimeClass;
  const names = runtimeClass.allowedRuntimeClassNames ?? [];
  const listPath = path.child('allowedRuntimeClassNames');
  const allowed = new Set<string>();
  for (const [at, name] of names.entries()) {
    if (name !== '*') reportInvalid(errors, listPath.index(at), name, isDns1123Subdomain(name));
    if (allowed.has(name)) errors.push(duplicate(listPath.index(at), name));
    allowed.add(name);
  }
  if (fallback !== undefined) {
    reportInvalid(errors, path.child('defaultRuntimeClassName'), fallback, isDns1123Subdomain(fallback));
    if (!allowed.has(fallback) && !allowed.has('*')) {
      errors.push(required(listPath, `default ${quoteGo(fallback)} must be allowed`));
    }
  }
  if (allowed.has('*') && names.length > 1) {
    const detail = "if '*' is present, must not specify other RuntimeClass names";
    errors.push(invalidValue(listPath, goStringList(names), detail));
  }
}
