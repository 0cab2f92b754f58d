import { expect } from 'chai';
import { describe, it } from 'mocha';
import { tellListFailures } from '../../../../src/nodeagent/lifecycle/index.ts';
import { RuntimeError } from '../../../../src/nodeagent/runtime/index.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { RecordedEvents } from '../images/fake-images.ts';

describe('tellListFailures', () => {
  it('makes an event each minute in which the runtime does not list its containers', async () => {
    const clock = new ManualClock();
    const events = new RecordedEvents();
    const stop = new AbortController();
    const relist: { failure: unknown } = { failure: undefined };
    const done = tellListFailures({ relist, events, clock, signal: stop.signal });
    const afterMinute = async (failure: unknown): Promise<string[]> => {
      relist.failure = failure;
      clock.advance(60_000);
      await new Promise((resolve) => setImmediate(resolve));
      return events.take();
    };
    expect(await afterMinute(undefined)).to.deep.equal([]);
    const gone = new RuntimeError('unavailable', 'connection refused');
    const said = ['Warning ContainerGCFailed rpc error: code = Unavailable desc = connection refused'];
    expect(await afterMinute(gone)).to.deep.equal(said);
    expect(await afterMinute(gone)).to.deep.equal(said);
    expect(await afterMinute(undefined)).to.deep.equal([]);
    stop.abort();
    await done;
  });
});
