import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../machinery/errors/index.ts';
import { requireOneOf } from '../reporting.ts';
import type { CustomResourceDefinitionSpec } from '../types/apiextensions-v1beta1.ts';
import { goStringList, isDns1035Label } from '../validation/index.ts';
import { validateWebhookClient } from '../webhook-client.ts';

const reviewVersions: readonly string[] = ['v1', 'v1beta1'];

/** Adds the errors of how versions are converted: not at all, or by a webhook. */
export function validateConversion(
  errors: FieldError[],
  { conversion, preserveUnknownFields }: CustomResourceDefinitionSpec,
  path: FieldPath,
): void {
  if (conversion === undefined) return;
  const { strategy, webhookClientConfig: client, conversionReviewVersions: versions = [] } = conversion;
  const clientPath = path.child('webhookClientConfig');
  const versionsPath = path.child('conversionReviewVersions');
  requireOneOf(errors, path.child('strategy'), strategy, ['None', 'Webhook']);
  if (strategy !== 'Webhook') {
    if (client !== undefined) {
      errors.push(forbiddenField(clientPath, 'should not be set when strategy is not set to Webhook'));
    }
    if (versions.length > 0) {
      errors.push(forbiddenField(versionsPath, 'should not be set when strategy is not set to Webhook'));
    }
    return;
  }
  if (preserveUnknownFields === true) {
    const detail = 'must be None if spec.preserveUnknownFields is true';
    errors.push(invalidValue(path.child('strategy'), strategy, detail));
  }
  if (client === undefined) errors.push(required(clientPath, 'required when strategy is set to Webhook'));
  else validateWebhookClient(errors, client, clientPath);
  validateReviewVersions(errors, versions, versionsPath);
}

function validateReviewVersions(errors: FieldError[], versions: readonly string[], path: FieldPath): void {
  if (versions.length === 0) {
    errors.push(required(path));
    return;
  }
  const seen = new Set<string>();
  for (const [at, version] of versions.entries()) {
    const problems = seen.has(version) ? ['duplicate version'] : isDns1035Label(version);
    for (const problem of problems) errors.push(invalidValue(path.index(at), version, problem));
    seen.add(version);
  }
  if (versions.some((version) => reviewVersions.includes(version))) return;
  const detail = `must include at least one of ${reviewVersions.join(', ')}`;
  errors.push(invalidValue(path, goStringList(versions), detail));
}
