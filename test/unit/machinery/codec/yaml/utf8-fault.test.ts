import { expect } from 'chai';
import fc from 'fast-check';
import { findUtf8Fault } from '../../../../../src/machinery/codec/yaml/utf8-fault.ts';
import { anyCharacter } from '../../../../support/any-character.ts';

const leading = 'invalid leading UTF-8 octet';
const incomplete = 'incomplete UTF-8 octet sequence';
const trailing = 'invalid trailing UTF-8 octet';
const overlong = 'invalid length of a UTF-8 sequence';
const character = 'invalid Unicode character';

describe('findUtf8Fault', () => {
  const rows: readonly (readonly [hex: string, fault: string])[] = [
    ['80', leading],
    ['bf', leading],
    ['f8', leading],
    ['ff', leading],
    ['fe80808080', leading],
    ['c3', incomplete],
    ['e282', incomplete],
    ['f09f98', incomplete],
    ['f0', incomplete],
    // What is missing counts before what is wrong.
    ['e241', incomplete],
    ['c341', trailing],
    ['c3c3', trailing],
    ['e28241', trailing],
    ['e2ff82', trailing],
    ['f09f9841', trailing],
    ['c080', overlong],
    ['c1bf', overlong],
    ['e08080', overlong],
    ['e09fbf', overlong],
    ['f0808080', overlong],
    ['f08fbfbf', overlong],
    ['eda080', character],
    ['edbfbf', character],
    ['f4908080', character],
    ['f7bfbfbf', character],
  ];
  for (const [hex, fault] of rows) {
    it(`${hex}: ${fault}`, () => {
      for (const before of ['', 'a: b\n', 'é😀€'])
        expect(findUtf8Fault(Buffer.concat([Buffer.from(before), Buffer.from(hex, 'hex')]))?.fault).to.equal(
          fault,
        );
    });
  }

  const first: readonly (readonly [hex: string, fault: string])[] = [
    ['c080ff', overlong],
    ['ffc080', leading],
    ['c3a9eda08080', character],
    ['6180c3', leading],
  ];
  for (const [hex, fault] of first) {
    it(`tells of the first of several in ${hex}`, () =>
      expect(findUtf8Fault(Buffer.from(hex, 'hex'))?.fault).to.equal(fault));
  }

  it('has nothing against the smallest and largest characters of each length', () => {
    for (const code of [0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff])
      expect(findUtf8Fault(Buffer.from(String.fromCodePoint(code))), code.toString(16)).to.equal(undefined);
    expect(findUtf8Fault(Buffer.alloc(0))?.fault).to.equal(undefined);
  });

  it('finds none in any text, and one in all bytes that are none', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(findUtf8Fault(Buffer.from(text))?.fault).to.equal(undefined);
      }),
    );
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const isText = (bytes: Uint8Array): boolean => {
      try {
        decoder.decode(bytes);
        return true;
      } catch {
        return false;
      }
    };
    const byte = fc.constantFrom(0x41, 0x80, 0x9f, 0xa0, 0xbf, 0xc2, 0xe0, 0xed, 0xf0, 0xf4);
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 6 }), (bytes) => {
        const fault = findUtf8Fault(Buffer.from(bytes));
        expect(fault === undefined).to.equal(isText(Buffer.from(bytes)));
      }),
    );
  });

  it('looks through a large body', () => {
    const body = Buffer.alloc(300_000, 'é');
    expect(findUtf8Fault(body)?.fault).to.equal(undefined);
    body[body.length - 1] = 0x41;
    expect(findUtf8Fault(body)?.fault).to.equal(trailing);
  });
});
