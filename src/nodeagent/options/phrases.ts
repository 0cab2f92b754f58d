import type { ValuePhrases } from '../../config/index.ts';
import { quoteGo } from '../../machinery/errors/index.ts';

/** What the agent says of texts that are no values: the words of Go's parsers, which its users know. */
export const agentPhrases: ValuePhrases = {
  bool: (text) => syntaxError('ParseBool', text),
  integer: ({ text, isUnsigned, isOutOfRange }) => {
    const parser = isUnsigned ? 'ParseUint' : 'ParseInt';
    return isOutOfRange
      ? `strconv.${parser}: parsing ${quoteGo(text)}: value out of range`
      : syntaxError(parser, text);
  },
  float: (text) => syntaxError('ParseFloat', text),
  duration: (_, detail) => detail,
  ip: (text) => `${quoteGo(text)} is not a valid IP address`,
  bareQuote: (text) => `bare quote in ${quoteGo(text)}`,
  lonePart: (_, shape) => `malformed pair, expect ${shape}`,
  namelessPart: () => undefined,
  mapEntry: ({ key, text, problem }) => `invalid value of ${key}: ${text}, err: ${problem}`,
};

function syntaxError(parser: string, text: string): string {
  return `strconv.${parser}: parsing ${quoteGo(text)}: invalid syntax`;
}
