import type { OpenApiSchemas } from '../../client/openapi/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import type { Ctl } from '../ctl.ts';
import type { WireObject } from '../resource/api-object.ts';
import { ManifestError } from './manifest-error.ts';
import { validateObject } from './validate-object.ts';

/** Checks objects of files; `source` is what messages call the file. @throws ManifestError when an object does not fit */
export type ManifestCheck = (object: WireObject, source: string) => Promise<void>;

/**
 * A check of objects against what the server says of their kinds. Kinds that it says nothing of pass. What was kept from an
 * earlier command serves as long as objects fit; before one is refused, the server is asked.
 */
export function createManifestCheck(ctl: Ctl): ManifestCheck {
  return async (object, source) => {
    const cache = await ctl.openApi();
    let errors: readonly string[];
    try {
      errors = listErrors(await cache.get(), object);
      if (errors.length > 0) errors = listErrors(await cache.refresh(), object);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      throw new ManifestError(source, `failed to download openapi: ${error.message}`);
    }
    if (errors.length === 0) return;
    throw new ManifestError(source, errors.length === 1 ? String(errors[0]) : `[${errors.join(', ')}]`);
  };
}

function listErrors(schemas: OpenApiSchemas, object: WireObject): readonly string[] {
  const { apiVersion, kind } = object;
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const definition = schemas.nameOf({ group, version, kind });
  return definition === undefined ? [] : validateObject(schemas, { definition, kind, object });
}
