import { asJsonObject, isJsonObject } from '../../base/index.ts';
import type { OpenApiSchemas, SchemaVersion } from '../../client/openapi/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import type { Ctl } from '../ctl.ts';
import { listMissingIdentity } from '../resource/api-object.ts';
import { ManifestError } from './manifest-error.ts';
import { validateObject } from './validate-object.ts';

/**
 * Checks the objects of one document, all of them before one is sent; `source` is what messages call the file.
 *
 * @throws ManifestError with everything that does not fit.
 */
export type ManifestCheck = (objects: readonly unknown[], source: string) => Promise<void>;

/**
 * A check of objects against what the server says of their kinds. Kinds that it says nothing of pass. What was kept from an
 * earlier command serves as long as objects fit; before one is refused, the server is asked.
 */
export function createManifestCheck(ctl: Ctl): ManifestCheck {
  return async (objects, source) => {
    const cache = await ctl.openApi();
    const versions = objects.map(versionOf);
    let errors: readonly string[];
    try {
      errors = listErrors(await cache.get(versions), objects);
      if (errors.length > 0) errors = listErrors(await cache.refresh(versions), objects);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      throw new ManifestError(source, `failed to download openapi: ${error.message}`);
    }
    if (errors.length === 0) return;
    throw new ManifestError(source, errors.length === 1 ? String(errors[0]) : `[${errors.join(', ')}]`);
  };
}

function versionOf(object: unknown): SchemaVersion {
  const [version = '', group = ''] = String(asJsonObject(object).apiVersion).split('/').reverse();
  return { group, version };
}

function listErrors(schemas: OpenApiSchemas, objects: readonly unknown[]): readonly string[] {
  return objects.flatMap((object) => {
    if (!isJsonObject(object)) return ['invalid object to validate'];
    const missing = listMissingIdentity(object);
    if (missing.length > 0) return missing.map((name) => `${name} not set`).toReversed();
    const gvk = { ...versionOf(object), kind: String(object.kind) };
    const definition = schemas.nameOf(gvk);
    return definition === undefined ? [] : validateObject(schemas, { definition, kind: gvk.kind, object });
  });
}
