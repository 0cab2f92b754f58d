/** A manifest that holds no usable pod; the message is as release 1.20 words it. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
  /** Whether the text was a pod (or a list of pods) at all: then it was refused for what it says. */
  readonly isDecoded: boolean;

  constructor(message: string, options: { readonly isDecoded: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause });
    this.isDecoded = options.isDecoded;
  }
}
