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

/** Errors of the parts of metadata whose checks depend on nothing else: of an update they are asked for several times. */
export interface ContentErrors {
  readonly labels: readonly FieldError[];
  readonly annotations: readonly FieldError[];
  readonly ownerReferences: readonly FieldError[];
  readonly managedFields: readonly FieldError[];
}

/** Looks at the parts of metadata that stand by themselves. */
export const contentErrors = (meta: ObjectMeta, path: FieldPath): ContentErrors => ({
  labels: validateLabels(meta.labels, path.child('labels')),
  annotations: validateAnnotations(meta.annotations, path.child('annotations')),
  ownerReferences: validateOwnerReferences(meta.ownerReferences, path.child('ownerReferences')),
  managedFields: validateManagedFields(meta.managedFields, path.child('managedFields')),
});

/**
 * All errors of an object's metadata, whatever it was before, in release 1.20's order.
 *
 * @param content what `contentErrors` found of the same metadata at the same path
 */
export function validateObjectMeta(
  meta: ObjectMeta,
  rules: ObjectMetaRules,
  path: FieldPath,
  content: ContentErrors = contentErrors(meta, path),
): FieldError[] {
  return [
    ...validateNames(meta, rules.validateName, path),
    ...validateNamespace(meta.namespace ?? '', rules.isNamespaced, path),
    ...nameErrors(meta.clusterName ?? '', nameIsDnsSubdomain, path, 'clusterName'),
    ...validateNonNegative(meta.generation ?? 0, path.child('generation')),
    ...content.labels,
    ...content.annotations,
    ...content.ownerReferences,
    ...validateFinalizers(meta.finalizers, path.child('finalizers')),
    ...content.managedFields,
    ...standardFinalizerErrors(meta, rules.standardFinalizers, path),
  ];
}

/** What `validateObjectMetaUpdate` is told beside the metadata. */
export interface MetadataUpdateRules extends Pick<ObjectMetaRules, 'standardFinalizers'> {
  /** As `validateObjectMeta` has it. */
  readonly content?: ContentErrors;
}

/** All errors of how an object's metadata changed, in release 1.20's order. */
export function validateObjectMetaUpdate(
  meta: ObjectMeta,
  old: ObjectMeta,
  path: FieldPath,
  { standardFinalizers, content = contentErrors(meta, path) }: MetadataUpdateRules = {},
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
  pushImmutableErrors(errors, { meta, old, path });
  errors.push(
    ...content.labels,
    ...content.annotations,
    ...content.ownerReferences,
    ...content.managedFields,
    ...standardFinalizerErrors(meta, standardFinalizers, path),
  );
  return errors;
}

const immutableTexts = ['name', 'namespace', 'uid'] as const;
const immutableTimes = ['creationTimestamp', 'deletionTimestamp'] as const;

function pushImmutableErrors(
  errors: FieldError[],
  { meta, old, path }: { readonly meta: ObjectMeta; readonly old: ObjectMeta; readonly path: FieldPath },
): void {
  for (const name of immutableTexts) {
    const value = meta[name] ?? '';
    const before = old[name] ?? '';
    if (value !== before) errors.push(...validateImmutableField(value, before, path.child(name)));
  }
  for (const name of immutableTimes) {
    const value = meta[name] ?? undefined;
    const before = old[name] ?? undefined;
    if (value === before) continue;
    const isAbsentPointer = name === 'deletionTimestamp' && value === undefined;
    const shown = isAbsentPointer ? undefined : goTime(receivedTime(meta, old, name) ?? value);
    errors.push(...validateImmutableField(value, before, path.child(name), () => shown));
  }
  const graceSeconds = meta.deletionGracePeriodSeconds;
  if (graceSeconds !== old.deletionGracePeriodSeconds) {
    const gracePath = path.child('deletionGracePeriodSeconds');
    errors.push(...validateImmutableField(graceSeconds, old.deletionGracePeriodSeconds, gracePath));
  }
  const [cluster, oldCluster] = [meta.clusterName ?? '', old.clusterName ?? ''];
  if (cluster !== oldCluster) {
    errors.push(...validateImmutableField(cluster, oldCluster, path.child('clusterName')));
  }
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
  else errors.push(...nameErrors(name, validateName, path, 'name'));
  return errors;
}

function nameErrors(name: string, validateName: NameValidator, path: FieldPath, field: string): FieldError[] {
  if (name === '') return [];
  return validateName(name, false).map((problem) => invalidValue(path.child(field), name, problem));
}

function validateNamespace(namespace: string, isNamespaced: boolean, path: FieldPath): FieldError[] {
  if (isNamespaced && namespace === '') return [required(path.child('namespace'))];
  if (isNamespaced) return nameErrors(namespace, nameIsDnsLabel, path, 'namespace');
  return namespace === '' ? [] : [forbiddenField(path.child('namespace'), 'not allowed on this type')];
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
