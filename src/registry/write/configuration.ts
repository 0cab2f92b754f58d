import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { isJsonObject, jsonBytes, type Steps } from '../../base/index.ts';
import { BodySyntaxError, decodeObject, parseJson, parseYaml } from '../../machinery/codec/index.ts';
import { badRequest, otherFailure } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { wrapIntegers } from '../../machinery/patch/strategic/index.ts';
import { formatGroupVersion, type GroupVersionKind, jsonKind } from '../../machinery/schema/index.ts';
import type { ServedKind } from '../resource-store.ts';
import { misfitMessage } from './misfit.ts';
import { applyConfiguration } from './owners.ts';

/** A configuration to apply, who applies it, and how. */
export interface ConfigurationRequest {
  /** YAML, and therefore also JSON. */
  readonly bytes: Buffer;
  /** Kind of the configuration: the resource's, or a subresource's own. */
  readonly kind: GroupVersionKind;
  readonly manager: string;
  /** Whether it takes over what others own. */
  readonly isForced: boolean;
}

/** Merges a configuration into the stored object; creates one where there is none. @throws StatusError */
export type AppliedPatch = (live: ApiObject | undefined) => Steps<ApiObject>;

/**
 * Makes a configuration ready to be applied, with the record of owners. The current object itself comes back when nothing
 * changes. The bytes are read when it is applied, which is seldom more than once; such as are neither YAML nor JSON are
 * refused then, with 400.
 */
export function compileConfiguration(served: ServedKind, request: ConfigurationRequest): AppliedPatch {
  return (live) => configured(served, request, live);
}

function* configured(
  served: ServedKind,
  { bytes, kind, manager, isForced }: ConfigurationRequest,
  live: ApiObject | undefined,
): Steps<ApiObject> {
  const { catalog, dialect } = served.store.environment.ruleContext;
  const apiVersion = formatGroupVersion(kind.group, kind.version);
  const config = parseConfiguration(bytes);
  yield;
  const applied = yield* applyConfiguration(served, {
    live,
    config,
    manager,
    isForced,
    apiVersion,
    kind: kind.kind,
  });
  if (live !== undefined && !applied.isChanged) return live;
  yield;
  const value = applied.object;
  const type = catalog.kind(kind);
  const refusal = (decodeMessage: string): Error => {
    const why = misfitMessage(value, { kind, type, catalog, decodeMessage });
    return otherFailure(500, '', `failed to convert new object to proper version: ${why}`);
  };
  const fitting = type?.decodeLeniently?.(value) ?? (type && wrapIntegers(value, type, catalog)) ?? value;
  const object: ApiObject = decodeObject({ value: fitting, catalog, dialect, expected: kind, refusal });
  object.metadata.managedFields = applied.managedFields;
  return object;
}

/** Equal for requests that apply the same configuration in the same way. */
export function fingerprintOf({ bytes, kind, manager, isForced }: ConfigurationRequest): string {
  const { group, version, kind: name } = kind;
  return [hash('sha256', bytes, 'base64'), group, version, name, manager, String(isForced)].join('\n');
}

function parseConfiguration(body: Buffer): Record<string, unknown> {
  const value = parseAny(body) ?? {};
  if (isJsonObject(value)) return value;
  throw unreadable(
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`,
  );
}

/** JSON is YAML, and read many times faster by its own reader, which takes what is not UTF-8, too. */
function parseAny(body: Buffer): unknown {
  if (body[0] === jsonBytes.braceOpen && isUtf8(body)) {
    try {
      return parseJson(body, { beyondDoubles: 'text' });
    } catch (error) {
      if (!(error instanceof BodySyntaxError)) throw error;
    }
  }
  try {
    return parseYaml(body);
  } catch (error) {
    if (error instanceof BodySyntaxError) throw unreadable(`error converting YAML to JSON: ${error.message}`);
    throw error;
  }
}

const unreadable = (cause: string): Error => badRequest(`error decoding YAML: ${cause}`);
