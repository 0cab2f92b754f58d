import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../machinery/errors/index.ts';
import type { ObjectMeta } from '../../machinery/meta/index.ts';
import { receivedValue } from '../../machinery/schema/index.ts';
import { validateFinalizers, validateNoNewFinalizers, validateStandardFinalizer } from './finalizers.ts';
import { goTime } from './go-syntax.ts';
import { validateImmutableField } from './immutable.ts';
import { validateAnnotations, validateLabels } from './labels.ts';
import { validateManagedFields } from './managed-fields.ts';
import { type NameValidator, nameIsDnsLabel, nameIsDnsSubdomain } from './names.ts';
import { validateNonNegative } from './numbers.ts';
import { validateOwnerReferences } from './owner-references.ts';

/** What a kind demands of its objects' metadata. */
export interface ObjectMetaRules {
  readonly isNamespaced: boolean;
  readonly validateName: NameValidator;
  /** Finalizers that need no domain (`standardFinalizers`); without it any qualified name will do (custom kinds). */
  readonly standardFinalizers?: ReadonlySet<string> | undefined;
}

/** All errors of an object's metadata, whatever it was before, in release 1.20's order. */
export function validateObjectMeta(meta: ObjectMeta, rules: ObjectMetaRules, path: FieldPath): FieldError[] {
  return [
    ...validateNames(meta, rules.validateName, path),
    ...validateNamespace(meta.namespace ?? '', rules.isNamespaced, path.child('namespace')),
    ...nameErrors(meta.clusterName ?? '', nameIsDnsSubdomain, path.child('clusterName')),
    ...validateNonNegative(meta.generation ?? 0, path.child('generation')),
    ...validateLabels(meta.labels, path.child('labels')),
    ...validateAnnotations(meta.annotations, path.child('annotations')),
    ...validateOwnerReferences(meta.ownerReferences, path.child('ownerReferences')),
    ...validateFinalizers(meta.finalizers, path.child('finalizers')),
    ...validateManagedFields(meta.managedFields, path.child('managedFields')),
    ...standardFinalizerErrors(meta, rules.standardFinalizers, path),
  ];
}

/** All errors of how an object's metadata changed, in release 1.20's order. */
export function validateObjectMetaUpdate(
  meta: ObjectMeta,
  old: ObjectMeta,
  path: FieldPath,
  rules: Pick<ObjectMetaRules, 'standardFinalizers'> = {},
): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp) {
    errors.push(...validateNoNewFinalizers(meta.finalizers, old.finalizers, path.child('finalizers')));
  }
  if (!meta.resourceVersion) {
    errors.push(invalidValue(path.child('resourceVersion'), '', 'must be specified for an update'));
  }
  const generation = meta.generation ?? 0;
  if (generation < (old.generation ?? 0)) {
    errors.push(invalidValue(path.child('generation'), generation, 'must not be decremented'));
  }
  errors.push(
    ...immutableErrors(meta, old, path),
    ...validateLabels(meta.labels, path.child('labels')),
    ...validateAnnotations(meta.annotations, path.child('annotations')),
    ...validateOwnerReferences(meta.ownerReferences, path.child('ownerReferences')),
    ...validateManagedFields(meta.managedFields, path.child('managedFields')),
    ...standardFinalizerErrors(meta, rules.standardFinalizers, path),
  );
  return errors;
}

function immutableErrors(meta: ObjectMeta, old: ObjectMeta, path: FieldPath): FieldError[] {
  const texts = ['name', 'namespace', 'uid'] as const;
  const times = ['creationTimestamp', 'deletionTimestamp'] as const;
  const graceSeconds = meta.deletionGracePeriodSeconds;
  return [
    ...texts.flatMap((f) => validateImmutableField(meta[f] ?? '', old[f] ?? '', path.child(f))),
    ...times.flatMap((f) => {
      const value = meta[f] ?? undefined;
      const isAbsentPointer = f === 'deletionTimestamp' && value === undefined;
      const shown = isAbsentPointer ? undefined : goTime(receivedTime(meta, old, f) ?? value);
      return validateImmutableField(value, old[f] ?? undefined, path.child(f), () => shown);
    }),
    ...validateImmutableField(
      graceSeconds,
      old.deletionGracePeriodSeconds,
      path.child('deletionGracePeriodSeconds'),
    ),
    ...validateImmutableField(meta.clusterName ?? '', old.clusterName ?? '', path.child('clusterName')),
  ];
}

/** The text of a time that is the request's own, with its fraction. */
function receivedTime(meta: ObjectMeta, old: ObjectMeta, field: 'creationTimestamp' | 'deletionTimestamp') {
  // Where the object has one it is kept, whatever the request says.
  const text = old[field] ? undefined : receivedValue(meta, field);
  return typeof text === 'string' ? text : undefined;
}

function validateNames(meta: ObjectMeta, validateName: NameValidator, path: FieldPath): FieldError[] {
  const { generateName = '', name = '' } = meta;
  const errors: FieldError[] = [];
  if (generateName !== '') {
    const problems = validateName(generateName, true);
    errors.push(...problems.map((text) => invalidValue(path.child('generateName'), generateName, text)));
  }
  if (name === '') errors.push(required(path.child('name'), 'name or generateName is required'));
  else errors.push(...nameErrors(name, validateName, path.child('name')));
  return errors;
}

function nameErrors(name: string, validateName: NameValidator, path: FieldPath): FieldError[] {
  return name === '' ? [] : validateName(name, false).map((problem) => invalidValue(path, name, problem));
}

function validateNamespace(namespace: string, isNamespaced: boolean, path: FieldPath): FieldError[] {
  if (isNamespaced) return namespace === '' ? [required(path)] : nameErrors(namespace, nameIsDnsLabel, path);
  return namespace === '' ? [] : [forbiddenField(path, 'not allowed on this type')];
}

function standardFinalizerErrors(
  meta: ObjectMeta,
  standard: ReadonlySet<string> | undefined,
  path: FieldPath,
): FieldError[] {
  if (standard === undefined || meta.finalizers === undefined) return [];
  return meta.finalizers.flatMap((name, position) =>
    validateStandardFinalizer(name, standard, path.child('finalizers').index(position)),
  );
}
