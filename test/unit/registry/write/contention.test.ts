import { expect } from 'chai';
import { describe, it } from 'mocha';
import { KeyQueue } from '../../../../src/base/index.ts';
import type { ServedKind, WriteOptions } from '../../../../src/registry/resource-store.ts';
import { tryUntilDone } from '../../../../src/registry/write/contention.ts';
import { expectStatus } from '../../../support/expect-status.ts';

describe('tryUntilDone', () => {
  const started = () =>
    ({
      kind: { group: '' },
      store: { resource: 'configmaps', contended: new KeyQueue() },
    }) as unknown as ServedKind; // all it uses
  const options = (signal = new AbortController().signal) =>
    ({ request: { signal } }) as unknown as WriteOptions; // all it uses
  const write = { key: '/a', name: 'a', options: options() };

  it('lets those that lost try one after another, and others beside them', async () => {
    const served = started();
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const loser = (name: string) => {
      let tries = 0;
      return tryUntilDone(served, write, async () => {
        order.push(name);
        if (++tries === 1) return undefined;
        await gate.promise;
        return name;
      });
    };
    const losers = [loser('a'), loser('b')];
    expect(await tryUntilDone(served, write, async () => 'newcomer')).to.equal('newcomer');
    expect(order).to.deep.equal(['a', 'b', 'a']);
    gate.resolve();
    expect(await Promise.all(losers)).to.deep.equal(['a', 'b']);
    expect(order).to.deep.equal(['a', 'b', 'a', 'b']);
  });

  it('ends with the failure of an attempt, and lets the next one try', async () => {
    const served = started();
    let tries = 0;
    const failing = tryUntilDone(served, write, async () => {
      if (++tries === 1) return undefined;
      throw new RangeError('no');
    });
    let others = 0;
    const next = tryUntilDone(served, write, async () => (++others === 1 ? undefined : 'done'));
    expect(await failing.catch((error) => error)).to.be.instanceOf(RangeError);
    expect(await next).to.equal('done');
  });

  it('holds up nobody while it asks webhooks, which may write the same object', async () => {
    const served = started();
    let [outer, inner] = [0, 0];
    const asking = {
      ...write,
      options: { request: { ...options().request, hasAsked: true } } as unknown as WriteOptions,
    };
    const nested = () => tryUntilDone(served, write, async () => (++inner === 1 ? undefined : 'inner'));
    const result = tryUntilDone(served, asking, async () => (++outer === 1 ? undefined : nested()));
    expect(await result).to.equal('inner');
  });

  it('gives up when nobody waits for the answer any more', async () => {
    const client = new AbortController();
    let tries = 0;
    const attempt = async (): Promise<undefined> => {
      if (++tries === 3) client.abort();
    };
    const ended = tryUntilDone(started(), { ...write, options: options(client.signal) }, attempt);
    await expectStatus(ended, { code: 409, reason: 'Conflict' });
    expect(tries).to.equal(3);
  });
});
