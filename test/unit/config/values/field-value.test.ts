import { expect } from 'chai';
import fc from 'fast-check';
import { type FieldSpec, readFieldValue } from '../../../../src/config/values/field-value.ts';
import { plainValuePhrases } from '../../../../src/config/values/value-phrases.ts';

type Type = FieldSpec['type'];

const read = (type: Type, raw: unknown, nullable?: boolean) =>
  readFieldValue({ type, ...(nullable === undefined ? {} : { nullable }) }, raw, plainValuePhrases);

/** What is wrong with a value; empty when nothing is. */
function problemOf(type: Type, raw: unknown): string {
  const parsed = read(type, raw);
  return 'problem' in parsed ? parsed.problem : '';
}

describe('readFieldValue', () => {
  const accepted: readonly [Type, unknown, unknown][] = [
    ['bool', true, true],
    ['bool', false, false],
    ['int32', 2_147_483_647, 2_147_483_647],
    ['int32', -2_147_483_648, -2_147_483_648],
    ['int32', 10.0, 10],
    ['int64', 2_147_483_648, 2_147_483_648],
    ['int64', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['duration', '30s', 30_000],
    ['duration', '1h1m1.5s', 3_661_500],
    ['duration', '0', 0],
    ['duration', '-1s', -1000],
    ['strings', [], []],
    ['strings', ['a', '', 'ü,"'], ['a', '', 'ü,"']],
    ['mapStringString', { a: '1', b: '' }, { a: '1', b: '' }],
    ['mapStringString', {}, {}],
    ['thresholds', { 'memory.available': '100Mi' }, { 'memory.available': '100Mi' }],
    ['mapStringBool', { A: true, B: false }, { A: true, B: false }],
    ['headers', { Accept: ['a', 'b'], Empty: [] }, { Accept: ['a', 'b'], Empty: [] }],
    ['string', '', ''],
    ['string', 'true', 'true'],
  ];
  for (const [type, raw, value] of accepted) {
    it(`takes ${JSON.stringify(raw)} for ${type}`, () => {
      const parsed = read(type, raw);
      expect(parsed).to.have.property('value');
      if ('value' in parsed) {
        const isMap = typeof value === 'object' && !Array.isArray(value);
        expect(isMap ? { ...(parsed.value as object) } : parsed.value).to.deep.equal(value);
      }
    });
  }

  const refused: readonly [Type, unknown, string][] = [
    ['bool', 'true', 'expected true or false, but found "true"'],
    ['bool', 1, 'expected true or false, but found 1'],
    ['int32', '1', 'expected a whole number, but found "1"'],
    ['int32', 1.5, 'expected a whole number, but found 1.5'],
    ['int32', true, 'expected a whole number, but found true'],
    ['int32', 2_147_483_648, '2147483648 is out of range'],
    ['int32', -2_147_483_649, '-2147483649 is out of range'],
    ['int64', 1e19, '10000000000000000000 is out of range'],
    ['duration', 30, 'expected a duration in quotes or plain, such as 30s, but found 30'],
    ['duration', '30', 'must be a duration with its unit, such as 30s, 5m or 1h'],
    ['duration', ['30s'], 'expected a duration in quotes or plain, such as 30s, but found ["30s"]'],
    ['strings', 'a', 'expected a list of texts, but found "a"'],
    ['strings', ['a', 1], 'expected a list of texts, but found ["a",1]'],
    ['strings', ['a', null], 'expected a list of texts, but found ["a",null]'],
    ['strings', { 0: 'a' }, 'expected a list of texts, but found {"0":"a"}'],
    ['mapStringString', ['a'], 'expected a map, but found ["a"]'],
    ['mapStringString', 'a=1', 'expected a map, but found "a=1"'],
    ['mapStringString', { a: '1', b: 2 }, 'b: expected text, but found 2'],
    ['mapStringString', { a: null }, 'a: expected text, but found null'],
    ['thresholds', { 'memory.available': 100 }, 'memory.available: expected text, but found 100'],
    ['mapStringBool', { A: 'true' }, 'A: expected true or false, but found "true"'],
    ['headers', { Accept: 'a' }, 'Accept: expected a list of texts, but found "a"'],
    ['headers', { Accept: [1] }, 'Accept: expected a list of texts, but found [1]'],
    ['string', 1, 'expected text, but found 1'],
    ['string', ['a'], 'expected text, but found ["a"]'],
    ['string', undefined, 'expected text, but found nothing'],
  ];
  for (const [type, raw, problem] of refused) {
    it(`does not take ${JSON.stringify(raw)} for ${type}`, () => {
      expect(problemOf(type, raw)).to.equal(problem);
    });
  }

  it('takes null for a missing field', () => {
    for (const type of ['bool', 'int32', 'int64', 'strings', 'mapStringString', 'headers', 'string'] as const)
      expect(read(type, null), type).to.deep.equal({ value: undefined });
  });

  it('takes null for no duration, unless the field may be null', () => {
    expect(problemOf('duration', null)).to.equal('must be a duration with its unit, such as 30s, 5m or 1h');
    expect(read('duration', null, true)).to.deep.equal({ value: undefined });
  });

  it('shows 60 characters of what it found, and no more of longer values', () => {
    expect(problemOf('bool', 'x'.repeat(58))).to.equal(
      `expected true or false, but found "${'x'.repeat(58)}"`,
    );
    expect(problemOf('bool', 'x'.repeat(59))).to.equal(
      `expected true or false, but found "${'x'.repeat(56)}...`,
    );
    expect(problemOf('strings', 'x'.repeat(1_000_000)).length).to.be.below(120);
  });

  it('keeps keys that objects inherit as data', () => {
    const raw = JSON.parse('{"__proto__": "x", "constructor": "y"}');
    const parsed = read('mapStringString', raw);
    const value = 'value' in parsed ? (parsed.value as object) : {};
    expect(Object.entries(value)).to.deep.equal([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
    expect(problemOf('mapStringString', JSON.parse('{"__proto__": 1}'))).to.contain(
      '__proto__: expected text',
    );
  });

  it('gives a map in which nothing is found that the file does not have', () => {
    const parsed = read('mapStringString', {});
    expect('value' in parsed && 'toString' in (parsed.value as object)).to.equal(false);
  });

  it('never throws, and takes only what has the JSON type of the option', () => {
    const types: Readonly<Record<string, (raw: unknown) => boolean>> = {
      bool: (raw) => typeof raw === 'boolean',
      int32: (raw) => Number.isInteger(raw),
      int64: (raw) => Number.isInteger(raw),
      duration: (raw) => typeof raw === 'string',
      strings: (raw) => Array.isArray(raw),
      mapStringString: (raw) => typeof raw === 'object' && !Array.isArray(raw),
      mapStringBool: (raw) => typeof raw === 'object' && !Array.isArray(raw),
      headers: (raw) => typeof raw === 'object' && !Array.isArray(raw),
      string: (raw) => typeof raw === 'string',
    };
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(types)), fc.jsonValue(), (type, raw) => {
        const parsed = read(type as Type, raw); // a key of the table
        if (raw !== null && 'value' in parsed) expect(types[type]?.(raw)).to.equal(true);
      }),
    );
  });
});
