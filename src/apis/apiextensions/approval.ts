import { type FieldError, fieldPath, invalidValue, required } from '../../machinery/errors/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type { CustomResourceDefinition } from '../types/apiextensions-v1beta1.ts';

/**
 * Groups in the product's own domain need an annotation that says where the API was approved (release 1.20, only
 * `v1`). An older definition without it may stay without it.
 */
export function validateApprovalAnnotation(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  { dialect, requestApiVersion }: RuleContext,
): FieldError[] {
  const { group } = definition.spec;
  if (requestApiVersion !== 'apiextensions.orch.io/v1') return [];
  const domains = [dialect.group('x').slice(1), dialect.label('').replace(/^\/?/, '.').replace(/\/$/, '')];
  if (!domains.some((domain) => group.endsWith(domain))) return [];
  const key = dialect.spell('api-approved.orch.io');
  const path = fieldPath('metadata', 'annotations').key(key);
  const value = definition.metadata.annotations?.[key] ?? '';
  if (isFine(value)) return [];
  if (old !== undefined && (old.metadata.annotations?.[key] ?? '') === value) return [];
  if (value !== '') {
    return [
      invalidValue(
        path,
        value,
        'protected groups must have approval annotation with either a URL or a reason starting with "unapproved"',
      ),
    ];
  }
  return [required(path, 'protected groups must have approval annotation')];
}

const isFine = (value: string): boolean =>
  value.startsWith('unapproved') || /^[a-z][a-z0-9+.-]*:\/\/[^/\s]+/i.test(value);
