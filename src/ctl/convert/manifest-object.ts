import { isJsonObject } from '../../base/index.ts';
import { formatObjectName } from '../printers/name.ts';
import { listMissingIdentity } from '../resource/api-object.ts';
import type { Fault } from './find-faults.ts';
import { showValue } from './notice.ts';

/** An object as it stands in a manifest: it says what it is, and may leave all else out. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  readonly [field: string]: unknown;
}

/** What keeps a document from being an object that says what it is; nothing when it does (`isManifestObject`). */
export function identityFaults(document: unknown): readonly Fault[] {
  if (!isJsonObject(document)) return [{ path: [], text: 'must be an object' }];
  const missing = listMissingIdentity(document)
    .toReversed()
    .map((name) => ({ path: [], text: `Object '${name === 'kind' ? 'Kind' : name}' is missing` }));
  const { metadata } = document;
  const isMap = metadata === undefined || metadata === null || isJsonObject(metadata);
  if (isMap) return missing;
  return [...missing, { path: ['metadata'], text: `is ${showValue(metadata)}, must be a map` }];
}

/** True for a document without such faults. */
export const isManifestObject = (document: unknown): document is ManifestObject =>
  identityFaults(document).length === 0;

/** `deployment.apps/web`, by the version that the object was written in. */
export function nameOf({ apiVersion, kind, metadata }: ManifestObject): string {
  const slash = apiVersion.indexOf('/');
  const name = String(metadata?.name || metadata?.generateName || '<unnamed>');
  return formatObjectName({ group: slash < 0 ? '' : apiVersion.slice(0, slash), kind, name });
}
