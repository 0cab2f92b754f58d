/**
 * The definitions of a server's OpenAPI documents: asked for once, kept on disk, and read one by one. What they mean to
 * manifests or to users is not its business.
 */
export { createOpenApiCache, type OpenApiCache, type OpenApiCacheOptions } from './cache.ts';
export { type OpenApiSchemas, packDefinitions, readDefinitions } from './schemas.ts';
export { type SchemaShape, shapeOf } from './shape.ts';
export type { SchemaVersion } from './version-documents.ts';
