import { expect } from 'chai';
import fc from 'fast-check';
import { parseBool } from '../../../../src/machinery/go-values/index.ts';

describe('parseBool', () => {
  for (const text of ['1', 't', 'T', 'true', 'TRUE', 'True']) {
    it(`takes ${text} for true`, () => expect(parseBool(text)).to.equal(true));
  }
  for (const text of ['0', 'f', 'F', 'false', 'FALSE', 'False']) {
    it(`takes ${text} for false`, () => expect(parseBool(text)).to.equal(false));
  }
  for (const text of ['', 'yes', 'no', 'on', 'tRUE', 'fALSE', ' true', 'true\n', '2', '-1', 'toString']) {
    it(`takes ${JSON.stringify(text)} for neither`, () => expect(parseBool(text)).to.equal(undefined));
  }

  it('reads what it is written as', () => {
    fc.assert(
      fc.property(fc.boolean(), (value) => {
        expect(parseBool(String(value))).to.equal(value);
        expect(parseBool(String(Number(value)))).to.equal(value);
      }),
    );
  });
});
