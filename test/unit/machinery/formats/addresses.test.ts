import { expect } from 'chai';
import fc from 'fast-check';
import {
  isLongerThan,
  isPathSegmentName,
  isPathSegmentPrefix,
  isValidIp,
  isValidPortName,
  isValidSocketAddress,
  regexMessage,
} from '../../../../src/machinery/formats/index.ts';

describe('ports and addresses', () => {
  const names: readonly (readonly [string, number])[] = [
    ['a', 0],
    ['a-1', 0],
    ['1a', 0],
    ['abcdefghijklmno', 0],
    ['abcdefghijklmnop', 1],
    ['1', 1],
    ['1-1', 1],
    ['', 2],
    ['-a', 1],
    ['-', 2],
    ['a--b', 1],
    ['--', 3],
    ['a_b', 1],
    ['É', 2],
  ];
  for (const [text, count] of names) {
    it(`isValidPortName finds ${count} problems with "${text}"`, () => {
      expect(isValidPortName(text)).to.have.length(count);
    });
  }

  const sockets: readonly (readonly [string, readonly string[]])[] = [
    ['127.0.0.1:1', []],
    ['[::1]:65535', []],
    ['127.0.0.1:65536', ['must be between 1 and 65535, inclusive']],
    ['127.0.0.1:x', ['must be between 1 and 65535, inclusive']],
    ['127.0.0.1:', ['must be between 1 and 65535, inclusive']],
    ['x:80', ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']],
    [':80', ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']],
    ['::1:80', ['must be a valid socket address format, (e.g. 0.0.0.0:10254 or [::]:10254)']],
    ['[::1]', ['must be a valid socket address format, (e.g. 0.0.0.0:10254 or [::]:10254)']],
    ['[::1', ['must be a valid socket address format, (e.g. 0.0.0.0:10254 or [::]:10254)']],
    ['', ['must be a valid socket address format, (e.g. 0.0.0.0:10254 or [::]:10254)']],
  ];
  for (const [text, problems] of sockets) {
    it(`isValidSocketAddress of "${text}"`, () => expect(isValidSocketAddress(text)).to.deep.equal(problems));
  }

  it('isValidIp takes an address and nothing around it', () => {
    for (const text of ['1.2.3.4', '::', 'fe80::1']) expect(isValidIp(text)).to.deep.equal([]);
    for (const text of ['1.2.3.4/8', ' ::', 'fe80::1%eth0', '[::]', 'localhost']) {
      expect(isValidIp(text)).to.not.deep.equal([]);
    }
  });
});

describe('segments of paths', () => {
  it('may be anything without a slash and a percent sign, but no step to another folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('.', '/', '%', 'a', ' ', 'é') }), (text) => {
        const inside = isPathSegmentPrefix(text);
        expect(inside.length).to.equal(Number(text.includes('/')) + Number(text.includes('%')));
        const isStep = text === '.' || text === '..';
        expect(isPathSegmentName(text)).to.deep.equal(isStep ? [`may not be '${text}'`] : inside);
      }),
    );
  });
});

describe('isLongerThan', () => {
  it('counts the bytes of UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), fc.nat({ max: 60 }), (text, max) => {
        expect(isLongerThan(text, max)).to.equal(Buffer.byteLength(text) > max);
      }),
    );
  });
});

describe('regexMessage', () => {
  const rows: readonly (readonly [readonly string[], string])[] = [
    [[], "rule (regex used for validation is 'x+')"],
    [['a'], "rule (e.g. 'a', regex used for validation is 'x+')"],
    [['a', 'b'], "rule (e.g. 'a',  or 'b', regex used for validation is 'x+')"],
  ];
  for (const [examples, text] of rows) {
    it(`with ${examples.length} examples`, () =>
      expect(regexMessage('rule', 'x+', ...examples)).to.equal(text));
  }
});
