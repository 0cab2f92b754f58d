/**
 * Checks manifests before they are sent (`--validate`), against the OpenAPI document of the server. It knows types and names
 * of fields only; what values mean is the server's business.
 */

import { asJsonObject, isJsonObject } from '../../base/index.ts';
import type { OpenApiSchemas, SchemaVersion } from '../../client/openapi/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import type { Ctl } from '../ctl.ts';
import { listMissingIdentity } from '../resource/api-object.ts';
import type { ManifestDocument } from '../resource/parse-manifest.ts';
import { locateFaults } from './locate-faults.ts';
import { type ManifestError, releaseError } from './manifest-error.ts';
import { type ManifestFault, validateObject } from './validate-object.ts';

/**
 * Checks the objects of one document, all of them before one is sent, and returns what does not fit.
 *
 * @throws ManifestError when the server does not say what would fit.
 */
export type ManifestCheck = (document: ManifestDocument) => Promise<readonly ManifestError[]>;

/**
 * A check of objects against what the server says of their kinds. Kinds that it says nothing of pass. What was kept from an
 * earlier command serves as long as objects fit; before one is refused, the server is asked. Errors point into the file;
 * in the other dialect there is one for each document, in the words of the client of release 1.20.
 */
export function createManifestCheck(ctl: Ctl): ManifestCheck {
  return async (document) => {
    const cache = await ctl.openApi();
    const versions = document.values.map(versionOf);
    try {
      let faults = listFaults(await cache.get(versions), document);
      if (faults.length > 0) faults = listFaults(await cache.refresh(versions), document);
      return ctl.dialect.name === 'orch' ? locateFaults(document, faults) : joinFaults(document, faults);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      throw releaseError(document.source, `failed to download openapi: ${error.message}`);
    }
  };
}

function joinFaults({ source }: ManifestDocument, faults: readonly ManifestFault[]): ManifestError[] {
  const texts = faults.flatMap(({ releaseText }) => releaseText ?? []);
  if (texts.length === 0) return [];
  return [releaseError(source, texts.length === 1 ? String(texts[0]) : `[${texts.join(', ')}]`)];
}

function versionOf(object: unknown): SchemaVersion {
  const [version = '', group = ''] = String(asJsonObject(object).apiVersion).split('/').reverse();
  return { group, version };
}

function listFaults(schemas: OpenApiSchemas, { values, paths }: ManifestDocument): readonly ManifestFault[] {
  return values.flatMap((object, index): readonly ManifestFault[] => {
    const path = paths[index] ?? [];
    if (!isJsonObject(object)) {
      return [{ path, text: 'must be an object', releaseText: 'invalid object to validate' }];
    }
    const missing = listMissingIdentity(object).map((name) => ({
      path: [...path, name],
      text: 'is required, but missing',
      releaseText: `${name} not set`,
    }));
    if (missing.length > 0) return missing.toReversed();
    const gvk = { ...versionOf(object), kind: String(object.kind) };
    const definition = schemas.nameOf(gvk);
    if (definition === undefined) return [];
    const faults = validateObject(schemas, { definition, kind: gvk.kind, object });
    return faults.map((fault) => ({ ...fault, path: [...path, ...fault.path] }));
  });
}
