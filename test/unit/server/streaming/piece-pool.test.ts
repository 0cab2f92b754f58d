import { expect } from 'chai';
import fc from 'fast-check';
import { createPiecePool, PiecePacker } from '../../../../src/server/streaming/piece-pool.ts';

describe('createPiecePool', () => {
  it('gives a buffer again once it was given back, whole or in part', () => {
    const pool = createPiecePool({ pieceBytes: 10, maxKept: 2 });
    const [first, second] = [pool.take(), pool.take()];
    expect(first).to.have.length(10);
    expect(second.buffer).not.to.equal(first.buffer);
    pool.giveBack(first.subarray(0, 3));
    expect(pool.take()).to.equal(first);
    expect(pool.take()).not.to.equal(first);
  });

  it('never gives one buffer to two', () => {
    const pool = createPiecePool({ pieceBytes: 10, maxKept: 2 });
    const piece = pool.take();
    pool.giveBack(piece);
    pool.giveBack(piece);
    expect(pool.take()).to.equal(piece);
    expect(pool.take()).not.to.equal(piece);
  });

  it('leaves buffers of others alone', () => {
    const pool = createPiecePool({ pieceBytes: 10, maxKept: 2 });
    const other = Buffer.allocUnsafeSlow(10);
    pool.giveBack(other);
    expect(pool.take().buffer).not.to.equal(other.buffer);
  });

  it('keeps no more than it may', () => {
    const pool = createPiecePool({ pieceBytes: 10, maxKept: 1 });
    const [first, second] = [pool.take(), pool.take()];
    pool.giveBack(first);
    pool.giveBack(second);
    expect(pool.take()).to.equal(first);
    expect(pool.take()).not.to.equal(second);
  });
});

describe('PiecePacker', () => {
  it('keeps all bytes in order, in pieces that are no longer than they must be', () => {
    const pieceBytes = 10;
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 25 })), (parts) => {
        const pool = createPiecePool({ pieceBytes, maxKept: 2 });
        const packer = new PiecePacker(pool);
        const sent: Buffer[] = [];
        const send = (piece: Buffer | undefined): void => {
          if (piece === undefined) return;
          sent.push(Buffer.from(piece));
          // Whoever gets the buffer next may write over it.
          pool.giveBack(piece);
        };
        for (const part of parts) send(packer.add(Buffer.from(part)));
        send(packer.end());
        const all = Buffer.concat(parts);
        expect(Buffer.concat(sent).equals(all)).to.equal(true);
        for (const piece of sent) {
          const isOne = parts.some((part) => part.length > pieceBytes && piece.equals(part));
          expect(piece.length <= pieceBytes || isOne).to.equal(true);
        }
      }),
    );
  });

  it('never writes into what it was given', () => {
    const pool = createPiecePool({ pieceBytes: 4, maxKept: 2 });
    const packer = new PiecePacker(pool);
    const large = Buffer.from('large part');
    packer.add(large);
    const full = packer.add(Buffer.from('x'));
    expect(full?.toString()).to.equal('large part');
    if (full !== undefined) pool.giveBack(full);
    packer.add(Buffer.from('yyyy'));
    expect(large.toString()).to.equal('large part');
  });
});
