import { expect } from 'chai';
import { asError, errorText } from '../../../src/base/index.ts';

describe('errorText', () => {
  it('is the message of an error, and the text of anything else', () => {
    expect(errorText(new RangeError('too far'))).to.equal('too far');
    expect(errorText('a text')).to.equal('a text');
    expect(errorText(undefined)).to.equal('undefined');
    expect(errorText(7n)).to.equal('7');
  });

  it('has a text for what refuses to become one', () => {
    expect(errorText(Object.create(null))).to.equal('unknown error');
  });
});

describe('asError', () => {
  it('hands on an error, and makes one of anything else', () => {
    const error = new TypeError('wrong');
    expect(asError(error)).to.equal(error);
    expect(asError('a text')).to.be.instanceOf(Error).with.property('message', 'a text');
  });
});
