import { expect } from 'chai';
import fc from 'fast-check';
import {
  compileProtobuf,
  createProtobufCompiler,
  NoProtobufFormError,
  ProtobufError,
} from '../../../../../src/machinery/codec/protobuf/index.ts';
import { catalog } from './random-object.ts';

const compiler = createProtobufCompiler(catalog);
const schema = compiler.type('apiextensions.orch.io/v1.JSONSchemaProps');
const userInfo = compiler.type('authentication.orch.io/v1.UserInfo');

describe('doubles in messages', () => {
  it('are eight bytes, the lowest first', () => {
    expect(schema.encode({ maximum: 1.5 }).toString('hex')).to.include('49000000000000f83f');
  });

  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (maximum) => {
        // JSON knows one zero only.
        fc.pre(!Object.is(maximum, -0));
        expect(schema.decode(schema.encode({ maximum })).maximum).to.equal(maximum);
      }),
    );
  });

  for (const [hex, name] of [
    ['49000000000000f07f', '+Inf'],
    ['49000000000000f0ff', '-Inf'],
    ['49010000000000f87f', 'NaN'],
  ] as const) {
    it(`of ${name} are refused, which JSON cannot write`, () => {
      expect(() => schema.decode(Buffer.from(hex, 'hex'))).to.throw(
        ProtobufError,
        `unsupported value: ${name}`,
      );
    });
  }

  it('that are cut off are refused', () => {
    expect(() => schema.decode(Buffer.from('490000', 'hex'))).to.throw(ProtobufError, 'unexpected EOF');
  });

  it('are numbers and nothing else', () => {
    expect(() => schema.encode({ maximum: '1.5' })).to.throw(TypeError);
  });
});

describe('lists that are messages of their own', () => {
  it('come back with every text, also the empty list, as values of a map', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.array(fc.string())), (extra) => {
        fc.pre(Object.keys(extra).length > 0 && !Object.hasOwn(extra, '__proto__'));
        const read = userInfo.decode(userInfo.encode({ username: 'u', extra })).extra;
        // What is no Unicode is none on the wire either.
        const wanted = Object.entries(extra).map(([key, list]) => [
          key.toWellFormed(),
          list.map((text) => text.toWellFormed()),
        ]);
        expect(read).to.deep.equal(Object.fromEntries(wanted));
      }),
    );
  });

  it('are lists and nothing else', () => {
    expect(() => userInfo.encode({ extra: { a: 'text' } })).to.throw(TypeError, 'not a list');
    expect(() => userInfo.encode({ extra: ['a'] })).to.throw(TypeError, 'not a map');
    expect(() => userInfo.encode({ groups: 'a' })).to.throw(TypeError, 'not a list');
  });
});

describe('types without a Protobuf form', () => {
  for (const name of ['v1.Nope', '', 'list<string>']) {
    it(`such as "${name}" are refused by name`, () => {
      expect(() => compileProtobuf(name, catalog)).to.throw(NoProtobufFormError);
    });
  }

  it('do not stand in the way of others', () => {
    expect(() => compiler.type('v1.Nope')).to.throw(NoProtobufFormError);
    expect(compiler.type('v1.Pod').name).to.equal('v1.Pod');
    expect(compiler.type('v1.Pod')).to.equal(compiler.type('v1.Pod'));
  });
});
