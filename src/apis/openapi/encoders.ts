import { BackwardWriter, fieldHeader } from '../../machinery/codec/protobuf/index.ts';
import type { OpenApiDocument, OpenApiFragment } from './document.ts';
import { encodeMessage, encodeNamed } from './protobuf/encode-message.ts';

/** Writes pieces of bytes; each `next` makes one piece, in little time. Pieces that are empty may come. */
type Writer<T> = (source: T) => Iterable<Buffer>;

/**
 * How a document becomes bytes: its three parts are written in order. Between the first two comes the first part of each
 * fragment, between the last two their second parts.
 */
export interface Encoding {
  readonly document: readonly [Writer<OpenApiDocument>, Writer<OpenApiDocument>, Writer<OpenApiDocument>];
  readonly fragment: readonly [Writer<OpenApiFragment>, Writer<OpenApiFragment>];
}

const empty = Buffer.alloc(0);

function* preparation(document: OpenApiDocument): Generator<Buffer> {
  const steps = document.prepare()[Symbol.iterator]();
  while (!steps.next().done) yield empty;
}

function* jsonEntries(entries: Iterable<readonly [string, unknown]>, first: string): Generator<Buffer> {
  let separator = first;
  for (const [name, value] of entries) {
    yield Buffer.from(`${separator}${JSON.stringify(name)}:${JSON.stringify(value)}`);
    separator = ',';
  }
}

/** The document as JSON. */
export const jsonEncoding: Encoding = {
  document: [
    function* (document) {
      yield* preparation(document);
      const { swagger, info } = document.frame;
      yield Buffer.from(`${JSON.stringify({ swagger, info }).slice(0, -1)},"paths":{`);
      yield* jsonEntries(document.paths(), '');
    },
    function* (document) {
      yield Buffer.from('},"definitions":{');
      yield* jsonEntries(document.definitions(), '');
    },
    function* ({ frame: { swagger: _, info: __, ...rest } }) {
      yield Buffer.from(`},${JSON.stringify(rest).slice(1)}\n`);
    },
  ],
  fragment: [
    (fragment) => jsonEntries(fragment.paths(), ','),
    (fragment) => jsonEntries(fragment.definitions(), ','),
  ],
};

function* encodePaths(fragment: OpenApiFragment): Generator<Buffer> {
  const writer = new BackwardWriter();
  yield* lengthPrefixed(8, function* () {
    for (const entry of fragment.paths()) {
      encodeNamed(writer, 2, 'PathItem', entry);
      yield writer.take();
    }
  });
}

function* encodeDefinitions(fragment: OpenApiFragment): Generator<Buffer> {
  const writer = new BackwardWriter();
  yield* lengthPrefixed(9, function* () {
    for (const entry of fragment.definitions()) {
      encodeNamed(writer, 1, 'Schema', entry);
      yield writer.take();
    }
  });
}

function encodeFrame(members: Readonly<Record<string, unknown>>): Buffer {
  const writer = new BackwardWriter();
  encodeMessage(writer, 'Document', members);
  return writer.take();
}

/**
 * The document as message `Document` of OpenAPIv2.proto. Fragments repeat its fields `paths` and `definitions`: readers join
 * what comes of a message more than once (Protocol Buffers, encoding, "Last One Wins").
 */
export const protobufEncoding: Encoding = {
  document: [
    function* (document) {
      yield* preparation(document);
      const { security: _, securityDefinitions: __, ...head } = document.frame;
      yield encodeFrame(head);
      yield* encodePaths(document);
    },
    encodeDefinitions,
    function* ({ frame: { security, securityDefinitions } }) {
      yield encodeFrame({ security, securityDefinitions });
    },
  ],
  fragment: [encodePaths, encodeDefinitions],
};

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
