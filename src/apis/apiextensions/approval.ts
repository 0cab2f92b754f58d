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
  const state = approvalState(value);
  // Who only changes something else is not refused.
  if (old !== undefined && approvalState(old.metadata.annotations?.[key] ?? '') === state) return [];
  if (state === 'approved' || state === 'bypassed') return [];
  if (state === 'invalid') {
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

type ApprovalState = 'missing' | 'bypassed' | 'approved' | 'invalid';

function approvalState(value: string): ApprovalState {
  if (value === '') return 'missing';
  if (value.startsWith('unapproved')) return 'bypassed';
  return /^[a-z][a-z0-9+.-]*:\/\/[^/\s]+/i.test(value) ? 'approved' : 'invalid';
}
