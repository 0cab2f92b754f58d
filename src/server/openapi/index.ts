/**
 * `/openapi/v2`: the OpenAPI document of this server, built when it is first asked for and kept as compressed bytes. What the
 * document says comes from `apis/openapi`.
 */
export {
  type DocumentEncoding,
  DocumentStore,
  type DocumentStoreOptions,
  type EncodedDocument,
} from './document-store.ts';
export { createOpenApiHandler, openApiPath } from './handler.ts';
