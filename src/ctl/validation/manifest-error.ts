import { CtlError } from '../errors.ts';

/** A place in a file, line and column from 1. */
export interface FilePlace {
  /** File, URL or `STDIN`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `web.yaml:17:9`. */
export const formatPlace = ({ file, line, column }: FilePlace): string => `${file}:${line}:${column}`;

/** The field that is wrong. */
export interface FaultyField {
  readonly path: string;
  readonly text: string;
  /** Undefined where nobody wrote the text. */
  readonly place: FilePlace | undefined;
}

/** An object of a file does not fit what the server says of its kind. */
export class ManifestError extends CtlError {
  /** What is wrong, without the file's name and advice. */
  readonly detail: string;
  /** Undefined when the error is about several fields, or none. */
  readonly field: FaultyField | undefined;

  constructor(message: string, detail: string, field?: FaultyField) {
    super(message);
    this.detail = detail;
    this.field = field;
  }
}

/** All that is wrong with one document, in the words of the client of release 1.20. */
export function releaseError(source: string, detail: string): ManifestError {
  return new ManifestError(
    `error validating ${JSON.stringify(source)}: error validating data: ${detail}; if you choose to ignore these errors, turn validation off with --validate=false`,
    detail,
  );
}
