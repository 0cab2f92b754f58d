import { asJsonObject } from '../../base/index.ts';
import { BodySyntaxError, decodeObject, decodeObjectBody } from '../../machinery/codec/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { isFailureStatus } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { type GroupVersionKind, parseGroupVersion, type TypeCatalog } from '../../machinery/schema/index.ts';
import { CalloutError } from './webhook-caller.ts';

/** What an answer is read with. */
export interface ReadReviewOptions {
  readonly catalog: TypeCatalog;
  readonly dialect: Dialect;
  /** What was sent: the answer must be of the same kind and version. */
  readonly expected: GroupVersionKind;
}

/**
 * The review in the answer of a webhook, in canonical form, whatever media type it names.
 *
 * @throws CalloutError in the words of release 1.20's client, for what is no such review.
 */
export function readReview(answer: Buffer, { catalog, dialect, expected }: ReadReviewOptions): ApiObject {
  const refusal = (cause: string): Error => new CalloutError(cause);
  const isJson = /^\s*\{/.test(answer.toString('latin1', 0, 64));
  const value = parse(answer, isJson, refusal);
  if (isFailureStatus(value)) throw refusal(value.message ?? 'unknown');
  const { apiVersion = '', kind = expected.kind } = asJsonObject(value);
  const { group = '', version = '' } = parseGroupVersion(String(apiVersion)) ?? {};
  const isOtherVersion = group === expected.group && version !== expected.version && version !== '';
  if (isOtherVersion && catalog.kind({ group, version, kind: String(kind) }) !== undefined) {
    throw refusal(
      `converting (${version}.${kind}) to (${expected.version}.${expected.kind}): unknown conversion`,
    );
  }
  return decodeObject({ value, text: isJson ? answer : undefined, catalog, dialect, expected, refusal });
}

function parse(answer: Buffer, isJson: boolean, refusal: (cause: string) => Error): unknown {
  try {
    // What is no JSON may be YAML.
    return decodeObjectBody(answer, isJson ? 'json' : 'yaml');
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
    throw refusal(error.message);
  }
}
