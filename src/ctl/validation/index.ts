/**
 * Checks manifests before they are sent (`--validate`), against the OpenAPI document of the server. It knows types and names
 * of fields only; what values mean is the server's business.
 */
export { createManifestCheck, type ManifestCheck } from './check-manifest.ts';
export { ManifestError } from './manifest-error.ts';
export { type ManifestFault, validateObject } from './validate-object.ts';
