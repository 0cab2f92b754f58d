import type { CollectionMediaTypes } from '../client/list-watch/index.ts';
import type { Dialect } from '../machinery/dialect.ts';

/** `Accept` headers that ask for metadata alone. */
export interface MetadataMediaTypes extends CollectionMediaTypes {
  /** Of single objects. */
  readonly object: string;
}

/** The headers in the dialect's spelling. Servers that cannot answer so send whole objects, which will do too. */
export function metadataMediaTypes(dialect: Dialect): MetadataMediaTypes {
  const ask = (kind: string): string =>
    `application/json;as=${kind};v=v1;g=${dialect.group('meta')},application/json`;
  const object = ask('PartialObjectMetadata');
  return { object, watch: object, list: ask('PartialObjectMetadataList') };
}
