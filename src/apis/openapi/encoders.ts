import { BackwardWriter, fieldHeader } from '../../machinery/codec/protobuf/index.ts';
import type { OpenApiDocument } from './document.ts';
import { encodeMessage, encodeNamed } from './protobuf/encode-message.ts';

/**
 * Pieces of the bytes of a document; each `next` makes one piece, in little time. Pieces that are empty may come.
 */
export type Encoding = (document: OpenApiDocument) => Iterable<Buffer>;

/** The document as JSON. */
export function* encodeJson(document: OpenApiDocument): Generator<Buffer> {
  yield* preparation(document);
  const { swagger, info, ...rest } = document.frame;
  yield Buffer.from(`${JSON.stringify({ swagger, info }).slice(0, -1)},"paths":{`);
  yield* jsonEntries(document.paths());
  yield Buffer.from('},"definitions":{');
  yield* jsonEntries(document.definitions());
  yield Buffer.from(`},${JSON.stringify(rest).slice(1)}\n`);
}

function* jsonEntries(entries: Iterable<readonly [string, unknown]>): Generator<Buffer> {
  let separator = '';
  for (const [name, value] of entries) {
    yield Buffer.from(`${separator}${JSON.stringify(name)}:${JSON.stringify(value)}`);
    separator = ',';
  }
}

const empty = Buffer.alloc(0);

function* preparation(document: OpenApiDocument): Generator<Buffer> {
  const steps = document.prepare()[Symbol.iterator]();
  while (!steps.next().done) yield empty;
}

/** The document as message `Document` of OpenAPIv2.proto. */
export function* encodeProtobuf(document: OpenApiDocument): Generator<Buffer> {
  yield* preparation(document);
  const writer = new BackwardWriter();
  const { security, securityDefinitions, ...head } = document.frame;
  encodeMessage(writer, 'Document', head);
  yield writer.take();
  yield* lengthPrefixed(8, function* () {
    for (const entry of document.paths()) {
      encodeNamed(writer, 2, 'PathItem', entry);
      yield writer.take();
    }
  });
  yield* lengthPrefixed(9, function* () {
    for (const entry of document.definitions()) {
      encodeNamed(writer, 1, 'Schema', entry);
      yield writer.take();
    }
  });
  encodeMessage(writer, 'Document', { security, securityDefinitions });
  yield writer.take();
}

/** The pieces of a nested message behind its length: they are kept until all are there, empty ones come meanwhile. */
function* lengthPrefixed(field: number, write: () => Iterable<Buffer>): Generator<Buffer> {
  const pieces: Buffer[] = [];
  let byteCount = 0;
  for (const piece of write()) {
    pieces.push(piece);
    byteCount += piece.length;
    yield empty;
  }
  yield fieldHeader(field, byteCount);
  yield* pieces;
}
