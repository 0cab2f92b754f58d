/** What can be wrong with keys and certificates on disk. */
export type PkiErrorCode = 'missing' | 'unreadable' | 'unwritable' | 'mismatch';

/** A key or certificate that cannot be used; the message names the file and what to do. */
export class PkiError extends Error {
  readonly code: PkiErrorCode;

  constructor(code: PkiErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PkiError';
    this.code = code;
  }
}
