import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../../machinery/errors/index.ts';
import { wasGivenEmpty } from '../../machinery/schema/index.ts';
import type { KindRules } from '../kind-rules.ts';
import { reportInvalid } from '../reporting.ts';
import type { TopologySelectorTerm } from '../types/core-v1.ts';
import type { StorageClass } from '../types/storage-v1.ts';
import {
  deepEqual,
  isQualifiedName,
  nameIsDnsSubdomain,
  validateImmutableField,
  validateLabelName,
} from '../validation/index.ts';

const maxParameters = 512;
const maxParameterBytes = 262_144;
const bindingPath = fieldPath('volumeBindingMode');

/** Storage classes: how volumes are made. What was used for volumes already stays. */
export const storageClassRules: KindRules<StorageClass> = {
  validateName: nameIsDnsSubdomain,
  answersDeletion: 'object',
  validate: validateClass,
  validateUpdate: validateKeptFields,
};

function validateClass(storageClass: StorageClass): FieldError[] {
  const errors: FieldError[] = [];
  const { provisioner, reclaimPolicy, volumeBindingMode } = storageClass;
  const provisionerPath = fieldPath('provisioner');
  if (provisioner === '') errors.push(required(provisionerPath));
  else reportInvalid(errors, provisionerPath, provisioner, isQualifiedName(provisioner.toLowerCase()));
  validateParameters(errors, storageClass.parameters ?? {});
  const policies = ['Delete', 'Retain'];
  if (reclaimPolicy && !policies.includes(reclaimPolicy)) {
    errors.push(notSupported(fieldPath('reclaimPolicy'), reclaimPolicy, policies));
  }
  const modes = ['Immediate', 'WaitForFirstConsumer'];
  if (volumeBindingMode === undefined) errors.push(required(bindingPath));
  else if (!modes.includes(volumeBindingMode)) {
    errors.push(notSupported(bindingPath, volumeBindingMode, modes));
  }
  validateTopologies(errors, storageClass.allowedTopologies ?? []);
  return errors;
}

function validateParameters(errors: FieldError[], parameters: Readonly<Record<string, string>>): void {
  const path = fieldPath('parameters');
  const entries = Object.entries(parameters);
  if (entries.length > maxParameters) {
    errors.push(tooLong(path, 'Provisioner Parameters exceeded max allowed', maxParameters));
    return;
  }
  let totalBytes = 0;
  for (const [key, value] of entries) {
    if (key === '') errors.push(invalidValue(path, key, 'field can not be empty.'));
    totalBytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (totalBytes > maxParameterBytes) errors.push(tooLong(path, '', maxParameterBytes));
}

function validateTopologies(errors: FieldError[], terms: readonly TopologySelectorTerm[]): void {
  const listPath = fieldPath('allowedTopologies');
  // Release 1.20 compares with one empty term for each term there is, so an empty one is refused that often.
  const seen = new Map([[identityOf(new Map()), terms.length]]);
  for (const [at, term] of terms.entries()) {
    const path = listPath.index(at).child('matchLabelExpressions');
    const identity = identityOf(validateTopologyTerm(errors, term, path));
    const equalTerms = seen.get(identity) ?? 0;
    const told = Math.min(equalTerms, Math.max(0, maxErrors - errors.length));
    for (let count = 0; count < told; count++) errors.push(duplicate(path, ''));
    seen.set(identity, equalTerms + 1);
  }
}

/** More than an answer has room for: each term is told of once for each equal one before it. */
const maxErrors = 100_000;

type ValuesByKey = ReadonlyMap<string, readonly string[]>;

/** The same for terms with the same values, whatever the order of their keys. */
const identityOf = (values: ValuesByKey): string => JSON.stringify([...values].sort());

/** Answers the values by key, as sets. */
function validateTopologyTerm(
  errors: FieldError[],
  term: TopologySelectorTerm,
  path: FieldPath,
): ValuesByKey {
  const byKey = new Map<string, string[]>();
  for (const [at, { key, values }] of (term.matchLabelExpressions ?? []).entries()) {
    const at1 = path.index(at);
    const known = new Set<string>();
    if (!values?.length) errors.push(required(at1.child('values')));
    for (const [position, value] of (values ?? []).entries()) {
      if (known.has(value)) errors.push(duplicate(at1.child('values').index(position), value));
      known.add(value);
    }
    errors.push(...validateLabelName(key, at1.child('key')));
    if (byKey.has(key)) errors.push(duplicate(at1.child('key'), key));
    byKey.set(key, [...known].sort());
  }
  return byKey;
}

function validateKeptFields(storageClass: StorageClass, old: StorageClass): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['parameters', 'provisioner', 'reclaimPolicy'] as const) {
    // Release 1.20 tells parameters without entries from none.
    const isNewlyEmpty = wasGivenEmpty(storageClass, field) && old[field] === undefined;
    if (deepEqual(storageClass[field], old[field]) && !isNewlyEmpty) continue;
    errors.push(forbiddenField(fieldPath(field), `updates to ${field} are forbidden.`));
  }
  const { volumeBindingMode: mode } = storageClass;
  return [...errors, ...validateImmutableField(mode, old.volumeBindingMode, bindingPath)];
}
