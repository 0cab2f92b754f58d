import { expect } from 'chai';
import { ChunkCounter } from '../../../bench/chunk-counter.ts';

const body = Buffer.from('5\r\nab\r\nc\r\n1a\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n');

describe('ChunkCounter', () => {
  it('finds the end of a body wherever it is cut', () => {
    for (let step = 1; step <= body.length; step++) {
      const counter = new ChunkCounter();
      for (let at = 0; at < body.length; at += step) {
        expect(counter.isComplete).to.equal(false);
        counter.take(body.subarray(at, at + step));
      }
      expect(counter).to.include({ isComplete: true, bodyBytes: 31 });
    }
  });
});
