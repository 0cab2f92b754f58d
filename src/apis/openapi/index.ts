/**
 * The OpenAPI document (Swagger 2.0) of an API, and those of its versions (OpenAPI 3), made from the tables of types and
 * resources: paths, parameters, definitions with merge markers, own descriptions; fragments of custom resources that join
 * it; and the encodings, JSON and the Protobuf of OpenAPIv2.proto. It serves nothing and keeps nothing: pieces are made while
 * they are iterated. Source: the document that release 1.20 publishes.
 */
export type { CustomResource } from './custom-resource.ts';
export { customDefinitionName } from './definition-names.ts';
export {
  createCustomFragment,
  createOpenApiDocument,
  type OpenApiDocument,
  type OpenApiFragment,
  type OpenApiSources,
} from './document.ts';
export { type Encoding, jsonEncoding, protobufEncoding } from './encoders.ts';
export {
  encodeGroupVersion,
  encodeRemoteVersion,
  type GroupVersionSources,
} from './group-version-document.ts';
export {
  digestOfDefinition,
  joinRemoteFragment,
  type RemoteFragment,
  readRemoteFragment,
} from './remote-fragment.ts';
export type { Schema } from './swagger.ts';
