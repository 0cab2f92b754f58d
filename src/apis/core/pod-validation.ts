import { type FieldError, fieldPath, forbiddenField, invalidValue } from '../../machinery/errors/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type { Pod } from '../types/core-v1.ts';
import { goStringList, isHugePageName } from '../validation/index.ts';
import {
  checkPodAnnotations,
  checkPodSpec,
  checkSeccompAgreement,
  checkTrimmedImages,
} from './pod-spec/index.ts';

const specPath = fieldPath('spec');
const volumesPath = specPath.child('volumes');
const containersPath = specPath.child('containers');
const initContainersPath = specPath.child('initContainers');
const annotationsPath = fieldPath('metadata', 'annotations');

/** All errors of a new pod, in release 1.20's order. */
export function validatePod(pod: Pod, context: RuleContext): FieldError[] {
  const errors = validatePodContents(pod, undefined, context);
  if ((pod.spec.ephemeralContainers ?? []).length > 0) {
    errors.push(forbiddenField(specPath.child('ephemeralContainers'), 'cannot be set on create'));
  }
  checkSeccompAgreement(errors, pod.metadata.annotations, pod.spec, specPath, context);
  return errors;
}

/** Errors that new and changed pods share. `old` is undefined for a new pod. */
export function validatePodContents(pod: Pod, old: Pod | undefined, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  const { spec, metadata } = pod;
  checkPodAnnotations(errors, metadata.annotations, spec, annotationsPath, context);
  checkPodSpec(errors, spec, specPath, { podName: metadata.name, context });
  if (!spec.serviceAccountName && spec.volumes) checkTokenVolumes(errors, pod);
  checkTrimmedImages(errors, spec.containers, containersPath);
  checkTrimmedImages(errors, spec.initContainers, initContainersPath);
  checkHugePageSizes(errors, pod, old, context);
  return errors;
}

/** A token needs an account to speak for. */
function checkTokenVolumes(errors: FieldError[], pod: Pod): void {
  for (const [position, volume] of (pod.spec.volumes ?? []).entries()) {
    for (const [sourcePosition, source] of (volume.projected?.sources ?? []).entries()) {
      if (!source.serviceAccountToken) continue;
      const at = volumesPath.index(position).child('projected', 'sources').index(sourcePosition);
      const detail = 'must not be specified when serviceAccountName is not set';
      errors.push(forbiddenField(at.child('serviceAccountToken'), detail));
    }
  }
}

/** Without its gate a pod has huge pages of one size, unless it had more before. */
export function checkHugePageSizes(
  errors: FieldError[],
  pod: Pod,
  old: Pod | undefined,
  { gates }: RuleContext,
): void {
  if (gates.has('HugePageStorageMediumSize') || (old !== undefined && hugePageSizes(old).length > 1)) return;
  const sizes = hugePageSizes(pod);
  if (sizes.length <= 1) return;
  errors.push(invalidValue(specPath, goStringList(sizes), 'must use a single hugepage size in a pod spec'));
}

/** Names of huge pages that the main containers use, sorted. */
function hugePageSizes({ spec }: Pod): string[] {
  const names = (spec.containers ?? []).flatMap(({ resources }) =>
    Object.keys({ ...resources.limits, ...resources.requests }),
  );
  return [...new Set(names.filter(isHugePageName))].sort();
}
