import { type FieldError, type FieldPath, forbiddenField } from '../../../machinery/errors/index.ts';
import type { PersistentVolumeClaimTemplate } from '../../types/core-v1.ts';
import { validateAnnotations, validateLabels } from '../../validation/index.ts';

const allowedMetadata: ReadonlySet<string> = new Set(['labels', 'annotations', 'creationTimestamp']);

/**
 * Errors of the metadata of the template from which an ephemeral volume's claim is made. The claim itself is
 * checked when it is made.
 */
export function checkClaimTemplate(
  errors: FieldError[],
  template: PersistentVolumeClaimTemplate,
  path: FieldPath,
): void {
  const metadataPath = path.child('metadata');
  const metadata = template.metadata ?? {};
  errors.push(
    ...validateAnnotations(metadata.annotations, metadataPath.child('annotations')),
    ...validateLabels(metadata.labels, metadataPath.child('labels')),
  );
  for (const field of Object.keys(metadata)) {
    if (allowedMetadata.has(field)) continue;
    errors.push(forbiddenField(metadataPath.child(field), 'cannot be set for an ephemeral volume'));
  }
}
