import { createTypeCatalog } from '../../src/apis/catalog.ts';
import { createProtobufCompiler } from '../../src/machinery/codec/protobuf/index.ts';
import { orchDialect } from '../../src/machinery/dialect.ts';
import type { Encodings } from '../../src/server/request/encode-value.ts';
import { Negotiator } from '../../src/server/request/negotiate.ts';

/** The encodings of a server of the first dialect. */
export const encodings: Encodings = {
  negotiator: new Negotiator(orchDialect, orchDialect.protobufMediaType),
  protobuf: createProtobufCompiler(createTypeCatalog(orchDialect)),
};
