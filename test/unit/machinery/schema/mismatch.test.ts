import { expect } from 'chai';
import { rawNumber } from '../../../../src/base/index.ts';
import { DecodeError } from '../../../../src/machinery/schema/index.ts';
import { catalog } from '../codec/protobuf/random-object.ts';
import { compileFields, thing } from './support/types.ts';

const messageOf = (decode: () => unknown): string => {
  try {
    decode();
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
  throw new Error('must be refused');
};
/** Without the place, which ends every message. */
const reasonOf = (decode: () => unknown): string => messageOf(decode).replace(/, error found in #.*$/s, '');

describe('a value of the wrong JSON type', () => {
  const rows: readonly (readonly [type: string, value: unknown, reason: string])[] = [
    ['string', 1, 'ReadString: expects " or n, but found 1'],
    ['string', true, 'ReadString: expects " or n, but found t'],
    ['string', [], 'ReadString: expects " or n, but found ['],
    ['string', {}, 'ReadString: expects " or n, but found {'],
    ['string', -5, 'ReadString: expects " or n, but found -'],
    ['bool', 'x', 'ReadBool: expect t or f, but found "'],
    ['bool', 0, 'ReadBool: expect t or f, but found 0'],
    ['int32', '1', 'readUint32: unexpected character: \ufffd'],
    ['int32', true, 'readUint32: unexpected character: \ufffd'],
    ['int32', {}, 'readUint32: unexpected character: \ufffd'],
    ['int32', 1.5, 'assertInteger: can not decode float as int'],
    ['int32', 2 ** 31, 'ReadInt32: overflow: 2147483648'],
    ['int32', 99_999_999_999, 'readUint32: overflow'],
    ['int32', -(2 ** 31) - 1, 'ReadInt32: overflow: 2147483649'],
    ['int32', rawNumber('1.5e1'), 'assertInteger: can not decode float as int'],
    ['int64', '1', 'readUint64: unexpected character: \ufffd'],
    ['int64', rawNumber('9223372036854775808'), 'ReadInt64: overflow: 9223372036854775808'],
    ['int64', rawNumber('-9223372036854775809'), 'ReadInt64: overflow: 9223372036854775809'],
    ['double', '1', 'readNumberAsString: invalid number'],
    ['double', rawNumber('1e400'), 'strconv.ParseFloat: parsing "1e400": value out of range'],
    ['double', [1], 'readNumberAsString: invalid number'],
    ['bytes', 1, 'base64Codec: invalid input'],
    ['bytes', ['x'], '[]uint8: readUint32: unexpected character: \ufffd'],
    ['bytes', [256], '[]uint8: ReadUint8: overflow: 256'],
    ['bytes', [-1], '[]uint8: readUint32: unexpected character: \ufffd'],
    ['list<string>', 'a', '[]string: decode slice: expect [ or n, but found "'],
    ['list<string>', {}, '[]string: decode slice: expect [ or n, but found {'],
    ['list<string>', ['a', 1], '[]string: ReadString: expects " or n, but found 1'],
    ['list<bytes>', false, '[][]uint8: decode slice: expect [ or n, but found f'],
    ['list<list<double>>', [1], '[][]float64: []float64: decode slice: expect [ or n, but found 1'],
    ['list<map<string,any>>', 1, '[]map[string]interface {}: decode slice: expect [ or n, but found 1'],
    ['list<x/v1.Item>', ['a'], '[]v1.Item: readObjectStart: expect { or n, but found "'],
    ['map<string,string>', [], 'ReadMapCB: expect { or n, but found ['],
    ['map<string,string>', 'a', 'ReadMapCB: expect { or n, but found "'],
    ['map<string,string>', { a: {} }, 'ReadString: expects " or n, but found {'],
    ['x/v1.Nothing', [], 'skipObjectDecoder: expect object or null'],
    ['x/v1.Item', 5, 'readObjectStart: expect { or n, but found 5'],
    ['x/v1.Item', { name: 1 }, 'v1.Item.Name: ReadString: expects " or n, but found 1'],
    [
      'Quantity',
      {},
      "unmarshalerDecoder: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      'Quantity',
      '1KiB',
      "unmarshalerDecoder: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    ['Quantity', '1K', "unmarshalerDecoder: unable to parse quantity's suffix"],
    ['IntOrString', true, 'unmarshalerDecoder: json: cannot unmarshal bool into Go value of type int32'],
    ['IntOrString', [], 'unmarshalerDecoder: json: cannot unmarshal array into Go value of type int32'],
    ['IntOrString', 1.5, 'unmarshalerDecoder: json: cannot unmarshal number 1.5 into Go value of type int32'],
    [
      'IntOrString',
      2 ** 31,
      'unmarshalerDecoder: json: cannot unmarshal number 2147483648 into Go value of type int32',
    ],
    [
      'IntOrString',
      rawNumber('9007199254740993'),
      'unmarshalerDecoder: json: cannot unmarshal number 9007199254740993 into Go value of type int32',
    ],
    ['Time', 5, 'unmarshalerDecoder: json: cannot unmarshal number into Go value of type string'],
    ['Time', {}, 'unmarshalerDecoder: json: cannot unmarshal object into Go value of type string'],
    [
      'Time',
      'now',
      'unmarshalerDecoder: parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"',
    ],
    ['MicroTime', false, 'unmarshalerDecoder: json: cannot unmarshal bool into Go value of type string'],
    ['Duration', 5, 'unmarshalerDecoder: json: cannot unmarshal number into Go value of type string'],
    ['Duration', '5', 'unmarshalerDecoder: time: missing unit in duration "5"'],
  ];
  for (const [type, value, reason] of rows) {
    it(`${JSON.stringify(value)} is no ${type}`, () => {
      const compiled = compileFields([{ n: 'f', t: type }]);
      expect(reasonOf(() => compiled.decode({ f: value }))).to.equal(`v1.T.F: ${reason}`);
    });
  }

  // The integer ends at its exponent for the reader, and what holds it finds the rest.
  const large = Array.from({ length: 11 }, (_, at) => ({ n: `f${at}`, t: 'string' }));
  const leftovers: readonly (readonly [
    fields: Parameters<typeof compileFields>[0],
    value: object,
    reason: string,
  ])[] = [
    [
      [{ n: 'f', t: 'int32' }],
      { f: rawNumber('1e3') },
      'v1.T.isObjectEnd: object ended prematurely, unexpected char e',
    ],
    [[...large, { n: 'f', t: 'int64' }], { f: rawNumber('-1E400') }, 'struct Decode: expect }, but found E'],
    [
      [{ n: 'f', t: 'list<int32>' }],
      { f: [1, rawNumber('1e3')] },
      'v1.T.F: []int32: decode slice: expect ], but found e',
    ],
    [
      [{ n: 'f', t: 'map<string,int64>' }],
      { f: { a: rawNumber('1e3') } },
      'v1.T.F: ReadMapCB: expect }, but found e',
    ],
  ];
  for (const [fields, value, reason] of leftovers) {
    it(`${JSON.stringify(value)} of ${fields.length} fields: ${reason}`, () => {
      expect(reasonOf(() => compileFields(fields).decode(value))).to.equal(reason);
    });
  }

  const fitting: readonly (readonly [type: string, value: unknown])[] = [
    ['int32', 2 ** 31 - 1],
    ['int32', -(2 ** 31)],
    ['int64', 2 ** 53],
    ['int64', rawNumber('9223372036854775807')],
    ['int64', rawNumber('-9223372036854775808')],
    ['double', 5e-324],
    ['IntOrString', -(2 ** 31)],
    ['Quantity', 1.5],
    ['map<string,any>', { a: [1, { b: null }] }],
  ];
  for (const [type, value] of fitting) {
    it(`${JSON.stringify(value)} is ${type}`, () => {
      const compiled = compileFields([{ n: 'f', t: type }]);
      expect(() => compiled.decode({ f: value })).to.not.throw();
    });
  }
});

describe('the place of a value that does not fit', () => {
  it('is ten and fifty bytes around where the reader stopped', () => {
    expect(messageOf(() => thing.decode({ metadata: { name: 5 } }))).to.equal(
      'v1.Thing.Meta: v1.Meta.Name: ReadString: expects " or n, but found 5, error found in #10 byte of ' +
        '...|:{"name":5}}|..., bigger context ...|{"metadata":{"name":5}}|...',
    );
  });

  it('counts from the beginning of a short text', () => {
    expect(messageOf(() => compileFields([{ n: 'f', t: 'string' }]).decode({ f: true }))).to.equal(
      'v1.T.F: ReadString: expects " or n, but found t, error found in #6 byte of ...|{"f":true}|..., bigger context ...|{"f":true}|...',
    );
  });

  it('is behind a value that was read as a whole before it was refused', () => {
    expect(messageOf(() => thing.decode({ spec: { port: true } }))).to.equal(
      'v1.Thing.Spec: v1.Spec.Port: unmarshalerDecoder: json: cannot unmarshal bool into Go value of type int32, error found in #10 byte of ' +
        '...|port":true}}|..., bigger context ...|{"spec":{"port":true}}|...',
    );
  });

  it('is cut on both sides of a long text', () => {
    const labels = { a: 'x'.repeat(80), b: [], c: 'y'.repeat(80) };
    const message = messageOf(() => thing.decode({ metadata: { labels } }));
    expect(message).to.match(/byte of \.\.\.\|xxx","b":\[\],"c":"yyy\|/);
    expect(message).to.contain(`bigger context ...|${'x'.repeat(43)}","b":[],"c":"${'y'.repeat(43)}|...`);
  });

  it('is found in lists and behind other members', () => {
    expect(messageOf(() => thing.decode({ spec: { items: [{ name: 'a' }, { name: {} }] } }))).to.contain(
      '...|,{"name":{}}]}}|...',
    );
  });
});

describe('names in front of the reason', () => {
  const pod = catalog.type('v1.Pod');
  const rows: readonly (readonly [string, unknown, string])[] = [
    ['a member of an embedded type', { kind: 1 }, 'v1.Pod.TypeMeta: Kind: ReadString'],
    ['metadata', { metadata: { name: 1 } }, 'v1.Pod.ObjectMeta: v1.ObjectMeta.Name: ReadString'],
    [
      'metadata that is no object',
      { metadata: [1] },
      'v1.Pod.ObjectMeta: readObjectStart: expect { or n, but found [',
    ],
    [
      'lists on the way',
      { spec: { containers: [{ ports: [{ containerPort: 'x' }] }] } },
      'v1.Pod.Spec: v1.PodSpec.Containers: []v1.Container: v1.Container.Ports: []v1.ContainerPort: v1.ContainerPort.ContainerPort: readUint32',
    ],
    [
      'the source of a volume, whose members stand beside its name',
      { spec: { volumes: [{ hostPath: { path: 1 } }] } },
      'v1.Pod.Spec: v1.PodSpec.Volumes: []v1.Volume: v1.Volume.VolumeSource: HostPath: v1.HostPathVolumeSource.Path: ReadString',
    ],
    [
      'an object that only refers to another has its own kind',
      { metadata: { ownerReferences: [{ kind: 1 }] } },
      'v1.Pod.ObjectMeta: v1.ObjectMeta.OwnerReferences: []v1.OwnerReference: v1.OwnerReference.Kind: ReadString',
    ],
    ['an object that is none', 'x', 'readObjectStart: expect { or n, but found "'],
  ];
  for (const [title, value, reason] of rows) {
    it(title, () =>
      expect(messageOf(() => pod.decode(value)).startsWith(reason)).to.equal(
        true,
        messageOf(() => pod.decode(value)),
      ),
    );
  }

  it('grow by every later field while the reader knows its place', () => {
    const decode = (): unknown =>
      thing.decode({ metadata: { name: 5, labels: {} }, spec: {}, kind: 'Thing' });
    expect(reasonOf(decode)).to.equal(
      'v1.Thing.TypeMeta: Kind: Spec: Meta: v1.Meta.Labels: Name: ReadString: expects " or n, but found 5',
    );
  });

  it('stop growing where the reader lost its place', () => {
    const decode = (): unknown => thing.decode({ metadata: { name: true, labels: {} }, kind: 'Thing' });
    expect(reasonOf(decode)).to.equal('v1.Thing.Meta: v1.Meta.Name: ReadString: expects " or n, but found t');
  });

  it('are those of the first value alone when several do not fit', () => {
    const decode = (): unknown => thing.decode({ metadata: { name: 5 }, spec: { paused: 'x' } });
    expect(reasonOf(decode)).to.match(/: ReadString: expects " or n, but found 5$/);
  });

  it('leave out what the type does not know', () => {
    const decode = (): unknown => thing.decode({ metadata: { name: 5, color: 1 }, color: 2 });
    expect(reasonOf(decode)).to.equal('v1.Thing.Meta: v1.Meta.Name: ReadString: expects " or n, but found 5');
  });
});
