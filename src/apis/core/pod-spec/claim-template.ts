import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  quoteGo,
  required,
} from '../../../machinery/errors/index.ts';
import { goFieldName, wasGivenEmpty } from '../../../machinery/schema/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import type { EphemeralVolumeSource, PersistentVolumeClaimTemplate } from '../../types/core-v1.ts';
import { nameIsDnsSubdomain, validateAnnotations, validateLabels } from '../../validation/index.ts';
import { validateClaimSpec } from './claim-spec.ts';

const allowedMetadata: ReadonlySet<string> = new Set(['labels', 'annotations']);

/** Errors of a volume whose claim is made with the pod. */
export function checkEphemeralVolume(
  errors: FieldError[],
  { volumeClaimTemplate: template }: EphemeralVolumeSource,
  path: FieldPath,
  context: RuleContext,
): void {
  const templatePath = path.child('volumeClaimTemplate');
  if (!template) {
    errors.push(required(templatePath));
    return;
  }
  checkMetadata(errors, template, templatePath.child('metadata'), context);
  errors.push(...validateClaimSpec(template.spec, templatePath.child('spec')));
}

/** Only labels and annotations pass to the claim; all else must be left out. */
function checkMetadata(
  errors: FieldError[],
  { metadata = {} }: PersistentVolumeClaimTemplate,
  path: FieldPath,
  { catalog }: RuleContext,
): void {
  errors.push(
    ...validateAnnotations(metadata.annotations, path.child('annotations')),
    ...validateLabels(metadata.labels, path.child('labels')),
  );
  const given = new Map<string, unknown>(Object.entries(metadata));
  for (const { name } of catalog.type('meta.orch.io/v1.ObjectMeta').fields) {
    if (allowedMetadata.has(name)) continue;
    const isSet = (given.get(name) ?? undefined) !== undefined || wasGivenEmpty(metadata, name);
    if (!isSet) continue;
    const goName = goFieldName(name);
    const shown = `${goName.charAt(0).toLowerCase()}${goName.slice(1)}`;
    errors.push(forbiddenField(path.child(shown), 'cannot be set for an ephemeral volume'));
  }
}

/** Name of the claim that is made for an ephemeral volume of a pod. */
export const createdClaimName = (podName: string, volumeName: string): string => `${podName}-${volumeName}`;

/** Errors of a volume's name with which no claim can be made for it. */
export function checkClaimName(
  errors: FieldError[],
  podName: string | undefined,
  volumeName: string,
  path: FieldPath,
): void {
  if (!podName || volumeName === '') return;
  const name = createdClaimName(podName, volumeName);
  for (const problem of nameIsDnsSubdomain(name, false)) {
    errors.push(invalidValue(path.child('name'), volumeName, `PVC name ${quoteGo(name)}: ${problem}`));
  }
}
