import {
  type LabelOperator,
  type LabelSelector,
  parseLabelSelector,
  SelectorError,
} from '../../machinery/selectors/index.ts';
import { CtlError } from '../errors.ts';

/** Reads a label selector that becomes part of an object. @throws CtlError as release 1.20's client words it */
export function parseSelectorText(text: string): LabelSelector {
  return parse(text, (problem) => `couldn't parse the selector string ${JSON.stringify(text)}: ${problem}`);
}

const operators: ReadonlyMap<string, string> = new Map([
  ['in', 'In'],
  ['notin', 'NotIn'],
  ['exists', 'Exists'],
  ['!', 'DoesNotExist'],
]);

/** The operator of an object's selector; undefined for equality. @throws CtlError for those that it cannot have */
export function objectOperator(operator: LabelOperator): string | undefined {
  if (operator === '=' || operator === '==') return undefined;
  const name = operators.get(operator);
  if (name !== undefined) return name;
  if (operator === '>') throw new CtlError('"gt" isn\'t supported in label selectors');
  if (operator === '<') throw new CtlError('"lt" isn\'t supported in label selectors');
  throw new CtlError(`${JSON.stringify(operator)} is not a valid label selector operator`);
}

/** Reads a label selector for objects of files. @throws CtlError as release 1.20's client words it */
export function parseFileSelector(text: string): LabelSelector {
  return parse(text, (problem) => `the provided selector ${JSON.stringify(text)} is not valid: ${problem}`);
}

function parse(text: string, tell: (problem: string) => string): LabelSelector {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new CtlError(tell(error.message), { cause: error });
  }
}
