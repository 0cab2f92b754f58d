import { expect } from 'chai';
import { createEncoding, createProtobufEncoding } from '../../../../src/client/protobuf/index.ts';
import { splitFrames } from '../../../../src/client/protobuf/protobuf-encoding.ts';
import { TransportError } from '../../../../src/client/rest/index.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';

const encoding = createProtobufEncoding(orchDialect);
const configMap = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'c', creationTimestamp: null },
  data: { a: 'b' },
};

describe('createEncoding', () => {
  it('knows JSON and the Protobuf of the dialect', () => {
    const kubernetes = createDialect('kubernetes');
    for (const dialect of [orchDialect, kubernetes]) {
      expect(createEncoding('application/json', dialect)).to.equal(undefined);
      expect(createEncoding('', dialect)).to.equal(undefined);
      const { contentType, accept } = createEncoding(dialect.protobufMediaType, dialect) ?? {};
      expect(contentType).to.equal(dialect.protobufMediaType);
      expect(accept).to.equal(`${dialect.protobufMediaType}, application/json`);
    }
    expect(() => createEncoding('text/plain', orchDialect)).to.throw(RangeError, /unknown content type/);
    expect(() => createEncoding(kubernetes.protobufMediaType, orchDialect)).to.throw(RangeError);
  });
});

describe('createProtobufEncoding', () => {
  it('gives back what it wrote', () => {
    const body = encoding.encode(configMap);
    expect(body?.subarray(0, 4).toString('hex')).to.equal('6b387300');
    expect(encoding.decode(body ?? Buffer.alloc(0))).to.deep.equal(configMap);
  });

  const json: readonly (readonly [what: string, value: unknown])[] = [
    ['a custom resource', { kind: 'Widget', apiVersion: 'example.com/v1', metadata: {} }],
    ['an object without kind', { metadata: { name: 'x' } }],
    ['an object without version', { kind: 'ConfigMap' }],
    ['an object that does not fit its type', { ...configMap, data: ['a'] }],
    ['a table', { kind: 'Table', apiVersion: 'meta.orch.io/v1', rows: [] }],
    ['a list', [configMap]],
    ['nothing', null],
  ];
  for (const [what, value] of json) {
    it(`leaves ${what} to JSON`, () => {
      expect(encoding.encode(value)).to.equal(undefined);
    });
  }

  it('refuses bytes that are none', () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('{}'), Buffer.from('6b387300ff', 'hex')]) {
      expect(() => encoding.decode(bytes)).to.throw(Error);
      expect(() => encoding.events.decode(bytes.subarray(1))).to.throw(Error);
    }
  });
});

describe('splitFrames', () => {
  const frame = (text: string): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return Buffer.concat([length, Buffer.from(text)]);
  };
  const texts = ['one', '', 'x'.repeat(300), 'four'];
  const stream = Buffer.concat(texts.map(frame));

  async function* inPieces(bytes: Buffer, pieceBytes: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const read = async (chunks: AsyncIterable<Buffer>): Promise<string[]> => {
    const frames: string[] = [];
    for await (const bytes of splitFrames(chunks)) frames.push(bytes.toString());
    return frames;
  };

  it('finds frames in whatever pieces they come', async () => {
    for (const pieceBytes of [1, 2, 3, 4, 5, 7, 100, stream.length]) {
      expect(await read(inPieces(stream, pieceBytes)), String(pieceBytes)).to.deep.equal(texts);
    }
  });

  it('refuses a stream that ends early, and frames without end', async () => {
    for (const bytes of [stream.subarray(0, -1), Buffer.from([0, 0]), Buffer.from([255, 255, 255, 255])]) {
      const failure = await read(inPieces(bytes, 3)).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(TransportError);
    }
  });
});
