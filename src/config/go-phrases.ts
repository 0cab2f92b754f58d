import { quoteGo } from '../machinery/errors/index.ts';
import { type PhraseBook, plainPhrases } from './phrases.ts';

/**
 * The words of Go's flag packages and parsers, which users of the programs of release 1.20 know. Sources:
 * https://pkg.go.dev/github.com/spf13/pflag, https://pkg.go.dev/strconv#NumError,
 * https://pkg.go.dev/encoding/csv#ParseError
 */
export const goPhrases: PhraseBook = {
  ...plainPhrases,
  refusedValue: ({ option: { name, short }, text, problem }) => {
    const title = short === undefined ? `--${name}` : `-${short}, --${name}`;
    return `invalid argument ${quoteGo(text)} for "${title}" flag: ${problem}`;
  },
  bool: (text) => syntaxError('ParseBool', text),
  integer: ({ text, isUnsigned, isOutOfRange }) => {
    const parser = isUnsigned ? 'ParseUint' : 'ParseInt';
    return isOutOfRange ? rangeError(parser, text) : syntaxError(parser, text);
  },
  float: ({ text, isOutOfRange }) =>
    isOutOfRange ? rangeError('ParseFloat', text) : syntaxError('ParseFloat', text),
  duration: (_, detail) => detail,
  ip: (text) => `${quoteGo(text)} is not a valid IP address`,
  bareQuote: ({ column, isInQuotes }) => {
    const fault = isInQuotes ? 'extraneous or missing " in quoted-field' : 'bare " in non-quoted-field';
    return `parse error on line 1, column ${column}: ${fault}`;
  },
  lonePart: (_, shape) => `malformed pair, expect ${shape}`,
  namelessPart: () => undefined,
  mapEntry: ({ key, text, problem }) => `invalid value of ${key}: ${text}, err: ${problem}`,
};

const rangeError = (parser: string, text: string): string =>
  `strconv.${parser}: parsing ${quoteGo(text)}: value out of range`;

function syntaxError(parser: string, text: string): string {
  return `strconv.${parser}: parsing ${quoteGo(text)}: invalid syntax`;
}
