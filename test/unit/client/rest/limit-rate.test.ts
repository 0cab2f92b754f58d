import { expect } from 'chai';
import fc from 'fast-check';
import type { RestClient } from '../../../../src/client/rest/client.ts';
import { limitRate } from '../../../../src/client/rest/limit-rate.ts';
import { ManualClock } from '../../storage/manual-clock.ts';

/** Lets everything go on that waits for no timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
}

/** A client that notes the time of each request, and its limited form. */
function createClient(perSecond: number, burst: number) {
  const clock = new ManualClock();
  const sent: { readonly what: string; readonly atMs: number }[] = [];
  let closed = 0;
  const note = (what: string) => async (request: { readonly path: string }) => {
    sent.push({ what: `${what} ${request.path}`, atMs: clock.nowMs() });
    // The answer is handed over as it is.
    return { what } as never;
  };
  const client: RestClient = {
    server: 'https://s',
    send: note('send'),
    json: note('json'),
    stream: note('stream'),
    close: () => void closed++,
  };
  const limited = limitRate(client, { perSecond, burst, clock });
  const get = (path = '/'): void => void limited.send({ method: 'GET', path });
  /** Moves time on by this much, in steps of 100 ms, at which requests are sent that were due. */
  const pass = async (ms: number): Promise<void> => {
    await settle();
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100);
      await settle();
    }
  };
  return {
    client,
    limited,
    clock,
    get,
    pass,
    sent,
    times: () => sent.map(({ atMs }) => atMs),
    closed: () => closed,
  };
}

describe('limitRate', () => {
  for (const perSecond of [0, -1, Number.NaN])
    it(`limits nothing at ${perSecond} per second`, () => {
      const { client, limited } = createClient(perSecond, 1);
      expect(limited).to.equal(client);
    });

  it('lets a burst through at once, and then one after the other', async () => {
    const { get, pass, times } = createClient(10, 3);
    for (let request = 0; request < 6; request++) get();
    await pass(1000);
    expect(times()).to.deep.equal([0, 0, 0, 100, 200, 300]);
  });

  for (const burst of [1, 0, -5])
    it(`sends them evenly with a burst of ${burst}`, async () => {
      const { get, pass, times } = createClient(2, burst);
      for (let request = 0; request < 3; request++) get();
      await pass(2500);
      expect(times()).to.deep.equal([0, 500, 1000]);
    });

  it('lets a burst through again after a rest, as much of it as the rest was long', async () => {
    const { get, pass, times } = createClient(10, 3);
    for (let request = 0; request < 3; request++) get();
    await pass(200);
    for (let request = 0; request < 3; request++) get();
    await pass(100);
    await pass(10_000);
    for (let request = 0; request < 4; request++) get();
    await pass(100);
    expect(times()).to.deep.equal([0, 0, 0, 200, 200, 300, 10_300, 10_300, 10_300, 10_400]);
  });

  it('counts requests of all kinds, and sends them first come first served', async () => {
    const { limited, pass, sent } = createClient(1, 1);
    const answers = [
      limited.send({ method: 'GET', path: '/a' }),
      limited.json({ method: 'GET', path: '/b' }),
      limited.stream({ method: 'GET', path: '/c' }),
    ];
    await pass(3000);
    expect(sent).to.deep.equal([
      { what: 'send /a', atMs: 0 },
      { what: 'json /b', atMs: 1000 },
      { what: 'stream /c', atMs: 2000 },
    ]);
    expect(await Promise.all(answers)).to.deep.equal([
      { what: 'send' },
      { what: 'json' },
      { what: 'stream' },
    ]);
  });

  it('is the same client otherwise', () => {
    const { limited, closed, clock } = createClient(1, 1);
    expect(limited.server).to.equal('https://s');
    limited.close();
    expect(closed()).to.equal(1);
    expect(clock.timerCount).to.equal(0);
  });

  it('sends no more than the burst and the rate allow in any time, and all in the end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 2, 5, 10),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.nat(12), { maxLength: 12 }),
        async (perSecond, burst, pauses) => {
          const { get, pass, times } = createClient(perSecond, burst);
          for (const pause of pauses) {
            get();
            if (pause > 0) await pass(pause * 100);
          }
          await pass(pauses.length * (1000 / perSecond));
          const sent = times();
          expect(sent).to.have.lengthOf(pauses.length);
          for (const [first, from] of sent.entries()) {
            for (const [last, to] of sent.entries()) {
              if (last < first) continue;
              expect(last - first + 1).to.be.at.most(burst + ((to - from) * perSecond) / 1000 + 1e-6);
            }
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});
