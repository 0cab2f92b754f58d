import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../machinery/errors/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type { Container, Pod, PodSpec, Toleration } from '../types/core-v1.ts';
import { deepEqual, rangeMessage } from '../validation/index.ts';
import { checkPodAnnotations, checkPodAnnotationUpdates, checkTolerations } from './pod-spec/index.ts';
import { checkHugePageSizes, validatePodContents } from './pod-validation.ts';

const specPath = fieldPath('spec');
const deadlinePath = specPath.child('activeDeadlineSeconds');
const annotationsPath = fieldPath('metadata', 'annotations');
const maxInt32 = 2_147_483_647;
const immutableText =
  'pod updates may not change fields other than `spec.containers[*].image`, ' +
  '`spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` ' +
  '(only additions to existing tolerations)';

/** All errors of a changed pod, in release 1.20's order. Little may change once a pod exists. */
export function validatePodUpdate(pod: Pod, old: Pod, context: RuleContext): FieldError[] {
  const isSameSpec = deepEqual(pod.spec, old.spec);
  const errors: FieldError[] = [];
  if (isSameSpec && context.isOldValid === true)
    checkPodAnnotations(errors, pod.metadata.annotations, pod.spec, annotationsPath, context);
  else errors.push(...validatePodContents(pod, old, context));
  const changes = validateAnnotations(pod, old, context);
  // A spec that is right and as it was has nothing that could have changed wrongly.
  if (isSameSpec && errors.length === 0) return changes;
  // Release 1.20 looks at them a second time.
  checkHugePageSizes(changes, pod, old, context);
  return [...errors, ...changes, ...validateChanges(pod, old, context)];
}

function validateAnnotations(pod: Pod, old: Pod, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  const { annotations } = pod.metadata;
  checkPodAnnotationUpdates(errors, annotations, old.metadata.annotations, annotationsPath, context);
  checkPodAnnotations(errors, annotations, pod.spec, annotationsPath, context);
  return errors;
}

/** Errors of the change itself. */
function validateChanges(pod: Pod, old: Pod, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  for (const list of ['containers', 'initContainers'] as const) {
    if (!checkContainerUpdates(errors, pod.spec[list], old.spec[list], specPath.child(list))) return errors;
  }
  if (!checkDeadline(errors, pod.spec.activeDeadlineSeconds, old.spec.activeDeadlineSeconds)) return errors;
  checkAddedTolerations(errors, pod.spec.tolerations ?? [], old.spec.tolerations ?? [], context);
  const expected = withChangeableFields(pod.spec, old.spec);
  if (!deepEqual(expected, old.spec)) {
    const difference = describeSpecDifference(expected, old.spec);
    errors.push(forbiddenField(specPath, `${immutableText}\n${difference}`));
  }
  return errors;
}

/** Answers false when the lists cannot be compared further. */
function checkContainerUpdates(
  errors: FieldError[],
  containers: readonly Container[] | null | undefined,
  old: readonly Container[] | null | undefined,
  path: FieldPath,
): boolean {
  if ((containers?.length ?? 0) !== (old?.length ?? 0)) {
    errors.push(forbiddenField(path, 'pod updates may not add or remove containers'));
    return false;
  }
  for (const [position, { image = '' }] of (containers ?? []).entries()) {
    const at = path.index(position).child('image');
    if (image === '') errors.push(required(at));
    if (image !== image.trim()) {
      errors.push(invalidValue(at, image, 'must not have leading or trailing whitespace'));
    }
  }
  return true;
}

/** A deadline may be set and brought forward, not moved back or lifted. Answers false to stop. */
function checkDeadline(errors: FieldError[], seconds: number | undefined, old: number | undefined): boolean {
  if (seconds === undefined) {
    if (old === undefined) return true;
    const detail = 'must not update from a positive integer to nil value';
    errors.push(invalidValue(deadlinePath, undefined, detail));
    return true;
  }
  if (seconds < 0 || seconds > maxInt32) {
    errors.push(invalidValue(deadlinePath, seconds, rangeMessage(0, maxInt32)));
    return false;
  }
  if (old === undefined || seconds <= old) return true;
  errors.push(invalidValue(deadlinePath, seconds, 'must be less than or equal to previous value'));
  return false;
}

function checkAddedTolerations(
  errors: FieldError[],
  tolerations: readonly Toleration[],
  old: readonly Toleration[],
  context: RuleContext,
): void {
  const path = specPath.child('tolerations');
  const identityOf = ({ key, operator, value, effect }: Toleration): string =>
    JSON.stringify([key, operator, value, effect]);
  const present = new Set(tolerations.map(identityOf));
  if (!old.every((before) => present.has(identityOf(before)))) {
    errors.push(forbiddenField(path, 'existing toleration can not be modified except its tolerationSeconds'));
    return;
  }
  checkTolerations(errors, tolerations, path, context);
}

/** The new spec with the old values of what may change, so that any difference left is a mistake. */
function withChangeableFields(spec: PodSpec, old: PodSpec): PodSpec {
  const withImages = <T extends Container[] | null | undefined>(list: T, before: T): T => {
    if (!list) return list;
    const images = list.map((container, at) => ({ ...container, image: before?.[at]?.image }));
    // The same kind of list with other images.
    return images as T;
  };
  return {
    ...spec,
    containers: withImages(spec.containers, old.containers),
    initContainers: withImages(spec.initContainers, old.initContainers),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    tolerations: old.tolerations,
  };
}

const maxShownCharacters = 1_000;

/**
 * A short account of what differs between two specs: per field the refused value, then the present one. The
 * reference prints a comparison of its internal structures here, whose form it does not promise.
 */
function describeSpecDifference(spec: PodSpec, old: PodSpec): string {
  const lines = ['  core.PodSpec{'];
  let identical = 0;
  const present = new Map<string, unknown>(Object.entries(old));
  const refused = new Map<string, unknown>(Object.entries(spec));
  for (const name of new Set([...present.keys(), ...refused.keys()])) {
    if (deepEqual(refused.get(name), present.get(name))) identical += 1;
    else lines.push(showSide('-', name, refused.get(name)), showSide('+', name, present.get(name)));
  }
  if (identical > 0) lines.push(`  \t... // ${identical} identical fields`);
  lines.push('  }', '');
  return lines.join('\n');
}

function showSide(sign: string, name: string, value: unknown): string {
  const text = value === undefined ? 'nil' : JSON.stringify(value);
  const shown = text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}...` : text;
  return `${sign} \t${name.charAt(0).toUpperCase()}${name.slice(1)}: ${shown},`;
}
