import type { BodySyntaxError } from '../../machinery/codec/index.ts';
import { locateJsonFault } from '../../machinery/schema/index.ts';
import { type FilePlace, formatPlace, ManifestError } from '../validation/manifest-error.ts';

/** A document of a file that cannot be read, and where it begins in the file. */
export interface UnreadText {
  readonly source: string;
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** In the words of the client of release 1.20; else the error points into the file: `web.yaml:4:6 did not find expected key`. */
  readonly isRelease: boolean;
}

/** A file that is no YAML or JSON. */
export class ManifestSyntaxError extends ManifestError {}

/** What is wrong with a text that is no YAML. */
export function yamlError(unread: UnreadText, { message, place }: BodySyntaxError): ManifestSyntaxError {
  const reason = message.replace(/^yaml: (?:line \d+: )?/, '');
  const words = `error converting YAML to JSON: ${message}`;
  return syntaxError(unread, { reason, words, place: inFile(unread, place ?? { line: 1, column: 1 }) });
}

/** What is wrong with a text that is no JSON. The client of release 1.20 counts lines from 0. */
export function jsonError(unread: UnreadText): ManifestSyntaxError {
  const bytes = Buffer.from(unread.text, 'utf8');
  const { message: reason, offset } = locateJsonFault(bytes) ?? { message: 'text is not JSON', offset: 0 };
  const before = bytes.toString('utf8', 0, offset);
  const column = before.length - before.lastIndexOf('\n');
  const place = inFile(unread, { line: before.split('\n').length, column });
  const isCut = reason === 'unexpected end of JSON input';
  const words = isCut ? 'unexpected EOF' : `json: line ${place.line - 1}: ${reason}`;
  return syntaxError(unread, { reason, words, place });
}

function syntaxError(
  { source, isRelease }: UnreadText,
  { reason, words, place }: { readonly reason: string; readonly words: string; readonly place: FilePlace },
): ManifestSyntaxError {
  const message = isRelease ? `error parsing ${source}: ${words}` : `${formatPlace(place)} ${reason}`;
  return new ManifestSyntaxError(message, reason, { path: '', text: reason, place });
}

function inFile({ source, line, column }: UnreadText, place: { line: number; column: number }): FilePlace {
  // What stands in the first line of its document has what is before the document to its left.
  const shift = place.line === 1 ? column - 1 : 0;
  return { file: source, line: line + place.line - 1, column: place.column + shift };
}
