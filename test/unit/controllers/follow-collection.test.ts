import { expect } from 'chai';
import { silentLogger } from '../../../src/base/index.ts';
import type { RestClient, RestRequest } from '../../../src/client/rest/index.ts';
import { type FollowedObject, followCollection } from '../../../src/controllers/follow-collection.ts';
import { Gate } from '../../../src/controllers/garbage-collector/gate.ts';
import { otherFailure } from '../../../src/machinery/errors/index.ts';
import { ManualClock } from '../storage/manual-clock.ts';

const meta = (name: string, resourceVersion = '1') => ({ metadata: { name, resourceVersion } });
const line = (type: string, object: unknown) => Buffer.from(`${JSON.stringify({ type, object })}\n`);
const expired = () => otherFailure(410, 'Expired', 'too old resource version');

/** What the server does on one watch: frames, then an orderly end, an error, or silence. */
type WatchScript = (clock: ManualClock) => AsyncGenerator<Buffer>;

/** Follows a collection of scripted pages and watches until the scripts are used up; a log of all that happened. */
async function follow(pages: readonly object[], watches: readonly WatchScript[]): Promise<string[]> {
  const log: string[] = [];
  const end = new AbortController();
  const clock = new ManualClock();
  const scripts = [...watches];
  const lists = [...pages];
  const client = {
    async json({ query }: RestRequest) {
      log.push(`list ${query?.continue ?? ''}`.trim());
      const page = lists.shift();
      if (page instanceof Error) throw page;
      return page;
    },
    async stream({ query }: RestRequest) {
      const script = scripts.shift();
      if (script === undefined) {
        end.abort();
        throw new Error('aborted');
      }
      log.push(`watch ${query?.resourceVersion}`);
      return { status: 200, headers: {}, chunks: script(clock), close() {} };
    },
  } as unknown as RestClient; // nothing else is used
  const impatient = { nowMs: () => clock.nowMs(), setTimer: pauseOf(log) };
  await followCollection<FollowedObject>(
    { client, clock: impatient, random: () => 0, logger: silentLogger },
    {
      path: '/api/v1/things',
      signal: end.signal,
      listener: {
        onListing: () => void log.push('listing'),
        onObserved: ({ metadata }) => void log.push(`+${metadata.name}`),
        onListed: () => void log.push('listed'),
        onDeleted: ({ metadata }) => void log.push(`-${metadata.name}`),
      },
    },
  );
  return log;
}

/** Timers that run at once and are noted. */
const pauseOf = (log: string[]) => (delayMs: number, callback: () => void) => {
  log.push(`pause ${delayMs}`);
  queueMicrotask(callback);
  return () => {};
};

/** A watch without events that ends after so many milliseconds. */
const endingAfter = (durationMs: number): WatchScript =>
  async function* (clock) {
    clock.advance(durationMs);
    yield* [];
  };
const quietMinute = endingAfter(60_000);

const page = (names: readonly string[], resourceVersion: string, continueToken?: string) => ({
  metadata: { resourceVersion, continue: continueToken },
  items: names.map((name) => meta(name)),
});

describe('followCollection', () => {
  it('hands over pages as they come, then changes, and goes on where a watch ended', async () => {
    const log = await follow(
      [page(['a'], '5', 'next'), page(['b'], '5')],
      [
        async function* (clock) {
          yield line('ADDED', meta('c', '6'));
          yield line('DELETED', meta('a', '7'));
          yield line('BOOKMARK', meta('', '9'));
          clock.advance(60_000);
        },
        async function* (clock) {
          yield line('MODIFIED', meta('b', '10'));
          clock.advance(60_000);
        },
      ],
    );
    expect(log).to.deep.equal([
      ...['listing', 'list', '+a', 'list next', '+b', 'listed'],
      ...['watch 5', '+c', '-a'],
      ...['watch 9', '+b'],
    ]);
  });

  it('lists again when the server has forgotten the revision', async () => {
    const log = await follow(
      [page([], '5'), page(['a'], '8')],
      [
        async function* () {
          yield line('ERROR', expired().status);
        },
        quietMinute,
      ],
    );
    const again = ['listing', 'list', '+a', 'listed', 'watch 8'];
    expect(log.filter((entry) => !entry.startsWith('pause'))).to.deep.equal([
      ...['listing', 'list', 'listed', 'watch 5'],
      ...again,
    ]);
  });

  it('resumes a watch that broke, and rests before it does', async () => {
    const log = await follow(
      [page([], '5')],
      [
        async function* () {
          yield line('ADDED', meta('a', '6'));
          throw new Error('broken');
        },
        quietMinute,
      ],
    );
    expect(log.slice(3)).to.deep.equal(['watch 5', '+a', 'pause 100', 'watch 6']);
  });

  it('rests longer and longer while a server ends every watch at once', async () => {
    const endsAtOnce = endingAfter(0);
    const log = await follow([page([], '5')], [endsAtOnce, endsAtOnce, endsAtOnce]);
    expect(log.filter((entry) => entry.startsWith('pause'))).to.deep.equal([
      'pause 100',
      'pause 200',
      'pause 400',
    ]);
  });

  it('begins a list that failed again', async () => {
    const log = await follow(
      [page(['a'], '5', 'next'), otherFailure(500, '', 'no'), page(['b'], '6')],
      [quietMinute],
    );
    expect(log).to.deep.equal([
      ...['listing', 'list', '+a', 'list next', 'pause 100'],
      ...['listing', 'list', '+b', 'listed', 'watch 6'],
    ]);
  });
});

describe('Gate', () => {
  it('lets pass while it is open, and everybody once the signal aborts', async () => {
    const end = new AbortController();
    const gate = new Gate(end.signal);
    const passed: string[] = [];
    const pass = async (name: string) => {
      await gate.passage();
      passed.push(name);
    };
    const first = pass('first');
    gate.close();
    expect(passed).to.deep.equal([]);
    gate.open();
    await first;
    gate.close();
    const second = pass('second');
    expect(passed).to.deep.equal(['first']);
    end.abort();
    gate.close();
    await second;
    await pass('third');
    expect(passed).to.deep.equal(['first', 'second', 'third']);
  });
});
