import { addAll } from '../../base/index.ts';
import { type FieldError, type FieldPath, invalidValue, required } from '../../machinery/errors/index.ts';
import type { LabelSelector as ParsedSelector } from '../../machinery/selectors/index.ts';
import { parseSelector } from '../core/pod-spec/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type { LabelSelector } from '../types/meta-v1.ts';
import { renderGo, validateImmutableField, validateLabelSelector } from '../validation/index.ts';

/** A selector as messages show it. */
export const showSelector = (selector: LabelSelector | undefined, context: RuleContext): unknown =>
  selector === undefined ? undefined : renderGo(selector, 'meta.orch.io/v1.LabelSelector', context.catalog);

/** True when there is a selector and it selects everything. */
export const isEmptySelector = (selector: LabelSelector | undefined): boolean =>
  selector !== undefined &&
  Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0;

/** Words for refused selectors. */
export interface SelectorTexts {
  readonly empty: string;
  readonly unreadable: string;
}

/**
 * Errors of a workload's selector. Answers it parsed, or undefined when that fails: the template cannot be
 * compared with it then.
 */
export function checkSelector(
  errors: FieldError[],
  selector: LabelSelector | undefined,
  path: FieldPath,
  texts: SelectorTexts,
  context: RuleContext,
): ParsedSelector | undefined {
  if (!selector) errors.push(required(path));
  else {
    addAll(errors, validateLabelSelector(selector, path));
    if (isEmptySelector(selector))
      errors.push(invalidValue(path, showSelector(selector, context), texts.empty));
  }
  const parsed = parseSelector(selector);
  if (!parsed) errors.push(invalidValue(path, showSelector(selector, context), texts.unreadable));
  return parsed;
}

/** The error of a changed selector. */
export const checkSameSelector = (
  selector: LabelSelector | null | undefined,
  old: LabelSelector | null | undefined,
  path: FieldPath,
  context: RuleContext,
): FieldError[] =>
  validateImmutableField(selector, old, path, () => showSelector(selector ?? undefined, context));
