import { expect } from 'chai';
import { openHttpOutlet } from '../../../../src/server/streaming/http-outlet.ts';
import { createWatchDelivery } from '../../../../src/server/streaming/watch-delivery.ts';
import { WatchStream, type WatchStreamOptions } from '../../../../src/server/streaming/watch-stream.ts';
import { type FakeResponse, makeExchange, type TestExchange } from '../../../support/exchange.ts';

const hour = 3_600_000;
const openOn = (exchange: TestExchange, options: Partial<WatchStreamOptions> = {}): WatchStream => {
  const { pacer, joiner } = createWatchDelivery();
  const outlet = openHttpOutlet(exchange, 'application/json', joiner);
  return new WatchStream({ outlet, pacer, signal: exchange.signal, timeoutMs: hour, ...options });
};
const open = (options: Partial<WatchStreamOptions> = {}, warnings: string[] = []) => {
  const exchange = makeExchange({ url: '/api/v1/pods?watch=1', warnings });
  return { exchange, stream: openOn(exchange, options), answer: exchange.answer };
};
const frame = (text: string) => Buffer.from(`${text}\n`);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Nothing more can be sent: the answer has ended, or its connection is gone. */
const isCutOff = (answer: FakeResponse): boolean => answer.writableEnded || answer.destroyed;

