import { hash } from 'node:crypto';
import { isJsonObject } from '../../base/index.ts';
import { BodySyntaxError, decodeObject, parseJson, parseYaml } from '../../machinery/codec/index.ts';
import { badRequest } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { formatGroupVersion, type GroupVersionKind, jsonKind } from '../../machinery/schema/index.ts';
import { applyConfiguration } from '../../registry/index.ts';
import type { PatchQuery } from '../request/options.ts';
import type { StoredEndpoint } from './endpoint.ts';
import type { Patch } from './read-patch.ts';

/** Media type of a configuration to apply: YAML, and therefore also JSON. */
export const applyMediaType = 'application/apply-patch+yaml';

/** Where a configuration is applied, and how. */
interface ConfigurationUse extends Pick<StoredEndpoint, 'context' | 'served'> {
  readonly kind: GroupVersionKind;
  readonly query: PatchQuery;
}

/**
 * The patch that a configuration is: merged into what is there, with the record of owners. The current object itself
 * comes back when nothing changes. The body is read when it is first applied; one that is neither YAML nor JSON is
 * refused then, with 400.
 */
export function readConfiguration(body: Buffer, { context, served, kind, query }: ConfigurationUse): Patch {
  let parsed: Record<string, unknown> | undefined;
  const { catalog, dialect } = context;
  const { fieldManager: manager, isForced } = query;
  const apiVersion = formatGroupVersion(kind.group, kind.version);
  return (live) => {
    parsed ??= parseConfiguration(body);
    const config = parsed;
    const applied = applyConfiguration(served, { live, config, manager, isForced, apiVersion });
    if (live !== undefined && !applied.isChanged) return live;
    const object: ApiObject = decodeObject({ value: applied.object, catalog, dialect, expected: kind });
    object.metadata.managedFields = applied.managedFields;
    return object;
  };
}

/** Equal for requests that apply the same configuration in the same way. */
export function configurationFingerprint(
  body: Buffer,
  { kind, query }: Pick<ConfigurationUse, 'kind' | 'query'>,
): string {
  const { group, version, kind: name } = kind;
  const { fieldManager, isForced } = query;
  return [hash('sha256', body, 'base64'), group, version, name, fieldManager, String(isForced)].join('\n');
}

function parseConfiguration(body: Buffer): Record<string, unknown> {
  const value = parseAny(body) ?? {};
  if (isJsonObject(value)) return value;
  throw unreadable(
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`,
  );
}

/** JSON is YAML, and read many times faster by its own reader. */
function parseAny(body: Buffer): unknown {
  if (body[0] === openingBrace) {
    try {
      return parseJson(body);
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

const openingBrace = 0x7b;

const unreadable = (cause: string): Error => badRequest(`error decoding YAML: ${cause}`);
