import type { NodeConfigSource } from '../../apis/types/core-v1.ts';
import { isJsonObject } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { ConfigFailure } from './reasons.ts';

/** Which ConfigMap a node is to take its agent's configuration from, and which of its keys. */
export interface DesiredSource {
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
}

/** One version of it. All parts are names that are safe as parts of a path. */
export interface ConfigSource extends DesiredSource {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** A source that cannot be used; `detail` is for the log. */
export interface BadSource {
  readonly failure: ConfigFailure;
  readonly detail: string;
}

/** What a node asks for: local configuration, a ConfigMap, or something that is neither. */
export type SourceRequest =
  | { readonly kind: 'local' }
  | { readonly kind: 'configMap'; readonly source: DesiredSource }
  | ({ readonly kind: 'bad' } & BadSource);

/** Names become parts of paths of files and requests. */
const safeName = /^(?!\.\.?$)[-._a-zA-Z0-9]{1,253}$/;

/** Whether a text may be a part of a path. */
export const isSafeName = (text: unknown): text is string => typeof text === 'string' && safeName.test(text);

const keyField = (dialect: Dialect): string => dialect.spell('nodeAgentConfigKey');

/** Reads `spec.configSource` of a node; a server is not trusted to have checked it. */
export function readSourceRequest(source: unknown, dialect: Dialect): SourceRequest {
  if (source === undefined || source === null) return { kind: 'local' };
  const configMap = isJsonObject(source) ? source.configMap : undefined;
  if (configMap === undefined || configMap === null) {
    return { kind: 'bad', failure: 'empty', detail: 'the source names no ConfigMap' };
  }
  const desired = readDesired(configMap, dialect);
  return 'failure' in desired ? { kind: 'bad', ...desired } : { kind: 'configMap', source: desired };
}

/** Reads a source with its version, as status and checkpoints have it. */
export function readConfigSource(source: unknown, dialect: Dialect): ConfigSource | BadSource {
  const request = readSourceRequest(source, dialect);
  if (request.kind === 'local') return { failure: 'empty', detail: 'there is no source' };
  if (request.kind === 'bad') return request;
  // It was read a line ago.
  const { uid, resourceVersion } = (source as { configMap: Record<string, unknown> }).configMap;
  return withVersion(request.source, { uid, resourceVersion });
}

/** The source at one version of its ConfigMap. */
export function withVersion(
  source: DesiredSource,
  { uid, resourceVersion }: { readonly uid: unknown; readonly resourceVersion: unknown },
): ConfigSource | BadSource {
  if (!isSafeName(uid)) return bad('uid', uid);
  if (!isSafeName(resourceVersion)) return bad('resourceVersion', resourceVersion);
  return { ...source, uid, resourceVersion };
}

function readDesired(configMap: unknown, dialect: Dialect): DesiredSource | BadSource {
  const parts = isJsonObject(configMap) ? configMap : {};
  const { namespace, name } = parts;
  const key = parts[keyField(dialect)];
  if (!isSafeName(namespace)) return bad('namespace', namespace);
  if (!isSafeName(name)) return bad('name', name);
  if (!isSafeName(key)) return bad(keyField(dialect), key);
  return { namespace, name, key };
}

const maxShown = 100;

function bad(field: string, value: unknown): BadSource {
  const shown = (JSON.stringify(value) ?? 'undefined').slice(0, maxShown);
  return { failure: 'internal', detail: `${field} of the source cannot be used: ${shown}` };
}

/** The source as objects of the API have it, its fields spelled as the dialect has them. */
export function toNodeConfigSource(source: ConfigSource, dialect: Dialect): NodeConfigSource {
  const { namespace, name, uid, resourceVersion, key } = source;
  const configMap = { namespace, name, uid, resourceVersion, [keyField(dialect)]: key };
  // Types are in the orch spelling; what is written is in that of the dialect.
  return { configMap } as unknown as NodeConfigSource;
}

/** Whether both are the same key of the same version of the same ConfigMap, or both are none. */
export function isSameSource(a: ConfigSource | undefined, b: ConfigSource | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.namespace === b.namespace &&
    a.name === b.name &&
    a.key === b.key &&
    a.uid === b.uid &&
    a.resourceVersion === b.resourceVersion
  );
}

/** Where the ConfigMap is in the API. */
export const sourcePath = ({ namespace, name }: DesiredSource): string =>
  resourcePath({ group: '', version: 'v1', resource: 'configmaps', namespace, name });
