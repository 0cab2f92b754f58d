import { expect } from 'chai';
import {
  createProtobufCompiler,
  decodeEnvelope,
  decodeWatchEvent,
  encodeEnvelope,
  encodeList,
  encodeListFrame,
  encodeWatchFrame,
  hasEnvelope,
  NoProtobufFormError,
  ProtobufError,
  splitWatchFrames,
} from '../../../../../src/machinery/codec/protobuf/index.ts';
import { catalog, randomObject } from './random-object.ts';

const compiler = createProtobufCompiler(catalog);
const pod = compiler.type('v1.Pod');

describe('decodeEnvelope', () => {
  // Texts of the recorded answers to bad bodies.
  const table: readonly (readonly [string, Buffer, string])[] = [
    ['nothing', Buffer.alloc(0), 'empty data'],
    [
      'other bytes',
      Buffer.from('garbage'),
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    ],
    ['the prefix alone', Buffer.from('6b387300', 'hex'), 'empty body'],
    ['a field that ends too early', Buffer.from('6b38730012ff', 'hex'), 'unexpected EOF'],
    [
      'a raw message that is a number',
      Buffer.from('6b3873001000', 'hex'),
      'proto: wrong wireType = 0 for field Raw',
    ],
    ['field number 0', Buffer.from('6b3873000000', 'hex'), 'proto: Unknown: illegal tag 0 (wire type 0)'],
    [
      'the end of no group',
      Buffer.from('6b3873000c', 'hex'),
      'proto: Unknown: wiretype end group for non-group',
    ],
    ['wire type 7', Buffer.from('6b3873007f', 'hex'), 'proto: illegal wireType 7'],
    ['a number without end', Buffer.from(`6b387300${'ff'.repeat(11)}`, 'hex'), 'proto: integer overflow'],
  ];
  for (const [what, bytes, message] of table) {
    it(`refuses ${what} in the words of the reference`, () => {
      expect(() => decodeEnvelope(bytes)).to.throw(ProtobufError, message);
    });
  }

  it('skips fields that it does not know, groups included', () => {
    const bytes = Buffer.from(
      '6b387300 2a0161 33 0801 3b 3c 34 1201 62 45 01020304 49 0102030405060708'.replaceAll(' ', ''),
      'hex',
    );
    expect(decodeEnvelope(bytes).raw.toString()).to.equal('b');
  });
});

describe('hasEnvelope', () => {
  it('tells objects by their first four bytes', () => {
    expect(hasEnvelope(encodeEnvelope({ apiVersion: 'v1', kind: 'Pod' }, pod.encodeFramed({})))).to.equal(
      true,
    );
    expect(hasEnvelope(Buffer.from('k8s'))).to.equal(false);
    expect(hasEnvelope(Buffer.from('{"kind":"Pod"}'))).to.equal(false);
  });
});

describe('encodeList', () => {
  const typeMeta = { apiVersion: 'v1', kind: 'PodList' };
  const metadata = { resourceVersion: '42', continue: 'c', remainingItemCount: 7 };
  const list = compiler.type('v1.PodList');

  for (const count of [0, 1, 5]) {
    it(`joins ${count} kept items to what the whole list is written as`, () => {
      const items = Array.from({ length: count }, (_, seed) => randomObject('v1.Pod', seed));
      const joined = encodeList({
        list,
        typeMeta,
        metadata,
        items: items.map((item) => pod.encodeFramed(item)),
      });
      const whole = encodeEnvelope(typeMeta, list.encodeFramed({ metadata, items }));
      expect(joined.equals(whole)).to.equal(true);
    });
  }

  it('puts items first where the list has them first', () => {
    const old = compiler.type('meta.orch.io/v1beta1.PartialObjectMetadataList');
    const item = compiler.type('meta.orch.io/v1.PartialObjectMetadata');
    const kind = { apiVersion: 'meta.orch.io/v1beta1', kind: 'PartialObjectMetadataList' };
    const objects = [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }];
    const items = objects.map((object) => item.encodeFramed(object, old.itemsFieldNumber));
    const whole = encodeEnvelope(kind, old.encodeFramed({ metadata, items: objects }));
    expect(encodeList({ list: old, typeMeta: kind, metadata, items })).to.deep.equal(whole);
  });

  it('gives head and tail of a list that is sent in slices', () => {
    const items = [pod.encodeFramed({}), pod.encodeFramed(randomObject('v1.Pod', 3))];
    const itemsSizeBytes = items.reduce((sum, item) => sum + item.length, 0);
    const { head, tail } = encodeListFrame({ list, typeMeta, metadata, itemsSizeBytes });
    const whole = encodeList({ list, typeMeta, metadata, items });
    expect(Buffer.concat([head, ...items, tail])).to.deep.equal(whole);
  });
});

