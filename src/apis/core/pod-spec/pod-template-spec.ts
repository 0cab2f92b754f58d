import { addAll } from '../../../base/index.ts';
import { type FieldError, type FieldPath, forbiddenField } from '../../../machinery/errors/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import type { PodTemplateSpec } from '../../types/core-v1.ts';
import { validateAnnotations, validateLabels } from '../../validation/index.ts';
import { checkPodAnnotations, checkSeccompAgreement } from './pod-annotations.ts';
import { checkPodSpec } from './pod-spec.ts';

/** Errors of a template's labels and annotations. Release 1.20 leaves `metadata` out of the paths. */
export function checkTemplateMetadata(
  errors: FieldError[],
  template: PodTemplateSpec,
  path: FieldPath,
  context: RuleContext,
): void {
  const { labels, annotations } = template.metadata;
  const annotationsPath = path.child('annotations');
  if (labels) addAll(errors, validateLabels(labels, path.child('labels')));
  if (annotations) addAll(errors, validateAnnotations(annotations, annotationsPath));
  checkPodAnnotations(errors, annotations, template.spec, annotationsPath, context);
}

/** All errors of a template for pods, in release 1.20's order. */
export function checkPodTemplateSpec(
  errors: FieldError[],
  template: PodTemplateSpec,
  path: FieldPath,
  context: RuleContext,
): void {
  const specPath = path.child('spec');
  checkTemplateMetadata(errors, template, path, context);
  checkPodSpec(errors, template.spec, specPath, { podName: undefined, context });
  checkSeccompAgreement(errors, template.metadata.annotations, template.spec, specPath, context);
  if ((template.spec.ephemeralContainers ?? []).length > 0) {
    const detail = 'ephemeral containers not allowed in pod template';
    errors.push(forbiddenField(specPath.child('ephemeralContainers'), detail));
  }
}
