import { YAMLException } from 'js-yaml';
import type { BodySyntaxError } from './body-syntax-error.ts';

/** The reader's words for text behind a document that has ended. */
export const behindDocument = 'end of the stream or a document separator is expected';
const noToken = 'found character that cannot start any token';
/** Characters that no plain text begins with. */
const indicators = new Set('@`%');

/** go-yaml 2's words where the two readers mean the same. */
const reasons: Readonly<Record<string, string>> = {
  'bad indentation of a mapping entry': 'mapping values are not allowed in this context',
  'unexpected end of the stream within a flow collection': "did not find expected ',' or ']'",
  'unexpected end of the stream within a double quoted scalar': 'found unexpected end of stream',
  'unexpected end of the stream within a single quoted scalar': 'found unexpected end of stream',
  [behindDocument]: 'did not find expected <document start>',
  'tab characters must not be used in indentation': noToken,
  'unknown escape sequence': 'found unknown escape character',
};
/** The same where nobody is told a line. */
const controlReasons = new Set([
  'the stream contains non-printable characters',
  'null byte is not allowed in input',
]);

/** Where the reader stopped, from 1. */
export function placeOfYamlError(error: unknown): BodySyntaxError['place'] {
  const mark = error instanceof YAMLException ? error.mark : undefined;
  return mark && { line: mark.line + 1, column: mark.column + 1 };
}

/** Why a text is no YAML, as far as can be told in go-yaml 2's words. */
export function describeYamlError(error: unknown, text: string): string {
  if (!(error instanceof YAMLException)) return 'document cannot be read';
  const unknownAlias = /^unidentified alias "(.*)"$/.exec(error.reason);
  if (unknownAlias !== null) return `unknown anchor '${unknownAlias[1]}' referenced`;
  if (controlReasons.has(error.reason)) return 'control characters are not allowed';
  const { line, position } = error.mark ?? { line: 0, position: text.length };
  const isIndicator = indicators.has(text.charAt(position));
  const reason = isIndicator ? noToken : (reasons[error.reason] ?? error.reason);
  return line > 0 ? `line ${line + 1}: ${reason}` : reason;
}
