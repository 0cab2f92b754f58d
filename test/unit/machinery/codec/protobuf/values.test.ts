import { expect } from 'chai';
import fc from 'fast-check';
import { rawNumber } from '../../../../../src/base/index.ts';
import { createProtobufCompiler, ProtobufError } from '../../../../../src/machinery/codec/protobuf/index.ts';
import { catalog } from './random-object.ts';

const compiler = createProtobufCompiler(catalog);
const hexOf = (type: string, object: Record<string, unknown>): string =>
  compiler.type(type).encode(object).toString('hex');
const read = (type: string, hex: string): Record<string, unknown> =>
  compiler.type(type).decode(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

describe('values of other forms in messages', () => {
  const port = (hex: string): unknown => read('v1.ServicePort', `22 ${hex}`).targetPort;
  const ports: readonly (readonly [unknown, string])[] = [
    [0, '06 08 00 10 00 1a 00'],
    [80, '06 08 00 10 50 1a 00'],
    [-1, '0f 08 00 10 ff ff ff ff ff ff ff ff ff 01 1a 00'],
    ['', '06 08 01 10 00 1a 00'],
    ['web', '09 08 01 10 00 1a 03 77 65 62'],
  ];
  for (const [value, hex] of ports) {
    it(`${JSON.stringify(value)} as a number or text is ${hex}`, () => {
      expect(hexOf('v1.ServicePort', { targetPort: value })).to.include(`22${hex.replaceAll(' ', '')}`);
      expect(port(hex)).to.equal(value);
    });
  }

  it('a number or text of another kind is refused', () => {
    expect(() => port('02 08 02')).to.throw(ProtobufError, 'impossible IntOrString.Type');
    expect(() => port('02 0a 00')).to.throw(ProtobufError, 'proto: wrong wireType = 2 for field Type');
    expect(() => port('02 18 00')).to.throw(ProtobufError, 'proto: wrong wireType = 0 for field StrVal');
  });

  const amount = (hex: string): unknown =>
    (read('v1.EmptyDirVolumeSource', hex) as { sizeLimit: unknown }).sizeLimit;
  const amounts: readonly (readonly [string, string])[] = [
    ['12 04 0a 02 31 47', '1G'],
    ['12 07 0a 05 31 30 30 30 6d', '1'],
    ['12 00', '0'],
    ['12 06 0a 01 31 0a 01 32', '2'],
  ];
  for (const [hex, text] of amounts) {
    it(`${hex} is the amount ${text}`, () => expect(amount(hex)).to.equal(text));
  }

  it('an amount that is a number in JSON is written as its text', () => {
    expect(hexOf('v1.EmptyDirVolumeSource', { sizeLimit: 5 })).to.equal('0a0012030a0135');
    expect(hexOf('v1.EmptyDirVolumeSource', { sizeLimit: rawNumber('9007199254740993') })).to.include(
      Buffer.from('9007199254740993').toString('hex'),
    );
  });

  it('bytes are base64 in JSON, and any bytes come back', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.uint8Array()), (given) => {
        const secret = compiler.type('v1.Secret');
        const data = Object.fromEntries(
          Object.entries(given).map(([key, bytes]) => [key, Buffer.from(bytes).toString('base64')]),
        );
        fc.pre(Object.keys(data).length > 0 && !Object.hasOwn(data, '__proto__'));
        expect(secret.decode(secret.encode({ data })).data).to.deep.equal(data);
      }),
    );
  });

  const wrong: readonly (readonly [string, Record<string, unknown>])[] = [
    ['v1.ConfigMap', { data: { a: 5 } }],
    ['v1.Secret', { data: { a: 5 } }],
    ['v1.ContainerPort', { containerPort: '80' }],
    ['v1.ServicePort', { targetPort: {} }],
    ['coordination.orch.io/v1.LeaseSpec', { renewTime: 5 }],
    ['meta.orch.io/v1.ObjectMeta', { creationTimestamp: 5 }],
  ];
  for (const [type, object] of wrong) {
    it(`refuse to write ${JSON.stringify(object)} as ${type}`, () => {
      expect(() => hexOf(type, object)).to.throw(TypeError);
    });
  }
});

describe('fields of messages', () => {
  const names = fc.constantFrom('a', 'é', '', 'x'.repeat(200));

  it('of maps are written in the order of their keys, whatever the order in JSON', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 8 }), (keys) => {
        fc.pre(!keys.includes('__proto__'));
        const forward = Object.fromEntries(keys.map((key) => [key, 'v']));
        const backward = Object.fromEntries(keys.toReversed().map((key) => [key, 'v']));
        expect(hexOf('v1.ConfigMap', { data: forward })).to.equal(hexOf('v1.ConfigMap', { data: backward }));
      }),
    );
  });

  it('may come twice, cut anywhere between them, and unknown ones in between', () => {
    const message = compiler.type('v1.EnvVar');
    fc.assert(
      fc.property(names, names, (name, value) => {
        const nameField = message.encode({ name, value: '' });
        const both = Buffer.concat([
          nameField,
          Buffer.from([0xf8, 0x7f, 0x01]),
          message.encode({ name, value }),
        ]);
        expect(message.decode(both)).to.deep.equal(message.decode(message.encode({ name, value })));
      }),
    );
  });

  it('of any length of text come back', () => {
    const message = compiler.type('v1.EnvVar');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => {
        expect(message.decode(message.encode({ name })).name).to.equal(name);
      }),
    );
  });
});
