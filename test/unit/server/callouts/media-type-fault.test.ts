import { expect } from 'chai';
import { mediaTypeFault } from '../../../../src/server/callouts/media-type-fault.ts';

describe('mediaTypeFault', () => {
  for (const text of ['application/json', 'text', 'a/b; c=d', 'a/b;charset="x;y" ; q=1', 'a/b;']) {
    it(`takes ${text}`, () => expect(mediaTypeFault(text)).to.equal(undefined));
  }
  const faults: Readonly<Record<string, string>> = {
    ';;;': 'mime: no media type',
    'a b': 'mime: expected slash after first token',
    'a/': 'mime: expected token after slash',
    'a/b c': 'mime: unexpected content after media subtype',
    'a/b; c': 'mime: invalid media parameter',
    'a/b; c=1; C=2': 'mime: duplicate parameter name',
  };
  for (const [text, fault] of Object.entries(faults)) {
    it(`says why not ${text}`, () => expect(mediaTypeFault(text)).to.equal(fault));
  }
});
