import {
  duplicate,
  type FieldError,
  fieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type { CSIDriver } from '../types/storage-v1beta1.ts';
import { deepEqual, nameIsDnsSubdomain, renderGo } from '../validation/index.ts';

const specPath = fieldPath('spec');
const lifecycleModes: readonly string[] = ['Persistent', 'Ephemeral'];
const groupPolicies: readonly string[] = ['File', 'None', 'ReadWriteOnceWithFSType'];
/** Seconds: ten minutes, the least that a token may live. */
const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;

/** Storage drivers: what they want of the cluster. */
export const csiDriverRules: KindRules<CSIDriver> = {
  allowsUnconditionalUpdate: false,
  isCheckedTwice: true,
  validateName: nameIsDnsSubdomain,
  answersDeletion: 'object',
  prepareForCreate: (driver, { gates }) => dropGatedFields(driver, undefined, gates),
  prepareForUpdate: (driver, old, { gates }) => dropGatedFields(driver, old, gates),
  validate: validateDriver,
  validateUpdate: validateKeptSpec,
};

/** Field by field: the gate, without which only stored values are kept. */
const gatedFields = [
  ['storageCapacity', 'CSIStorageCapacity'],
  ['volumeLifecycleModes', 'CSIInlineVolume'],
  ['fsGroupPolicy', 'CSIVolumeFSGroupPolicy'],
  ['tokenRequests', 'CSIServiceAccountToken'],
  ['requiresRepublish', 'CSIServiceAccountToken'],
] as const;

function dropGatedFields({ spec }: CSIDriver, old: CSIDriver | undefined, gates: ReadonlySet<string>): void {
  for (const [field, gate] of gatedFields) {
    if (!gates.has(gate) && old?.spec[field] === undefined) delete spec[field];
  }
}

function validateDriver({ spec }: CSIDriver, { gates }: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.attachRequired === undefined) errors.push(required(specPath.child('attachedRequired')));
  if (spec.podInfoOnMount === undefined) errors.push(required(specPath.child('podInfoOnMount')));
  if (gates.has('CSIStorageCapacity') && spec.storageCapacity === undefined) {
    errors.push(required(specPath.child('storageCapacity')));
  }
  if (gates.has('CSIVolumeFSGroupPolicy')) {
    const path = specPath.child('fsGroupPolicy');
    const policy = spec.fsGroupPolicy;
    if (policy === undefined) errors.push(required(path));
    else if (!groupPolicies.includes(policy)) errors.push(notSupported(path, policy, groupPolicies));
  }
  validateTokenRequests(errors, spec.tokenRequests ?? []);
  for (const mode of spec.volumeLifecycleModes ?? []) {
    if (lifecycleModes.includes(mode)) continue;
    errors.push(notSupported(specPath.child('volumeLifecycleModes'), mode, lifecycleModes));
  }
  return errors;
}

function validateTokenRequests(
  errors: FieldError[],
  requests: NonNullable<CSIDriver['spec']['tokenRequests']>,
): void {
  const audiences = new Set<string>();
  for (const [at, { audience, expirationSeconds: seconds }] of requests.entries()) {
    const path = specPath.child('tokenRequests').index(at);
    if (audiences.has(audience)) {
      errors.push(duplicate(path.child('audience'), audience));
      continue;
    }
    audiences.add(audience);
    if (seconds === undefined) continue;
    const secondsPath = path.child('expirationSeconds');
    if (seconds < minTokenSeconds) {
      errors.push(invalidValue(secondsPath, seconds, 'may not specify a duration less than 10 minutes'));
    }
    if (seconds > maxTokenSeconds) {
      errors.push(invalidValue(secondsPath, seconds, 'may not specify a duration larger than 2^32 seconds'));
    }
  }
}

/** Nothing may change, and what is stored is not looked at again. */
function validateKeptSpec(
  { spec }: CSIDriver,
  { spec: old }: CSIDriver,
  { catalog }: RuleContext,
): FieldError[] {
  if (deepEqual(spec, old)) return [];
  const shown = renderGo(spec, 'storage.orch.io/v1beta1.CSIDriverSpec', catalog);
  return [invalidValue(specPath, shown, 'field is immutable')];
}
