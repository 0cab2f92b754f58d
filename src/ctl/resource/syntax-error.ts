import type { BodySyntaxError } from '../../machinery/codec/index.ts';
import { locateJsonFault } from '../../machinery/schema/index.ts';
import { type FilePlace, formatPlace, ManifestError } from '../validation/manifest-error.ts';

/** A document of a file that cannot be read, and where it begins in the file. */
export interface UnreadText {
  readonly source: string;
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** A file that is no YAML or JSON. The message has the words of the client of release 1.20. */
export class ManifestSyntaxError extends ManifestError {
  readonly #reason: string;
  readonly #place: FilePlace;

  constructor(message: string, reason: string, place: FilePlace) {
    super(message, reason, { path: '', text: reason, place });
    this.#reason = reason;
    this.#place = place;
  }

  /** The same error, which points into the file: `web.yaml:4:6 did not find expected key`. */
  pointed(): ManifestSyntaxError {
    const message = `${formatPlace(this.#place)} ${this.#reason}`;
    return new ManifestSyntaxError(message, this.#reason, this.#place);
  }
}

/** What is wrong with a text that is no YAML. */
export function yamlError(unread: UnreadText, { message, place }: BodySyntaxError): ManifestSyntaxError {
  const words = `error parsing ${unread.source}: error converting YAML to JSON: ${message}`;
  const reason = message.replace(/^yaml: (?:line \d+: )?/, '');
  return new ManifestSyntaxError(words, reason, inFile(unread, place ?? { line: 1, column: 1 }));
}

/** What is wrong with a text that is no JSON. The client of release 1.20 counts lines from 0. */
export function jsonError(unread: UnreadText): ManifestSyntaxError {
  const bytes = Buffer.from(unread.text, 'utf8');
  const { message, offset } = locateJsonFault(bytes) ?? { message: 'text is not JSON', offset: 0 };
  const before = bytes.toString('utf8', 0, offset);
  const column = before.length - before.lastIndexOf('\n');
  const place = inFile(unread, { line: before.split('\n').length, column });
  const isCut = message === 'unexpected end of JSON input';
  const detail = isCut ? 'unexpected EOF' : `json: line ${place.line - 1}: ${message}`;
  return new ManifestSyntaxError(`error parsing ${unread.source}: ${detail}`, message, place);
}

function inFile({ source, line, column }: UnreadText, place: { line: number; column: number }): FilePlace {
  // What stands in the first line of its document has what is before the document to its left.
  const shift = place.line === 1 ? column - 1 : 0;
  return { file: source, line: line + place.line - 1, column: place.column + shift };
}
