import { CtlError } from '../errors.ts';

/** An object of a file does not fit what the server says of its kind. */
export class ManifestError extends CtlError {
  /** What is wrong, without the file's name and advice. */
  readonly detail: string;

  constructor(message: string, detail: string) {
    super(message);
    this.detail = detail;
  }
}

/** All that is wrong with one document, in the words of the client of release 1.20. */
export function releaseError(source: string, detail: string): ManifestError {
  return new ManifestError(
    `error validating ${JSON.stringify(source)}: error validating data: ${detail}; if you choose to ignore these errors, turn validation off with --validate=false`,
    detail,
  );
}
