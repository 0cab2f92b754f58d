import { isJsonObject } from '../../base/index.ts';
import { parseGroupVersion } from '../schema/identities.ts';
import { jsonKind } from '../schema/json-text.ts';
import { BodySyntaxError, unrecognizedObject } from './body-syntax-error.ts';
import { type ParseJsonOptions, parseJson } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';
import { readTypeMeta } from './type-meta.ts';

const typeMetaName =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/**
 * Parses a request's body. With `expectedKind` it must hold an object (or null) whose `kind` and `apiVersion`,
 * if any, are readable, and failures are API errors; `decodeObject` then checks that they fit.
 *
 * @throws BodySyntaxError without `expectedKind`, when the text is not JSON or YAML.
 * @throws StatusError BadRequest with `expectedKind`, with apimachinery's whole message.
 */
export function decodeBody(bytes: Buffer, format: 'json' | 'yaml', expectedKind?: string): unknown {
  if (expectedKind === undefined) return format === 'json' ? parseJson(bytes) : parseYaml(bytes);
  try {
    return decodeObjectBody(bytes, format);
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
    throw unrecognizedObject(expectedKind, error.message, bytes);
  }
}

/**
 * Parses a body that must hold an object (or null) whose `kind` and `apiVersion`, if any, are readable. Numbers in JSON that
 * are beyond all doubles keep their digits, unless they are refused.
 *
 * @throws BodySyntaxError in apimachinery's words.
 */
export function decodeObjectBody(
  bytes: Buffer,
  format: 'json' | 'yaml',
  options: Pick<ParseJsonOptions, 'beyondDoubles'> = {},
): unknown {
  let value: unknown;
  try {
    // Integers of a type must be written as such in JSON; whatever reads YAML takes `10.0`, as apimachinery does.
    value = format === 'json' ? parseJson(bytes, { ...options, keepsFractions: true }) : parseYaml(bytes);
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
    const head = format === 'json' ? "couldn't get version/kind; json parse error: " : '';
    throw new BodySyntaxError(head + error.message);
  }
  const fault = describeTypeMetaFault(value);
  if (fault !== undefined) throw new BodySyntaxError(fault);
  return value;
}

/** Why `kind` and `apiVersion` of a value cannot be read, in apimachinery's words; undefined when they can. */
export function describeTypeMetaFault(value: unknown): string | undefined {
  if (value === null) return undefined;
  const head = "couldn't get version/kind; json parse error: json: cannot unmarshal";
  if (!isJsonObject(value)) return `${head} ${jsonKind(value)} into Go value of type ${typeMetaName}`;
  const { apiVersion, misfit } = readTypeMeta(value);
  if (misfit !== undefined) {
    return `${head} ${jsonKind(misfit.value)} into Go struct field .${misfit.name} of type string`;
  }
  return parseGroupVersion(apiVersion) === undefined
    ? `unexpected GroupVersion string: ${apiVersion}`
    : undefined;
}
