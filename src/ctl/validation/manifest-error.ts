import { CtlError } from '../errors.ts';

/** An object of a file does not fit what the server says of its kind. */
export class ManifestError extends CtlError {
  /** What is wrong, without the file's name and advice. */
  readonly detail: string;

  constructor(source: string, detail: string) {
    super(
      `error validating ${JSON.stringify(source)}: error validating data: ${detail}; if you choose to ignore these errors, turn validation off with --validate=false`,
    );
    this.detail = detail;
  }
}
