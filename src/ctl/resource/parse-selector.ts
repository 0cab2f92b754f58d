import { type LabelSelector, parseLabelSelector, SelectorError } from '../../machinery/selectors/index.ts';
import { CtlError } from '../errors.ts';

/** Reads a label selector that becomes part of an object. @throws CtlError as release 1.20's client words it */
export function parseSelectorText(text: string): LabelSelector {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    const message = `couldn't parse the selector string ${JSON.stringify(text)}: ${error.message}`;
    throw new CtlError(message, { cause: error });
  }
}
