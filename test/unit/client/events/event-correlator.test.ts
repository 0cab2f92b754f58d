import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { EventCorrelator } from '../../../../src/client/events/event-correlator.ts';

describe('EventCorrelator', () => {
  const node = { kind: 'Node', name: 'n', uid: 'n' };
  const event = (message: string, atMs = 0, involved = node) => ({
    name: `n.${message}.${atMs}`,
    involved,
    type: 'Normal',
    reason: 'Tried',
    message,
    atMs,
  });

  it('counts equal events on under the name and first time of the first', () => {
    const correlator = new EventCorrelator();
    expect(correlator.correlate(event('a', 1000))).to.include({
      name: 'n.a.1000',
      count: 1,
      firstAtMs: 1000,
    });
    expect(correlator.correlate(event('a', 5000))).to.include({
      name: 'n.a.1000',
      count: 2,
      firstAtMs: 1000,
      atMs: 5000,
    });
  });

  it('tells containers of a pod apart', () => {
    const correlator = new EventCorrelator();
    const of = (fieldPath: string) => ({ ...node, fieldPath });
    correlator.correlate(event('a', 0, of('spec.containers{x}')));
    expect(correlator.correlate(event('a', 0, of('spec.containers{y}')))?.count).to.equal(1);
  });

  it('makes one of the tenth and later ones that differ in their messages', () => {
    const correlator = new EventCorrelator();
    const seen = Array.from({ length: 12 }, (_, index) => correlator.correlate(event(`m${index}`, index)));
    expect(seen.slice(0, 9).every((one) => one?.count === 1)).to.equal(true);
    expect(seen[9]).to.include({ message: '(combined from similar events): m9', count: 1, name: 'n.m9.9' });
    expect(seen[11]).to.include({ message: '(combined from similar events): m11', count: 3, name: 'n.m9.9' });
  });

  it('begins anew when there was none of the kind for ten minutes', () => {
    const correlator = new EventCorrelator();
    for (let index = 0; index < 9; index++) correlator.correlate(event(`m${index}`));
    expect(correlator.correlate(event('late', 600_001))?.message).to.equal('late');
  });

  it('lets 25 events of an object pass, then one every five minutes', () => {
    const correlator = new EventCorrelator();
    const passed = (atMs: number, count: number) =>
      Array.from({ length: count }, () => correlator.correlate(event('a', atMs))).filter(Boolean).length;
    expect(passed(0, 40)).to.equal(25);
    expect(passed(299_000, 2)).to.equal(0);
    expect(passed(300_000, 2)).to.equal(1);
    expect(correlator.correlate(event('a', 300_000, { ...node, name: 'other' }))?.count).to.equal(1);
  });

  it('remembers thousands of events in little memory, however long they are', () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    const heapMegabytes = (): number => {
      collectGarbage();
      return process.memoryUsage().heapUsed / 1e6;
    };
    const correlator = new EventCorrelator();
    const before = heapMegabytes();
    for (let index = 0; index < 5000; index++) {
      const name = `pod-${index}-${'x'.repeat(100)}`;
      const message = `${'message '.repeat(200)}${index}`;
      correlator.correlate({ ...event(message, index, { kind: 'Pod', name, uid: name }), name });
    }
    const grown = heapMegabytes() - before;
    expect(correlator.correlate(event('a'))?.count).to.equal(1);
    expect(grown).to.be.below(4);
  });
});
