/**
 * The OpenAPI documents of this server, built when they are first asked for and kept as compressed bytes: `/openapi/v2` for
 * everything, and those of later releases, `/openapi/v3` with one document for each version of a group. What they say comes from
 * `apis/openapi`.
 */
export {
  type CustomSource,
  type DocumentEncoding,
  DocumentStore,
  type DocumentStoreOptions,
  type EncodedDocument,
  type RemoteSource,
} from './document-store.ts';
export { GroupVersionStore } from './group-versions.ts';
export { createOpenApiHandler, createOpenApiV3Handler, type OpenApiV3Options } from './handler.ts';
export { encodeDocument, readRemoteDocument } from './remote-document.ts';
