import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../machinery/errors/index.ts';
import { requireOneOf } from '../reporting.ts';
import type {
  CustomResourceConversion,
  CustomResourceDefinitionSpec,
} from '../types/apiextensions-v1beta1.ts';
import { goStringList, isDns1035Label } from '../validation/index.ts';
import { validateWebhookClient } from '../webhook-client.ts';

const reviewVersions: readonly string[] = ['v1', 'v1beta1'];

/** True when a conversion names a version of reviews that this server speaks, or none at all. */
export function namesKnownReview({
  conversionReviewVersions: versions = [],
}: CustomResourceConversion): boolean {
  return versions.length === 0 || versions.some((version) => reviewVersions.includes(version));
}

interface ConversionOptions {
  /** One of the versions of reviews must be one that this server speaks. */
  readonly requiresKnownReview: boolean;
}

/** Adds the errors of how versions are converted: not at all, or by a webhook. */
export function validateConversion(
  errors: FieldError[],
  { conversion, preserveUnknownFields }: CustomResourceDefinitionSpec,
  path: FieldPath,
  options: ConversionOptions,
): void {
  if (conversion === undefined) return;
  const { strategy, webhookClientConfig: client, conversionReviewVersions: versions = [] } = conversion;
  const clientPath = path.child('webhookClientConfig');
  const versionsPath = path.child('conversionReviewVersions');
  if (strategy !== 'None' && preserveUnknownFields === true) {
    const detail = 'must be None if spec.preserveUnknownFields is true';
    errors.push(invalidValue(path.child('strategy'), strategy, detail));
  }
  requireOneOf(errors, path.child('strategy'), strategy, ['None', 'Webhook']);
  if (strategy === 'Webhook') {
    if (client === undefined) errors.push(required(clientPath, 'required when strategy is set to Webhook'));
    else validateWebhookClient(errors, client, clientPath);
    validateReviewVersions(errors, versions, versionsPath, options);
    return;
  }
  const detail = 'should not be set when strategy is not set to Webhook';
  if (client !== undefined) errors.push(forbiddenField(clientPath, detail));
  if (versions.length > 0) errors.push(forbiddenField(versionsPath, detail));
}

function validateReviewVersions(
  errors: FieldError[],
  versions: readonly string[],
  path: FieldPath,
  { requiresKnownReview }: ConversionOptions,
): void {
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
  if (!requiresKnownReview || versions.some((version) => reviewVersions.includes(version))) return;
  const detail = `must include at least one of ${reviewVersions.join(', ')}`;
  errors.push(invalidValue(path, goStringList(versions), detail));
}