describe('encodeWatchFrame', () => {
  const envelope = encodeEnvelope({ apiVersion: 'v1', kind: 'Pod' }, pod.encodeFramed({}));

  it('writes length, type and the enveloped object', () => {
    const frame = encodeWatchFrame('ADDED', Buffer.from([1, 2, 3]));
    expect(frame.toString('hex')).to.equal('0000000e' + '0a054144444544' + '1205' + '0a03010203');
  });

  it('is read back whole, however the bytes are cut', () => {
    const frames = [encodeWatchFrame('ADDED', envelope), encodeWatchFrame('DELETED', envelope)];
    const stream = Buffer.concat(frames);
    for (let cut = 0; cut <= stream.length; cut++) {
      const first = splitWatchFrames(stream.subarray(0, cut), 1000);
      const second = splitWatchFrames(Buffer.concat([first.rest, stream.subarray(cut)]), 1000);
      const events = [...first.frames, ...second.frames].map(decodeWatchEvent);
      expect(events.map((event) => event.type)).to.deep.equal(['ADDED', 'DELETED']);
      for (const { object } of events) expect(object.equals(envelope)).to.equal(true);
      expect(second.rest).to.have.lengthOf(0);
    }
  });

  it('says when a frame claims more than is allowed', () => {
    expect(() => splitWatchFrames(Buffer.from('7fffffff', 'hex'), 1000)).to.throw(ProtobufError, 'too long');
  });
});

describe('createProtobufCompiler', () => {
  it('has no form for tables, custom resources and unknown types', () => {
    const table = { group: 'meta.orch.io', version: 'v1', kind: 'Table' };
    const custom = { group: 'example.org', version: 'v1', kind: 'Widget' };
    for (const gvk of [table, custom]) {
      expect(compiler.hasKind(gvk)).to.equal(false);
      expect(() => compiler.kind(gvk)).to.throw(NoProtobufFormError);
    }
    expect(() => compiler.type('v1.Nothing')).to.throw(NoProtobufFormError);
    expect(compiler.hasKind({ group: 'apps', version: 'v1', kind: 'Deployment' })).to.equal(true);
  });

  it('reads objects that are embedded with an envelope', () => {
    const inner = encodeEnvelope(
      { apiVersion: 'v1', kind: 'Secret' },
      compiler.type('v1.Secret').encodeFramed({ type: 't' }),
    );
    const raw = Buffer.concat([Buffer.from([0x0a, inner.length]), inner]);
    const list = Buffer.concat([Buffer.from([0x12, raw.length]), raw]);
    const { items } = compiler.type('v1.List').decode(list);
    expect(items).to.deep.equal([
      { kind: 'Secret', apiVersion: 'v1', metadata: { creationTimestamp: null }, type: 't' },
    ]);
  });

  it('goes on after an object that is not of its type', () => {
    expect(() => pod.encode({ spec: { containers: 'none' } })).to.throw(TypeError);
    expect(() => pod.encode({ metadata: { name: 5 } })).to.throw(TypeError);
    expect(pod.encode({})).to.deep.equal(pod.encode({}));
    expect(pod.decode(pod.encode({ metadata: { name: 'a' } }))).to.have.nested.property('metadata.name', 'a');
  });
});
