import { expect } from 'chai';
import { createBackoff, listPages, runReflector } from '../../../src/client/list-watch/index.ts';
import type { RestClient, RestRequest } from '../../../src/client/rest/index.ts';
import { otherFailure } from '../../../src/machinery/errors/index.ts';
import { ManualClock } from '../storage/manual-clock.ts';

const meta = (name: string, resourceVersion = '1') => ({ metadata: { name, resourceVersion } });
const line = (type: string, object: unknown) => Buffer.from(`${JSON.stringify({ type, object })}\n`);
const expired = () => otherFailure(410, 'Expired', 'too old resource version');

/** What the server does on one watch: frames, then an orderly end, an error, or silence. */
type WatchScript = (clock: ManualClock) => AsyncGenerator<Buffer>;

/** Follows a collection of scripted pages and watches until the scripts are used up; a log of all that happened. */
async function follow(
  pages: readonly object[],
  watches: readonly WatchScript[],
  asked: object[] = [],
): Promise<string[]> {
  const log: string[] = [];
  const end = new AbortController();
  const clock = new ManualClock();
  const scripts = [...watches];
  const lists = [...pages];
  const client = {
    async json({ path, query, accept }: RestRequest) {
      asked.push({ path, ...query, accept });
      log.push(`list ${query?.continue ?? ''}`.trim());
      const page = lists.shift();
      if (page === undefined) end.abort();
      if (page === undefined || page instanceof Error) throw page ?? new Error('aborted');
      return page;
    },
    async stream({ path, query, accept }: RestRequest) {
      const script = scripts.shift();
      if (script === undefined) {
        end.abort();
        throw new Error('aborted');
      }
      asked.push({ path, ...query, accept });
      log.push(`watch ${query?.resourceVersion}`);
      return { status: 200, headers: {}, chunks: script(clock), close() {} };
    },
  } as unknown as RestClient; // nothing else is used
  const impatient = { nowMs: () => clock.nowMs(), setTimer: pauseOf(log) };
  await runReflector({
    client,
    clock: impatient,
    random: () => 0.5,
    backoff: createBackoff({ firstMs: 100, random: () => 0 }),
    collection: { group: '', version: 'v1', resource: 'things', labelSelector: 'a=b' },
    accept: { list: 'a/list', watch: 'a/watch' },
    signal: end.signal,
    sink: {
      beginList: () => void log.push('begin'),
      addListed: (objects) => void log.push(...objects.map(({ metadata }) => `+${metadata.name}`)),
      endList: () => void log.push('end'),
      upsert: ({ metadata }) => void log.push(`+${metadata.name}`),
      remove: ({ metadata }) => void log.push(`-${metadata.name}`),
    },
  });
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

describe('runReflector', () => {
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
      ...['begin', 'list', '+a', 'list next', '+b', 'end'],
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
    const again = ['begin', 'list', '+a', 'end', 'watch 8'];
    expect(log.filter((entry) => !entry.startsWith('pause'))).to.deep.equal([
      ...['begin', 'list', 'end', 'watch 5'],
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
      ...['begin', 'list', '+a', 'list next', 'pause 100'],
      ...['begin', 'list', '+b', 'end', 'watch 6'],
    ]);
  });

  it('asks for lists and watches in their own media types, and spreads the ends of watches', async () => {
    const asked: object[] = [];
    await follow([page([], '5')], [quietMinute], asked);
    const path = '/api/v1/things';
    const selectors = { labelSelector: 'a=b', fieldSelector: undefined };
    expect(asked).to.deep.equal([
      { path, ...selectors, limit: 500, continue: undefined, accept: 'a/list' },
      {
        ...{ path, ...selectors, resourceVersion: '5', allowWatchBookmarks: true },
        ...{ timeoutSeconds: 450, watch: true, accept: 'a/watch' },
      },
    ]);
  });

  it('does not rest long before the new list after a gap, but longer when every list is too old at once', async () => {
    const tooOld: WatchScript = async function* () {
      yield line('ERROR', expired().status);
    };
    const broken: WatchScript = () => {
      throw new Error('broken');
    };
    const pauses = (log: readonly string[]) => log.filter((entry) => entry.startsWith('pause'));
    const afterGap = await follow([page([], '5'), page([], '9')], [broken, broken, tooOld, quietMinute]);
    expect(pauses(afterGap)).to.deep.equal(['pause 100', 'pause 200', 'pause 100']);
    const atOnce = await follow([page([], '5'), page([], '6'), page([], '7')], [tooOld, tooOld, tooOld]);
    expect(pauses(atOnce)).to.deep.equal(['pause 100', 'pause 200', 'pause 400']);
  });
});

describe('listPages', () => {
  const clientOf = (pages: object[], asked: unknown[]) =>
    ({
      async json({ query }: RestRequest) {
        asked.push(query);
        return pages.shift();
      },
    }) as unknown as RestClient; // nothing else is used

  it('asks for no page before the caller wants it', async () => {
    const asked: unknown[] = [];
    const client = clientOf([page(['a'], '5', 'next'), page(['b'], '5')], asked);
    for await (const { items } of listPages(client, {
      path: '/p',
      pageSize: 1,
      query: { fieldSelector: 'x=y' },
    })) {
      expect(items.map(({ metadata }) => metadata.name)).to.deep.equal(['a']);
      break;
    }
    expect(asked).to.deep.equal([{ fieldSelector: 'x=y', limit: 1, continue: undefined }]);
  });

  it('takes a list without items for an empty one', async () => {
    const seen: unknown[] = [];
    for await (const part of listPages(clientOf([{ items: null }], []), { path: '/p' })) seen.push(part);
    expect(seen).to.deep.equal([{ items: [], resourceVersion: '' }]);
  });
});
