import { expect } from 'chai';
import { type InformerOptions, startInformer } from '../../../src/client/informer/index.ts';
import type { RestClient, RestRequest, RestStream } from '../../../src/client/rest/index.ts';
import { StatusError } from '../../../src/machinery/errors/index.ts';
import { ManualClock } from '../storage/manual-clock.ts';

const object = (name: string, version: number, uid = name) => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name, namespace: 'ns', resourceVersion: String(version), uid },
});
const list = (version: number, ...items: object[]) => ({
  metadata: { resourceVersion: String(version) },
  items,
});
const event = (type: string, changed: object) => ({ type, object: changed });
const gone = {
  type: 'ERROR',
  object: { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', message: 'old' },
};

/** Answers lists and watches from a script; a watch without lines stays open until the signal aborts. */
function scriptedClient(script: { lists: unknown[]; watches: (unknown[] | 'broken')[] }) {
  const asked: string[] = [];
  const describe = ({ query }: RestRequest) =>
    `${query?.watch ? 'watch' : 'list'} ${query?.resourceVersion ?? ''}`.trim();
  const client: RestClient = {
    server: 'http://fake',
    send: async () => {
      throw new Error('not used');
    },
    async json<T>(request: RestRequest) {
      asked.push(describe(request));
      const next = script.lists.shift();
      if (next instanceof Error) throw next;
      return next as T;
    },
    async stream(request): Promise<RestStream> {
      asked.push(describe(request));
      const lines = script.watches.shift();
      async function* chunks() {
        if (lines === undefined) {
          await new Promise((resolve) => request.signal?.addEventListener('abort', resolve));
          return;
        }
        if (lines === 'broken') throw new Error('the connection broke');
        for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
      }
      return { status: 200, headers: {}, chunks: chunks(), close() {} };
    },
    close() {},
  };
  return { client, asked };
}

describe('startInformer', () => {
  const controllers: AbortController[] = [];
  afterEach(() => {
    for (const controller of controllers.splice(0)) controller.abort();
  });

  function start(script: Parameters<typeof scriptedClient>[0], more: Partial<InformerOptions> = {}) {
    const controller = new AbortController();
    controllers.push(controller);
    const clock = new ManualClock();
    const { client, asked } = scriptedClient(script);
    const told: string[] = [];
    const informer = startInformer({
      client,
      clock,
      signal: controller.signal,
      resource: { group: '', version: 'v1', resource: 'pods' },
      onAdd: ({ metadata }) => told.push(`+${metadata.name}@${metadata.resourceVersion}`),
      onUpdate: ({ metadata }, previous) =>
        told.push(`~${metadata.name}@${previous.metadata.resourceVersion}>${metadata.resourceVersion}`),
      onDelete: ({ metadata }) => told.push(`-${metadata.name}@${metadata.resourceVersion}`),
      ...more,
    });
    /** Lets pauses pass until the client was asked `count` times. */
    const until = async (count: number) => {
      for (let turn = 0; asked.length < count && turn < 1000; turn++) {
        clock.advance(1000);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { informer, told, asked, until, controller };
  }

  it('lists, tells of every object, and is then in sync', async () => {
    const { informer, told } = start({ lists: [list(5, object('a', 1), object('b', 2))], watches: [] });
    expect(informer.isSynced).to.equal(false);
    await informer.whenSynced;
    expect(told).to.deep.equal(['+a@1', '+b@2']);
    expect(informer.get('ns', 'a')?.metadata.resourceVersion).to.equal('1');
    expect(informer.list()).to.have.length(2);
  });

  it('reads long lists in pages', async () => {
    const first = { ...list(5, object('a', 1)), metadata: { resourceVersion: '5', continue: 'more' } };
    const { informer, asked, until } = start({ lists: [first, list(5, object('b', 2))], watches: [] });
    await until(3);
    expect(informer.list()).to.have.length(2);
    expect(asked).to.deep.equal(['list', 'list', 'watch 5']);
  });

  it('follows changes and resumes after the last version seen, bookmarks included', async () => {
    const { told, asked, until } = start({
      lists: [list(5, object('a', 1))],
      watches: [
        [event('ADDED', object('b', 6)), event('MODIFIED', object('a', 7)), event('DELETED', object('b', 8))],
        [event('BOOKMARK', object('', 20))],
      ],
    });
    await until(4);
    expect(told).to.deep.equal(['+a@1', '+b@6', '~a@1>7', '-b@8']);
    expect(asked).to.deep.equal(['list', 'watch 5', 'watch 8', 'watch 20']);
  });

  it('lists again when history is gone and tells only what is different', async () => {
    const { told, asked, until } = start({
      lists: [
        list(5, object('a', 1), object('b', 2), object('c', 3)),
        list(90, object('a', 1), object('b', 80)),
      ],
      watches: [[gone]],
    });
    await until(4);
    expect(asked).to.deep.equal(['list', 'watch 5', 'list', 'watch 90']);
    expect(told.slice(3)).to.deep.equal(['-c@3', '~b@2>80']);
  });

  it('goes on from the same version when the connection breaks', async () => {
    const errors: unknown[] = [];
    const script = { lists: [list(5)], watches: ['broken' as const] };
    const { asked, until } = start(script, { onError: (error) => errors.push(error) });
    await until(3);
    expect(asked).to.deep.equal(['list', 'watch 5', 'watch 5']);
    expect(errors).to.have.length(1);
  });

  it('tries a failed list again', async () => {
    const failure = new StatusError({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      code: 503,
      message: 'later',
    });
    const { informer, asked, until } = start({ lists: [failure, failure, list(5)], watches: [] });
    await until(4);
    await informer.whenSynced;
    expect(asked).to.deep.equal(['list', 'list', 'list', 'watch 5']);
  });

  it('ends when its signal aborts, and says so to those who wait', async () => {
    const { informer, controller } = start({ lists: [new Error('no')], watches: [] });
    controller.abort();
    await informer.done;
    const outcome = await informer.whenSynced.catch((error: Error) => error.message);
    expect(outcome).to.equal('the informer has ended');
  });
});
