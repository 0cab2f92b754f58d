import { type FieldError, fieldPath, forbiddenField, quoteGo } from '../../machinery/errors/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../types/certificates-v1beta1.ts';
import { deepEqual } from '../validation/index.ts';

const conditionsPath = fieldPath('status', 'conditions');
/** Decisions come through the subresource for approval only. */
const approvals: readonly string[] = ['Approved', 'Denied'];
const lasting: readonly string[] = [...approvals, 'Failed'];

const conditionsOf = ({ status }: CertificateSigningRequest, type: string) =>
  (status.conditions ?? []).filter((condition) => condition.type === type);

/**
 * Puts back the decisions that a write of the status changed. Where it added or removed some, the older version puts back all
 * conditions, and the newer one leaves it to validation to refuse that.
 */
export function keepDecisions(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  { isLatest }: { readonly isLatest: boolean },
): void {
  for (const type of approvals) {
    const kept = conditionsOf(old, type);
    if (conditionsOf(request, type).length === kept.length) {
      const next = kept.values();
      request.status.conditions = request.status.conditions?.map((condition) =>
        condition.type === type ? { ...(next.next().value ?? condition) } : condition,
      );
    } else if (!isLatest) {
      request.status.conditions = old.status.conditions?.map((condition) => ({ ...condition }));
      return;
    }
  }
}

/** New conditions are timed by the server; one that keeps its status keeps its time of transition. */
export function stampConditions(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  { now }: RuleContext,
): void {
  const times = new Map<string, string>();
  const keyOf = ({ type, status }: CertificateSigningRequestCondition) => JSON.stringify([type, status]);
  for (const condition of old.status.conditions ?? []) {
    const { lastTransitionTime: time } = condition;
    const key = keyOf(condition);
    if (time && !times.has(key)) times.set(key, time);
  }
  for (const condition of request.status.conditions ?? []) {
    condition.lastUpdateTime ??= now;
    condition.lastTransitionTime ??= times.get(keyOf(condition)) ?? now;
  }
}

/** Errors of conditions that were taken back, and of decisions that did not come through the one way for them. */
export function validateDecisions(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  { mayDecide }: { readonly mayDecide: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (verb: string, type: string): void => {
    const detail = `updates may not ${verb} a condition of type ${quoteGo(type)}`;
    errors.push(forbiddenField(conditionsPath, detail));
  };
  const growth = (type: string): number =>
    conditionsOf(request, type).length - conditionsOf(old, type).length;
  for (const type of lasting) if (growth(type) < 0) refuse('remove', type);
  if (mayDecide) return errors;
  for (const type of approvals) {
    if (growth(type) > 0) refuse('add', type);
    else if (growth(type) === 0 && !deepEqual(conditionsOf(request, type), conditionsOf(old, type))) {
      refuse('modify', type);
    }
  }
  return errors;
}
