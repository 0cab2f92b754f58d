import { expect } from 'chai';
import fc from 'fast-check';
import { keepText, textOf } from '../../../../src/machinery/meta/index.ts';

describe('textOf', () => {
  it('is the JSON text, whether there is room to keep it or not', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const wanted = JSON.stringify(value);
        expect(textOf(value)).to.equal(wanted);
        const keeper = keepText(value);
        expect(textOf(keeper)).to.equal(wanted);
        expect(textOf(keeper)).to.equal(wanted);
      }),
    );
  });

  it('is made once for a value that has room for it', () => {
    let made = 0;
    const value = {
      toJSON() {
        made++;
        return { made };
      },
    };
    expect(textOf(keepText(value))).to.equal('{"made":1}');
    expect(textOf(value)).to.equal('{"made":1}');
    expect(made).to.equal(1);
  });

  it('is made anew for any other value', () => {
    const value = { a: 1 };
    expect(textOf(value)).to.equal('{"a":1}');
    value.a = 2;
    expect(textOf(value)).to.equal('{"a":2}');
  });
});

describe('keepText', () => {
  it('gives back the value itself, and no reader of it sees the room', () => {
    const value = { a: 1 };
    expect(keepText(value)).to.equal(value);
    textOf(value);
    expect(Object.keys(value)).to.deep.equal(['a']);
    expect(JSON.stringify(value)).to.equal('{"a":1}');
    expect({ ...value }).to.deep.equal({ a: 1 });
    expect(structuredClone(value)).to.deep.equal({ a: 1 });
  });

  it('leaves a frozen value as it is', () => {
    const frozen = Object.freeze({ a: 1 });
    expect(keepText(frozen)).to.equal(frozen);
    expect(textOf(frozen)).to.equal('{"a":1}');
  });
});
