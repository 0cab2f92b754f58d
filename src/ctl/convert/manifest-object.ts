import { isJsonObject } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import { formatObjectName } from '../printers/name.ts';

/** An object as it stands in a manifest: it says what it is, and may leave all else out. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  readonly [field: string]: unknown;
}

/** The document itself. @throws CtlError when it is no object, or does not say what it is. */
export function checkObject(document: unknown): ManifestObject {
  if (!isJsonObject(document)) throw new CtlError('a document is no object');
  const { apiVersion, kind, metadata } = document;
  if (typeof apiVersion !== 'string' || apiVersion === '') throw new CtlError('apiVersion not set');
  if (typeof kind !== 'string' || kind === '') throw new CtlError('kind not set');
  if (metadata !== undefined && metadata !== null && !isJsonObject(metadata))
    throw new CtlError('metadata must be a map');
  return document as ManifestObject; // all three are checked
}

/** `deployment.apps/web`, by the version that the object was written in. */
export function nameOf({ apiVersion, kind, metadata }: ManifestObject): string {
  const slash = apiVersion.indexOf('/');
  const name = String(metadata?.name || metadata?.generateName || '<unnamed>');
  return formatObjectName({ group: slash < 0 ? '' : apiVersion.slice(0, slash), kind, name });
}