describe('WatchStream', () => {
  it('sends the head at once, before any event', () => {
    const { answer, exchange } = open({}, ['old']);
    expect(answer.steps).to.deep.equal(['head', 'flush']);
    expect(answer.statusCode).to.equal(200);
    expect(answer.headers).to.deep.equal({
      'audit-id': 'audit-1',
      'cache-control': 'no-cache, private',
      'content-type': 'application/json',
      Warning: ['299 - "old"'],
    });
    exchange.abort();
  });

  it('sends the frames of a turn together at its end, in order', async () => {
    const { stream, answer, exchange } = open();
    stream.send(frame('a'));
    stream.send(frame('b'));
    expect(answer.text).to.equal('');
    await Promise.resolve();
    await turn();
    expect(answer.text).to.equal('a\nb\n');
    expect(answer.steps.filter((step) => step === 'write')).to.have.length(1);
    exchange.abort();
  });

  it('gathers what comes soon after, and sends it without another cause', async () => {
    const { stream, answer, exchange } = open();
    stream.send(frame('a'));
    await turn();
    stream.send(frame('b'));
    stream.send(frame('c'));
    await turn();
    const keepsAwake = setTimeout(() => {}, 5000);
    while (answer.chunks.length < 2) await turn();
    clearTimeout(keepsAwake);
    expect(answer.chunks.map(String)).to.deep.equal(['a\n', 'b\nc\n']);
    exchange.abort();
  });

  it('does not gather more than is worth it', () => {
    const { stream, answer, exchange } = open();
    for (let n = 0; n < 3; n++) stream.send(Buffer.alloc(100_000));
    expect(answer.chunks).to.have.length(1);
    expect(answer.chunks[0]).to.have.length(300_000);
    exchange.abort();
  });

  it('sends what waits before it ends with the server', async () => {
    const { stream, answer, exchange } = open();
    stream.send(frame('a'));
    exchange.abort();
    await stream.ended;
    expect(answer.steps.slice(2)).to.deep.equal(['write', 'end']);
    expect(answer.text).to.equal('a\n');
  });

  it('sends a last frame before it ends the answer', async () => {
    const { stream, answer } = open();
    stream.send(frame('a'));
    stream.fail(frame('error'));
    await stream.ended;
    expect(answer.steps.slice(2)).to.deep.equal(['write', 'end']);
    expect(answer.text).to.equal('a\nerror\n');
  });

  describe('asks for a pause in old events', () => {
    it('not while the client keeps up', () => {
      const { stream, exchange } = open();
      stream.send(Buffer.alloc(2 * 1024 * 1024));
      expect(stream.drained()).to.equal(undefined);
      exchange.abort();
    });

    it('until the client has read some', async () => {
      const { stream, answer, exchange } = open();
      answer.isStuck = true;
      stream.send(Buffer.alloc(2 * 1024 * 1024));
      let isDrained = false;
      const drained = stream.drained()?.then(() => {
        isDrained = true;
      });
      await turn();
      expect(isDrained).to.equal(false);
      answer.emit('drain');
      await drained;
      expect(isDrained).to.equal(true);
      exchange.abort();
    });

    it('no longer than the watch lasts', async () => {
      const { stream, answer } = open();
      answer.isStuck = true;
      stream.send(Buffer.alloc(2 * 1024 * 1024));
      const drained = stream.drained();
      answer.emit('close');
      await drained;
      expect(stream.drained()).to.equal(undefined);
    });
  });

  it('sends nothing after its end', async () => {
    const { stream, answer } = open();
    stream.fail(frame('error'));
    stream.send(frame('late'));
    stream.fail(frame('later'));
    await stream.ended;
    expect(answer.text).to.equal('error\n');
    expect(answer.steps.filter((step) => step === 'end')).to.have.length(1);
  });

  it('cuts off a client that reads too slowly, and keeps no more for it', async () => {
    const { stream, answer } = open();
    answer.isStuck = true;
    const megabyte = Buffer.alloc(1024 * 1024);
    let sent = 0;
    while (!isCutOff(answer) && sent < 100) {
      stream.send(megabyte);
      sent++;
    }
    await stream.ended;
    expect(sent).to.equal(9);
    stream.send(megabyte);
    expect(answer.chunks).to.have.length(9);
  });

  it('does not cut off a client that keeps up, however much it gets', () => {
    const { stream, answer, exchange } = open();
    const megabyte = Buffer.alloc(1024 * 1024);
    for (let n = 0; n < 50; n++) stream.send(megabyte);
    expect(isCutOff(answer)).to.equal(false);
    exchange.abort();
  });

  it('ends in order when its time is up', async () => {
    const { stream, answer } = open({ timeoutMs: 1 });
    const keepsAwake = setTimeout(() => {}, 5000);
    await stream.ended;
    clearTimeout(keepsAwake);
    expect(answer.steps.at(-1)).to.equal('end');
    expect(answer.text).to.equal('');
  });

  it('tells nothing while it has no position yet', async () => {
    const bookmarks = { intervalMs: hour, encode: () => undefined };
    const { stream, answer } = open({ timeoutMs: 1, bookmarks });
    const keepsAwake = setTimeout(() => {}, 5000);
    await stream.ended;
    clearTimeout(keepsAwake);
    expect(answer.text).to.equal('');
  });

  for (const [timeoutMs, text] of [
    [2001, 'bookmark\n'],
    [1, ''],
  ] as const)
    it(`tells its position two seconds before its end after ${timeoutMs} ms`, async () => {
      const bookmarks = { intervalMs: hour, encode: () => frame('bookmark') };
      const { stream, answer } = open({ timeoutMs, bookmarks });
      const keepsAwake = setTimeout(() => {}, 5000);
      await stream.ended;
      clearTimeout(keepsAwake);
      expect(answer.text).to.equal(text);
    });

  it('tells its position again and again, each time anew', async () => {
    let count = 0;
    const bookmarks = { intervalMs: 1, encode: () => frame(`bookmark ${++count}`) };
    const { stream, answer, exchange } = open({ bookmarks });
    const keepsAwake = setTimeout(() => {}, 5000);
    while (count < 3) await turn();
    stream.flush();
    exchange.abort();
    await stream.ended;
    clearTimeout(keepsAwake);
    expect(answer.text).to.match(/^bookmark 1\nbookmark 2\nbookmark 3\n/);
    const last = count;
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(count).to.equal(last);
  });

  it('ends in order when the server stops', async () => {
    const { stream, answer, exchange } = open();
    exchange.abort();
    await stream.ended;
    expect(answer.steps.at(-1)).to.equal('end');
  });

  it('ends at once when the server is stopping already', async () => {
    const exchange = makeExchange();
    exchange.abort();
    await openOn(exchange).ended;
    expect(exchange.answer.steps.at(-1)).to.equal('end');
  });

  it('is over when the client leaves', async () => {
    const { stream, answer } = open();
    answer.emit('close');
    await stream.ended;
    stream.send(frame('late'));
    expect(answer.text).to.equal('');
  });

  it('works without what only HTTP/1.1 has, and looks at the stream for what waits', async () => {
    const exchange = makeExchange();
    const http2 = { writableLength: 0 };
    Object.assign(exchange.response, {
      cork: undefined,
      uncork: undefined,
      stream: http2,
    });
    const stream = openOn(exchange);
    stream.send(frame('a'));
    stream.flush();
    expect(exchange.answer.text).to.equal('a\n');
    http2.writableLength = 9 * 1024 * 1024;
    stream.send(frame('b'));
    stream.flush();
    await stream.ended;
    expect(isCutOff(exchange.answer)).to.equal(true);
  });
});
