import { expect } from 'chai';
import type { Clock } from '../../../../src/base/index.ts';
import type { PendingEvent } from '../../../../src/server/audit/audit-event.ts';
import { AuditRecord } from '../../../../src/server/audit/audit-record.ts';
import type { AuditBackend } from '../../../../src/server/audit/audit-sink.ts';
import { BatchSink, type BatchSinkOptions } from '../../../../src/server/audit/batch-sink.ts';
import { listBatches } from '../../../../src/server/audit/event-batch.ts';
import { LossLog } from '../../../../src/server/audit/loss-log.ts';
import { anonymousUser } from '../../../../src/server/authentication/index.ts';
import { makeExchange } from '../../../support/exchange.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';

const names = { decision: '', reason: '', deprecated: '', removedRelease: '', truncated: '' };

const eventAt = (url: string): PendingEvent => ({
  record: new AuditRecord(makeExchange({ url }), {
    choice: { level: 'Metadata', omitsStage: () => false },
    names,
    isRefused: false,
  }),
  stage: 'ResponseComplete',
  code: 200,
  user: anonymousUser,
  atMs: 5,
});

/** A clock whose timers end when the test says so. */
function createManualClock() {
  const timers = new Map<() => void, number>();
  let nowMs = 0;
  const clock: Clock = {
    nowMs: () => nowMs,
    setTimer(delayMs, callback) {
      timers.set(callback, nowMs + delayMs);
      return () => void timers.delete(callback);
    },
  };
  const advance = (ms: number): void => {
    nowMs += ms;
    for (const [callback, atMs] of timers) {
      if (atMs > nowMs) continue;
      timers.delete(callback);
      callback();
    }
  };
  return { clock, advance };
}

interface SinkOptions extends Partial<Omit<BatchSinkOptions, 'backend'>> {
  readonly deliver?: (events: readonly string[]) => Promise<void>;
  readonly encode?: AuditBackend['encode'];
}

function createSink({ deliver, encode, ...options }: SinkOptions = {}) {
  const manual = createManualClock();
  const logger = createRecordingLogger();
  const batches: string[][] = [];
  let lost = 0;
  const onLost = (count: number): void => {
    lost += count;
  };
  const losses = new LossLog({ clock: manual.clock, logger, plugin: 'log', onLost });
  const sink = new BatchSink({
    clock: manual.clock,
    losses,
    bufferSize: 100,
    maxSize: 3,
    maxWaitMs: 1000,
    concurrency: 16,
    backend: {
      encode: encode ?? (({ record }) => record.exchange.path),
      startBatch: listBatches(deliver ?? (async (paths) => void batches.push([...paths]))),
    },
    ...options,
  });
  const add = (...urls: string[]): void => {
    for (const url of urls) sink.record(eventAt(url));
  };
  return { ...manual, sink, add, batches, logger, lost: () => lost };
}

describe('BatchSink', () => {
  it('sends a batch when it is full, and one that is not after a while', async () => {
    const { add, batches, advance } = createSink();
    add('/a', '/b', '/c', '/d');
    expect(batches).to.deep.equal([['/a', '/b', '/c']]);
    advance(999);
    expect(batches).to.have.length(1);
    advance(1);
    expect(batches).to.deep.equal([['/a', '/b', '/c'], ['/d']]);
  });

  it('keeps what is not a full batch for its time, also when a batch before it is done', async () => {
    const done: string[][] = [];
    const { add, advance, sink } = createSink({
      async deliver(events) {
        done.push([...events]);
      },
    });
    add('/a', '/b', '/c', '/d');
    await new Promise(setImmediate);
    add('/e');
    expect(done).to.deep.equal([['/a', '/b', '/c']]);
    advance(1000);
    expect(done).to.deep.equal([
      ['/a', '/b', '/c'],
      ['/d', '/e'],
    ]);
    add('/f');
    advance(999);
    expect(done).to.have.length(2);
    await sink.close();
    expect(done[2]).to.deep.equal(['/f']);
  });

  it('begins a new batch rather than to make one too large', () => {
    const { add, batches, advance } = createSink({ maxBatchLength: 10, maxSize: 100 });
    add('/12345', '/123', `/${'x'.repeat(20)}`, '/a');
    expect(batches).to.deep.equal([['/12345', '/123'], [`/${'x'.repeat(20)}`]]);
    advance(1000);
    expect(batches[2]).to.deep.equal(['/a']);
  });

  it('loses what is too much, and complains once a minute', () => {
    const { add, lost, logger, advance } = createSink({
      bufferSize: 2,
      concurrency: 1,
      maxWaitMs: 1e9,
      maxSize: 5,
    });
    add('/a', '/b', '/c', '/d', '/e');
    expect(lost()).to.equal(3);
    expect(logger.lines.map(({ message, fields }) => [message, fields.count])) //
      .to.deep.equal([['audit events dropped', 1]]);
    advance(60_000);
    add('/f');
    expect(logger.lines[1]?.fields.count).to.equal(3);
  });

  it('holds no more bytes than it may', () => {
    const { add, lost } = createSink({ maxLength: 10_000 });
    add(`/${'x'.repeat(8000)}`, `/${'x'.repeat(8000)}`);
    expect(lost()).to.equal(1);
  });

  it('takes an event as it is at the time, and passes over one that cannot be encoded', async () => {
    const notes = ['first', undefined, 'third'];
    const { add, batches, lost, sink } = createSink({ encode: () => notes.shift() });
    add('/a', '/b', '/c');
    expect(notes).to.deep.equal([]);
    await sink.close();
    expect([batches, lost()]).to.deep.equal([[['first', 'third']], 0]);
  });

  it('encodes nothing that there is no room for', () => {
    let encoded = 0;
    const { add, lost } = createSink({ bufferSize: 2, maxSize: 5, encode: () => String(++encoded) });
    add('/a', '/b', '/c');
    expect([encoded, lost()]).to.deep.equal([2, 1]);
  });

  it('counts what is not taken as lost, and goes on', async () => {
    let isDown = true;
    const taken: number[] = [];
    const { add, lost, sink } = createSink({
      async deliver(events) {
        if (isDown) throw new Error('down');
        taken.push(events.length);
      },
    });
    add('/a', '/b', '/c');
    await sink.close();
    isDown = false;
    add('/d');
    await sink.close();
    expect([lost(), taken]).to.deep.equal([3, [1]]);
  });

  it('sends no more batches than it may at a time, and each second', async () => {
    const { add, batches, advance, sink } = createSink({ throttle: { perSecond: 1, burst: 2 } });
    add('/1', '/2', '/3', '/4', '/5', '/6', '/7', '/8', '/9');
    expect(batches).to.have.length(2);
    advance(500);
    expect(batches).to.have.length(2);
    advance(500);
    expect(batches).to.have.length(3);
    add('/10');
    await sink.close();
    expect(batches.flat()).to.have.length(10);
  });

  it('has one batch under way where order counts', async () => {
    const { resolve, promise } = Promise.withResolvers<void>();
    const seen: string[] = [];
    const { add, sink } = createSink({
      maxSize: 1,
      concurrency: 1,
      deliver: async ([path]) => {
        seen.push(path ?? '');
        await promise;
      },
    });
    add('/a', '/b', '/c');
    expect(seen).to.deep.equal(['/a']);
    resolve();
    await sink.close();
    expect(seen).to.deep.equal(['/a', '/b', '/c']);
  });
});
