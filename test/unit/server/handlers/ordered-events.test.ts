import { expect } from 'chai';
import { OrderedEvents } from '../../../../src/server/handlers/ordered-events.ts';
import type { WatchEvent } from '../../../../src/storage/watch-cache/index.ts';

const eventOf = (revision: number): WatchEvent => ({ revision }) as WatchEvent; // all that is looked at here

function watch() {
  const sent: (number | string)[] = [];
  const events = new OrderedEvents({
    convert: () => undefined,
    send: ({ revision }) => void sent.push(revision),
    fail: (error) => void sent.push(error.message),
  });
  return { sent, events };
}

describe('events of a watch that a webhook converts', () => {
  it('are sent in order, and what comes after them behind them', async () => {
    const { sent, events } = watch();
    for (let at = 0; at < 600; at++) events.add(eventOf(at));
    await events.drained();
    events.add(() => void sent.push('end'));
    expect(sent).to.deep.equal(Array.from({ length: 600 }, (_, at) => at));
    await new Promise(setImmediate);
    expect(sent.at(-1)).to.equal('end');
    expect(events.drained()).to.equal(undefined);
  });

  it('end the watch when too many wait, which is told once', async () => {
    const { sent, events } = watch();
    for (let at = 0; at < 20_000; at++) events.add(eventOf(at));
    await new Promise(setImmediate);
    expect(sent).to.deep.equal(['the conversion webhook is too slow for this watch']);
    expect(events.isIdle).to.equal(true);
  });
});
