import type { PhraseBook } from '../../config/index.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import { flagOption } from './option-table.ts';

/** What the agent says of its command line and file: the words of Go's flag packages, which its users know. */
export const agentPhrases: PhraseBook = {
  unknownFlag: (written) => `unknown flag: ${written}`,
  unknownLetter: (letter, cluster) => `unknown shorthand flag: '${letter}' in ${cluster}`,
  missingValue: (written) => `flag needs an argument: ${written}`,
  refusedValue: ({ option: { name, short }, text, problem }) => {
    const title = short === undefined ? `--${name}` : `-${short}, --${name}`;
    const detail = flagOption(name)?.terse ? 'parse error' : problem;
    return `invalid argument ${quoteGo(text)} for "${title}" flag: ${detail}`;
  },
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
