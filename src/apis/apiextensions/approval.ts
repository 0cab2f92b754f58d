import type { Dialect } from '../../machinery/dialect.ts';
import { type FieldError, fieldPath, invalidValue, quoteGo, required } from '../../machinery/errors/index.ts';
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
  if (requestApiVersion !== 'apiextensions.orch.io/v1' || !isProtected(definition, dialect)) return [];
  const key = annotationKey(dialect);
  const path = fieldPath('metadata', 'annotations').key(key);
  const value = definition.metadata.annotations?.[key] ?? '';
  const state = approvalState(value);
  // Who only changes something else is not refused.
  if (old !== undefined && approvalState(old.metadata.annotations?.[key] ?? '') === state) return [];
  if (state === 'approved' || state === 'bypassed') return [];
  const detail = neededText(state, dialect);
  return [state === 'missing' ? required(path, detail) : invalidValue(path, value, detail)];
}

/** Whether the group is one of the product's own domains. */
function isProtected({ spec: { group } }: CustomResourceDefinition, dialect: Dialect): boolean {
  const domains = [dialect.groupSuffix, `.${dialect.label('').slice(0, -1)}`];
  return domains.some((domain) => `.${group}`.endsWith(domain));
}

const annotationKey = (dialect: Dialect): string => dialect.spell('api-approved.orch.io');

/**
 * What the condition of the approval of a definition says; undefined for groups that need none. Source: apiextensions,
 * `controller/apiapproval`.
 */
export function approvalOf(
  definition: CustomResourceDefinition,
  dialect: Dialect,
): { readonly status: string; readonly reason: string; readonly message: string } | undefined {
  if (!isProtected(definition, dialect)) return undefined;
  const key = annotationKey(dialect);
  const value = definition.metadata.annotations?.[key] ?? '';
  const state = approvalState(value);
  switch (state) {
    case 'missing':
      return { status: 'False', reason: 'MissingAnnotation', message: neededText(state, dialect) };
    case 'bypassed':
      return { status: 'False', reason: 'UnapprovedAnnotation', message: `not approved: ${quoteGo(value)}` };
    case 'approved':
      return { status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${value}` };
    case 'invalid':
      return { status: 'False', reason: 'InvalidAnnotation', message: neededText(state, dialect) };
  }
}

/** What the annotation must be, where it is not. */
function neededText(state: 'missing' | 'invalid', dialect: Dialect): string {
  const needed = `protected groups must have approval annotation "${annotationKey(dialect)}"`;
  const how = state === 'missing' ? '' : ' with either a URL or a reason starting with "unapproved"';
  return `${needed}${how}, see ${dialect.spell('https://github.com/orch/enhancements/pull/1111')}`;
}

type ApprovalState = 'missing' | 'bypassed' | 'approved' | 'invalid';

function approvalState(value: string): ApprovalState {
  if (value === '') return 'missing';
  if (value.startsWith('unapproved')) return 'bypassed';
  return /^[a-z][a-z0-9+.-]*:\/\/[^/\s]+/i.test(value) ? 'approved' : 'invalid';
}
