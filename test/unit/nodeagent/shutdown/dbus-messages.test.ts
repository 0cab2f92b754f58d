import { expect } from 'chai';
import fc from 'fast-check';
import { systemBusPath } from '../../../../src/nodeagent/shutdown/dbus/bus-address.ts';
import {
  type DbusMessage,
  decodeMessage,
  encodeMessage,
} from '../../../../src/nodeagent/shutdown/dbus/message.ts';
import { readValues } from '../../../../src/nodeagent/shutdown/dbus/read-values.ts';
import {
  DbusFormatError,
  type DbusValue,
  splitSignature,
} from '../../../../src/nodeagent/shutdown/dbus/values.ts';
import { writeValues } from '../../../../src/nodeagent/shutdown/dbus/write-values.ts';

const text = fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0'));

/** A type with values of it. */
const { typed } = fc.letrec<{ typed: { type: string; value: DbusValue } }>((tie) => {
  const scalar = (type: string, values: fc.Arbitrary<DbusValue>) => values.map((value) => ({ type, value }));
  const scalars = [
    scalar('y', fc.nat(255)),
    scalar('b', fc.boolean()),
    scalar('u', fc.nat(2 ** 32 - 1)),
    scalar('i', fc.integer()),
    scalar('t', fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
    scalar('s', text),
    scalar('o', text),
    scalar('g', fc.constantFrom('', 'ss', 'a{sv}')),
  ];
  const inner = tie('typed');
  return {
    typed: fc.oneof(
      { maxDepth: 4 },
      ...scalars,
      inner.map(({ type, value }) => ({ type: 'v', value: { signature: type, value } })),
      inner.map(({ type, value }) => ({ type: `a${type}`, value: [value, value, value] })),
      inner.map(({ type }) => ({ type: `a${type}`, value: [] })),
      fc.tuple(inner, inner).map(([a, b]) => ({ type: `(${a.type}${b.type})`, value: [a.value, b.value] })),
    ),
  };
});

describe('values of the bus', () => {
  it('are read as they were written, whatever their types', () => {
    fc.assert(
      fc.property(fc.array(typed, { maxLength: 4 }), (list) => {
        const signature = list.map(({ type }) => type).join('');
        fc.pre(signature.length < 256);
        const values = list.map(({ value }) => value);
        const bytes = writeValues(signature, values);
        expect(readValues(signature, bytes, { isLittleEndian: true })).to.deep.equal(values);
      }),
      { numRuns: 200 },
    );
  });

  it('are read in both orders of bytes', () => {
    const bytes = Buffer.from('00000000000000050000000261620000', 'hex');
    expect(readValues('ts', bytes, { isLittleEndian: false })).to.deep.equal([5n, 'ab']);
    const more = Buffer.from('ffff0000ffffffffffffffff00000000fffffffeffffffff3ff8000000000000', 'hex');
    expect(readValues('niixd', more, { isLittleEndian: false })).to.deep.equal([
      -1,
      -1,
      -1,
      -4_294_967_297n,
      1.5,
    ]);
  });

  it('have signatures that are split into complete types', () => {
    expect(splitSignature('sa{sv}(ia(ss))aayv')).to.deep.equal(['s', 'a{sv}', '(ia(ss))', 'aay', 'v']);
    for (const bad of ['a', '(', '()', '(s', 'z', 'a{', ')', 'a'.repeat(80), 's'.repeat(256)]) {
      expect(() => splitSignature(bad), bad).to.throw(DbusFormatError);
    }
  });
});

describe('messages of the bus', () => {
  const hello: DbusMessage = {
    kind: 'call',
    serial: 1,
    path: '/org/freedesktop/DBus',
    interface: 'org.freedesktop.DBus',
    member: 'Hello',
    destination: 'org.freedesktop.DBus',
    body: [],
  };
  const signal: DbusMessage = {
    kind: 'signal',
    serial: 7,
    path: '/p',
    interface: 'i.j',
    member: 'M',
    sender: ':1.5',
    signature: 'ba{sv}',
    body: [true, [['k', { signature: 'u', value: 3 }]]],
  };

  it('have the form of the specification', () => {
    const bytes = encodeMessage(hello);
    expect(bytes.subarray(0, 16).toString('hex')).to.equal('6c01000100000000010000006d000000');
    expect(bytes).to.have.length(128);
    expect(bytes.subarray(16, 24).toString('hex')).to.equal('01016f0015000000');
    expect(bytes.subarray(24, 46).toString('latin1')).to.equal('/org/freedesktop/DBus\0');
  });

  it('come out of a stream as they were put in, however it is cut', () => {
    const stream = Buffer.concat([encodeMessage(hello), encodeMessage(signal)]);
    const { message, sizeBytes } = decodeMessage(stream) ?? {};
    expect(message).to.deep.equal(hello);
    expect(decodeMessage(stream.subarray(sizeBytes))?.message).to.deep.equal(signal);
    for (let length = 0; length < (sizeBytes ?? 0); length += 1) {
      expect(decodeMessage(stream.subarray(0, length))).to.equal(undefined);
    }
  });

  it('are refused for what is wrong with them, and never break the reader', () => {
    const large = Buffer.from('6c01000100000080010000006d000000', 'hex');
    expect(() => decodeMessage(large)).to.throw(DbusFormatError, 'too large');
    expect(() => decodeMessage(Buffer.alloc(16))).to.throw(DbusFormatError, 'no message');
    const whole = encodeMessage(signal);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const broken = Buffer.from(whole);
        broken[at] = byte;
        try {
          decodeMessage(broken);
        } catch (error) {
          expect(error).to.be.instanceOf(DbusFormatError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('systemBusPath', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['', '/var/run/dbus/system_bus_socket'],
    ['unix:path=/run/bus', '/run/bus'],
    ['tcp:host=h,port=1;unix:guid=1,path=/a%20b', '/a b'],
    ['unix:abstract=/x', '\0/x'],
    ['tcp:host=h', undefined],
    ['unix:tmpdir=/tmp', undefined],
  ];
  for (const [address, path] of cases) {
    it(`leads ${JSON.stringify(address)} to ${JSON.stringify(path)}`, () => {
      const find = (): string => systemBusPath({ DBUS_SYSTEM_BUS_ADDRESS: address });
      if (path === undefined) expect(find).to.throw(RangeError, address);
      else expect(find()).to.equal(path);
    });
  }
});
