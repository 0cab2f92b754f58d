import { expect } from 'chai';
import { FrameJoiner } from '../../../../src/server/streaming/frame-joiner.ts';

const [a, b] = [Buffer.from('{"a":1}\n'), Buffer.from('{"b":"ü"}\n')];

describe('FrameJoiner', () => {
  it('joins frames in order', () => {
    expect(String(new FrameJoiner().join([a, b]))).to.equal('{"a":1}\n{"b":"ü"}\n');
  });

  it('gives a single frame as it is', () => {
    expect(new FrameJoiner().join([a])).to.equal(a);
  });

  it('makes a chunk, with its length in bytes', () => {
    expect(String(new FrameJoiner().chunk([a, b]))).to.equal('13\r\n{"a":1}\n{"b":"ü"}\n\r\n');
  });

  it('makes the same bytes once for many streams', () => {
    const joiner = new FrameJoiner();
    expect(joiner.join([a, b])).to.equal(joiner.join([a, b]));
    expect(joiner.chunk([a, b])).to.equal(joiner.chunk([a, b]));
    expect(String(joiner.join([b, a]))).to.equal('{"b":"ü"}\n{"a":1}\n');
    expect(String(joiner.chunk([a]))).to.equal('8\r\n{"a":1}\n\r\n');
  });
});
