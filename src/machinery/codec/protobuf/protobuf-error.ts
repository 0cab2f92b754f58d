import { DecodeError } from '../../schema/catalog.ts';

/** Bytes that are no message of their type. The message is apimachinery's (release 1.20), without a path. */
export class ProtobufError extends DecodeError {
  #path: string;

  constructor(message: string, options?: { readonly path?: string; readonly cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.#path = options?.path ?? '';
  }

  /** Where it happened: `spec.containers[0].name`; empty for the envelope and for the message itself. */
  get path(): string {
    return this.#path;
  }

  /** Puts one level in front of the path, on the way out of nested messages. */
  addOuter(segment: string): void {
    const isJoined = this.#path === '' || this.#path.startsWith('[');
    this.#path = isJoined ? segment + this.#path : `${segment}.${this.#path}`;
  }
}

/** A kind or type that has no Protobuf form: custom resources, tables, what the catalog does not know. */
export class NoProtobufFormError extends Error {
  override readonly name = 'NoProtobufFormError';
  /** The type as it was asked for: a catalog key or `kind in version`. */
  readonly type: string;

  constructor(type: string) {
    super(`encode ${type} in Protobuf: the type has no such form`);
    this.type = type;
  }
}

/** The error with one more level in its path. Errors of other kinds (bad quantities, ...) become one. */
export function errorBelow(segment: string, error: unknown): unknown {
  if (error instanceof ProtobufError) {
    error.addOuter(segment);
    return error;
  }
  if (!(error instanceof Error)) return error;
  return new ProtobufError(error.message, { path: segment, cause: error });
}

const texts = {
  end: 'unexpected EOF',
  overflow: 'proto: integer overflow',
  negativeLength: 'proto: negative length found during unmarshaling',
  endOfGroup: 'proto: unexpected end of group',
  depth: 'proto: exceeded max depth',
} as const;

/** @throws ProtobufError always, in apimachinery's words. */
export function throwMalformed(what: keyof typeof texts): never {
  throw new ProtobufError(texts[what]);
}
