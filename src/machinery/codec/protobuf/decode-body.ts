import { badRequest, quoteGo } from '../../errors/index.ts';
import { formatGroupVersion, type GroupVersionKind, parseGroupVersion } from '../../schema/index.ts';
import { unrecognizedObject } from '../body-syntax-error.ts';
import type { ProtobufCompiler } from './compile.ts';
import { decodeEnvelope, type Envelope } from './envelope.ts';
import { ProtobufError } from './protobuf-error.ts';

export interface DecodeProtobufBodyRequest {
  /** The whole body, not longer than bodies may be. */
  readonly bytes: Buffer;
  readonly compiler: ProtobufCompiler;
  /** Kind and version of the endpoint; they hold where the envelope names none. */
  readonly expected: GroupVersionKind;
  /** Makes the error for a body that does not fit, from the bare cause; BadRequest when left out. */
  readonly refusal?: (cause: string) => Error;
}

/**
 * The object of a request's body, as parsed JSON of it would be, kind and apiVersion included: `decodeObject`
 * takes it and checks that they fit. A message of another kind or group is not read, since it is refused
 * there; nothing but its kind and version is in the result then.
 *
 * @throws StatusError BadRequest with apimachinery's whole message.
 */
export function decodeProtobufBody(request: DecodeProtobufBodyRequest): Record<string, unknown> {
  const { compiler, expected } = request;
  const envelope = openBody(request);
  const kind = envelope.kind || expected.kind;
  const apiVersion = envelope.apiVersion || formatGroupVersion(expected.group, expected.version);
  const parsed = parseGroupVersion(apiVersion);
  const isExpected = kind === expected.kind && parsed?.group === expected.group;
  if (parsed === undefined || !isExpected || !compiler.hasKind({ ...parsed, kind }))
    return { kind, apiVersion };
  try {
    return compiler.kind({ ...parsed, kind }).decode(envelope.raw, { kind, apiVersion });
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    const refusal = request.refusal ?? ((cause) => cannotBeHandled(kind, parsed.version, cause));
    throw refusal(error.message);
  }
}

function openBody({ bytes, expected, refusal }: DecodeProtobufBodyRequest): Envelope {
  try {
    return decodeEnvelope(bytes);
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw refusal?.(error.message) ?? unrecognizedObject(expected.kind, error.message, bytes);
  }
}

function cannotBeHandled(kind: string, version: string, cause: string): Error {
  return badRequest(`${kind} in version ${quoteGo(version)} cannot be handled as a ${kind}: ${cause}`);
}
