import { expect } from 'chai';
import { createSystemSlices, createTimeSlices } from '../../../../src/base/index.ts';
import type { Exchange } from '../../../../src/server/request/exchange.ts';
import {
  type Body,
  largeBodyBytes,
  respondInPieces,
} from '../../../../src/server/streaming/respond-in-pieces.ts';
import { makeExchange } from '../../../support/exchange.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const piece = (letter: string, length: number): Buffer => Buffer.alloc(length, letter);

const answerWith = (exchange: Exchange, body: Body, slices = createSystemSlices()): Promise<void> =>
  respondInPieces(exchange, { contentType: 'x/y', body, slice: slices.begin(1), compresses: false });

/** Pieces that tell how many of them were made. */
function makePieces(list: readonly Buffer[]) {
  const counter = { made: 0, pieces: [][Symbol.iterator]() as Iterator<Buffer> };
  function* make(): Generator<Buffer> {
    for (const item of list) {
      counter.made++;
      yield item;
    }
  }
  counter.pieces = make();
  return counter;
}

describe('respondInPieces', () => {
  it('sends a small body whole, with its length', async () => {
    const { answer, ...exchange } = makeExchange();
    const { pieces } = makePieces([piece('a', 3), piece('', 0), piece('b', 2)]);
    await answerWith(exchange, { pieces });
    expect(answer.text).to.equal('aaabb');
    expect(answer.headers).to.include({ 'content-length': 5, 'content-type': 'x/y' });
    expect(answer.steps).to.deep.equal(['head', 'end']);
  });

  it('sends a large body in pieces, whole and in order', async () => {
    const { answer, ...exchange } = makeExchange({ warnings: ['old'] });
    const letters = ['a', 'b', 'c', 'd'];
    const { pieces } = makePieces(letters.map((letter) => piece(letter, largeBodyBytes / 2)));
    await answerWith(exchange, { pieces });
    expect(answer.chunks.map((chunk) => String(chunk.subarray(0, 1))).join('')).to.equal('abcd');
    expect(answer.text).to.have.length(2 * largeBodyBytes);
    expect(answer.headers).to.not.have.property('content-length');
    expect(answer.headers).to.have.property('Warning');
    expect(answer.steps.at(-1)).to.equal('end');
  });

  it('gives pieces back when they are sent, and none that may still be read', async () => {
    const { answer, ...exchange } = makeExchange();
    const sent: ((error?: Error) => void)[] = [];
    answer.write = (_chunk: Buffer, done?: (error?: Error) => void) => {
      if (done !== undefined) sent.push(done);
      return true;
    };
    const recycled: string[] = [];
    const list = ['a', 'b', 'c'].map((letter) => piece(letter, 10));
    await answerWith(exchange, {
      pieces: makePieces(list).pieces,
      totalBytes: 30,
      recycle: (one) => recycled.push(one.toString('utf8', 0, 1)),
    });
    expect(recycled).to.deep.equal([]);
    const [first, second, third] = sent;
    second?.();
    first?.(new Error('the client has left'));
    third?.();
    expect(recycled).to.deep.equal(['b', 'c']);
  });

  it('says how long a large body is where that is known', async () => {
    const { answer, ...exchange } = makeExchange();
    const list = [piece('a', largeBodyBytes), piece('b', 10)];
    await answerWith(exchange, {
      pieces: makePieces(list).pieces,
      totalBytes: largeBodyBytes + 10,
    });
    expect(answer.headers).to.include({ 'content-length': largeBodyBytes + 10 });
    expect(answer.chunks).to.have.length(2);
  });

  it('waits for a client that reads slowly', async () => {
    const { answer, ...exchange } = makeExchange();
    const source = makePieces(Array.from({ length: 10 }, () => piece('a', largeBodyBytes)));
    answer.write = (chunk) => {
      answer.chunks.push(chunk);
      return false;
    };
    const done = answerWith(exchange, { pieces: source.pieces });
    for (let n = 0; n < 5; n++) await turn();
    const { made } = source;
    expect(made).to.be.below(5);
    answer.emit('drain');
    await turn();
    expect(source.made).to.equal(made + 1);
    for (let n = 0; n < 10; n++) {
      answer.emit('drain');
      await turn();
    }
    await done;
    expect(answer.chunks).to.have.length(10);
  });

  it('makes no more once the client has left', async () => {
    const { answer, ...exchange } = makeExchange();
    const source = makePieces(Array.from({ length: 10 }, () => piece('a', largeBodyBytes)));
    answer.write = () => false;
    const done = answerWith(exchange, { pieces: source.pieces });
    await turn();
    answer.emit('close');
    await done;
    expect(source.made).to.be.below(5);
  });

  it('throws what the first piece throws before anything is sent', async () => {
    const { answer, ...exchange } = makeExchange();
    const pieces: Iterator<Buffer> = {
      next() {
        throw new RangeError('broken');
      },
    };
    const error = await answerWith(exchange, { pieces }).catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(RangeError);
    expect(answer.headersSent).to.equal(false);
  });

  it('makes no more in one round of the event loop than there is time for, with others together', async () => {
    let now = 0;
    let deferred: (() => void)[] = [];
    const slices = createTimeSlices({
      sliceMs: 5,
      nowMs: () => now,
      defer: (callback) => void deferred.push(callback),
    });
    let made = 0;
    function* pieces(): Generator<Buffer> {
      for (let n = 0; n < 20; n++) {
        now++;
        made++;
        yield piece('a', largeBodyBytes / 8);
      }
    }
    const exchanges = Array.from({ length: 3 }, () => makeExchange());
    const done = exchanges.map((exchange) => answerWith(exchange, { pieces: pieces() }, slices));
    await turn();
    const perRound = [made];
    while (made < 60 || deferred.length > 0) {
      const before = made;
      const due = deferred;
      deferred = [];
      for (const callback of due) callback();
      await turn();
      perRound.push(made - before);
    }
    await Promise.all(done);
    // Each takes a step before it looks whether there is time.
    expect(Math.max(...perRound)).to.be.at.most(5 + 3);
    for (const { answer } of exchanges) expect(answer.text).to.have.length(20 * (largeBodyBytes / 8));
  });

  it('lets other work pass while it makes a body', async () => {
    const { answer, ...exchange } = makeExchange();
    let others = 0;
    const count = setImmediate(function again() {
      others++;
      if (!answer.headersSent) setImmediate(again);
    });
    function* slow(): Generator<Buffer> {
      for (let n = 0; n < 5; n++) {
        const until = performance.now() + 10;
        while (performance.now() < until);
        yield piece('a', 1);
      }
    }
    await answerWith(exchange, { pieces: slow() });
    clearImmediate(count);
    expect(others).to.be.at.least(4);
    expect(answer.text).to.equal('aaaaa');
  });
});
