import {
  type LabelSelector,
  type LabelSelectorObject,
  labelSelectorFromObject,
  SelectorError,
} from '../../../machinery/selectors/index.ts';

/** The selector that an object means, or undefined when validation would refuse it. Absent selects nothing. */
export function parseSelector(object: LabelSelectorObject | undefined): LabelSelector | undefined {
  try {
    return labelSelectorFromObject(object);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}
