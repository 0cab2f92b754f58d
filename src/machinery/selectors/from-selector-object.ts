import { quoteGo } from '../errors/index.ts';
import { createLabelRequirement, type LabelOperator } from './label-requirement.ts';
import { createLabelSelector, type LabelSelector, nothing } from './label-selector.ts';
import { SelectorError } from './selector-error.ts';

/** The API's `LabelSelector` object. */
export interface LabelSelectorObject {
  readonly matchLabels?: Readonly<Record<string, string>> | null | undefined;
  readonly matchExpressions?:
    | readonly {
        readonly key: string;
        readonly operator: string;
        readonly values?: readonly string[] | null | undefined;
      }[]
    | null
    | undefined;
}

const operators: ReadonlyMap<string, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/**
 * The selector that an object means: absent selects nothing, an empty one everything.
 *
 * @throws SelectorError with apimachinery's text for an object that validation would refuse.
 */
export function labelSelectorFromObject(object: LabelSelectorObject | null | undefined): LabelSelector {
  if (!object) return nothing;
  const labels = Object.entries(object.matchLabels ?? {});
  const expressions = object.matchExpressions ?? [];
  return createLabelSelector([
    ...labels.map(([key, value]) => createLabelRequirement(key, '=', [value])),
    ...expressions.map(({ key, operator, values }) =>
      createLabelRequirement(key, operatorOf(operator), values ?? []),
    ),
  ]);
}

function operatorOf(name: string): LabelOperator {
  const operator = operators.get(name);
  if (operator === undefined) {
    throw new SelectorError(`${quoteGo(name)} is not a valid pod selector operator`);
  }
  return operator;
}

/** The selector that wants exactly these labels; without entries it selects everything. */
export function labelSelectorFromSet(labels: Readonly<Record<string, string>>): LabelSelector {
  return labelSelectorFromObject({ matchLabels: labels });
}
