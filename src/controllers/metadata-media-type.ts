import type { Dialect } from '../machinery/dialect.ts';

/** `Accept` headers that ask for metadata alone: of single objects and watch events, and of lists. */
export interface MetadataMediaTypes {
  readonly object: string;
  readonly list: string;
}

/** The headers in the dialect's spelling. Servers that cannot answer so send whole objects, which will do too. */
export function metadataMediaTypes(dialect: Dialect): MetadataMediaTypes {
  const ask = (kind: string): string =>
    `application/json;as=${kind};v=v1;g=${dialect.group('meta')},application/json`;
  return { object: ask('PartialObjectMetadata'), list: ask('PartialObjectMetadataList') };
}
