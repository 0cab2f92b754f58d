import { expect } from 'chai';
import { encodeHeader } from '../../../src/base/index.ts';
import {
  createRestClient,
  type RestClientOptions,
  resourcePath,
  TransportError,
  watchEvents,
} from '../../../src/client/rest/index.ts';
import { StatusError } from '../../../src/machinery/errors/index.ts';
import { FakeApi, type FakeRoutes, failure } from '../ctl/support/fake-api.ts';
import { ManualClock } from '../storage/manual-clock.ts';

describe('createRestClient', () => {
  const stops: (() => void | Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  async function start(routes: FakeRoutes, more: Partial<RestClientOptions> = {}) {
    const api = await FakeApi.start(routes);
    const client = createRestClient({ connection: { server: api.url, tls: {}, auth: {} }, ...more });
    stops.push(
      () => client.close(),
      () => api.stop(),
    );
    return { api, client };
  }
  const failureOf = (action: Promise<unknown>): Promise<unknown> =>
    action.then(
      () => 'no failure',
      (error) => error,
    );

  it('sends credentials, and whom to act as', async () => {
    const api = await FakeApi.start({ 'GET /x': {} });
    const extra = { 'a/b': ['1', '2'], 'é c': ['ł'], none: [] };
    const auth = { token: 't', username: 'u', impersonate: { user: 'zoë', groups: ['g', 'ł'], extra } };
    const client = createRestClient({
      connection: { server: `${api.url}/`, tls: {}, auth },
      userAgent: 'me/1',
    });
    stops.push(
      () => client.close(),
      () => api.stop(),
    );
    await client.json({ method: 'GET', path: '/x' });
    expect(api.last('GET').headers).to.deep.include({
      authorization: 'Bearer t',
      'impersonate-user': encodeHeader('zoë'),
      'impersonate-group': encodeHeader('g, ł'),
      'impersonate-extra-a%2fb': '1, 2',
      'impersonate-extra-%c3%a9%20c': encodeHeader('ł'),
      'user-agent': 'me/1',
    });
    expect(api.last('GET').headers).not.to.have.property('impersonate-extra-none');
  });

  it('sorts and escapes queries, and leaves out what is empty', async () => {
    const { api, client } = await start({ 'GET /x': {} });
    await client.json({
      method: 'GET',
      path: '/x?a=1',
      query: { f: false, b: 'x&y', c: '', d: undefined, e: ['2', '1'] },
    });
    expect(api.last('GET').query.toString()).to.equal('a=1&b=x%26y&e=2&e=1&f=false');
  });

  it('throws the Status that the server sent', async () => {
    const { client } = await start({ 'GET /x': failure(404, 'NotFound', 'pods "x" not found') });
    const error = await failureOf(client.json({ method: 'GET', path: '/x' }));
    expect(error).to.be.instanceOf(StatusError);
    expect(error).to.deep.include({ message: 'pods "x" not found' });
  });

  it('makes a Status of an answer that is none', async () => {
    const { client } = await start({ 'GET /x': { status: 403, body: 'go away' } });
    const error = (await failureOf(client.json({ method: 'GET', path: '/x' }))) as StatusError;
    expect([error.code, error.reason, error.message]).to.deep.equal([
      403,
      'Forbidden',
      'the server does not allow access to the requested resource',
    ]);
    expect(error.status.details?.causes?.[0]?.message).to.equal('"go away"');
  });

  it('waits and tries again when the server asks for it', async () => {
    const clock = new ManualClock();
    let answers = 0;
    const { client } = await start(
      {
        'GET /x': () => {
          if (++answers === 3) return { body: { done: true } };
          const status = answers === 1 ? 429 : 503;
          return { ...failure(status, 'TooManyRequests', 'later'), headers: { 'retry-after': '2' } };
        },
      },
      { clock },
    );
    const answer = client.json({ method: 'GET', path: '/x' });
    while (answers < 3) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(2000);
    }
    expect(await answer).to.deep.equal({ done: true });
  });

  it('does not try a failure again that says nothing of waiting', async () => {
    const { api, client } = await start({ 'GET /x': failure(500, 'InternalError', 'no') });
    await failureOf(client.json({ method: 'GET', path: '/x' }));
    expect(api.calls).to.have.length(1);
  });

  it('says that nobody listens', async () => {
    const client = createRestClient({ connection: { server: 'http://127.0.0.1:1', tls: {}, auth: {} } });
    const error = (await failureOf(client.json({ method: 'GET', path: '/x' }))) as TransportError;
    expect([error.code, error.host]).to.deep.equal(['refused', '127.0.0.1:1']);
  });

  it('ends when its signal aborts', async () => {
    const { api, client } = await start({});
    // A signal that never comes: the route answers only after the client is gone.
    const { promise, resolve } = Promise.withResolvers<void>();
    stops.unshift(() => resolve());
    const slow = createRestClient({
      connection: { server: api.url, tls: {}, auth: {} },
      transport: async ({ signal }) => {
        await Promise.race([
          promise,
          new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
        ]);
        throw new TransportError('broken', 'never', { host: 'x' });
      },
    });
    const controller = new AbortController();
    const outcome = failureOf(slow.json({ method: 'GET', path: '/x', signal: controller.signal }));
    controller.abort(new Error('stop'));
    expect(await outcome).to.deep.include({ message: 'stop' });
    client.close();
  });

  it('hands over the texts of warnings', async () => {
    const warnings: string[] = [];
    const headers = { warning: '299 - "one, \\"quoted\\"", 199 - "other", 299 x "two"' };
    const { client } = await start({ 'GET /x': { headers } }, { onWarning: (text) => warnings.push(text) });
    await client.json({ method: 'GET', path: '/x' });
    expect(warnings).to.deep.equal(['one, "quoted"', 'two']);
  });

  it('never shows credentials to a trace', async () => {
    const seen: unknown[] = [];
    const api = await FakeApi.start({ 'GET /x': {} });
    const trace = { onRequest: ({ headers }: { headers: object }) => seen.push(headers) };
    const client = createRestClient({
      connection: { server: api.url, tls: {}, auth: { token: 'secret' } },
      trace,
    });
    stops.push(
      () => client.close(),
      () => api.stop(),
    );
    await client.json({ method: 'GET', path: '/x' });
    expect(JSON.stringify(seen)).to.contain('Bearer <masked>').and.not.contain('secret');
  });

  describe('watchEvents', () => {
    const read = async (lines: readonly unknown[]) => {
      const { client } = await start({ 'GET /w': { lines } });
      const events: unknown[] = [];
      const error = await (async () => {
        for await (const event of watchEvents(client, { method: 'GET', path: '/w' })) events.push(event);
      })().catch((reason: unknown) => reason);
      return { events, error };
    };

    it('yields events until the server ends the stream', async () => {
      const lines = [
        { type: 'ADDED', object: { a: 'ü'.repeat(70_000) } },
        { type: 'DELETED', object: {} },
      ];
      expect(await read(lines)).to.deep.equal({ events: lines, error: undefined });
    });

    it('throws what an ERROR event says', async () => {
      const status = { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', message: 'too old' };
      const { events, error } = await read([
        { type: 'ERROR', object: status },
        { type: 'ADDED', object: {} },
      ]);
      expect(events).to.deep.equal([]);
      expect(error).to.be.instanceOf(StatusError).and.deep.include({ message: 'too old' });
    });

    it('refuses lines that are no events', async () => {
      expect((await read([{ type: 'NEWS' }])).error).to.be.instanceOf(TransportError);
    });
  });
});

describe('resourcePath', () => {
  for (const [parts, path] of [
    [{ group: '', version: 'v1', resource: 'pods' }, '/api/v1/pods'],
    [
      { group: '', version: 'v1', resource: 'pods', namespace: 'n', name: 'p', subresource: 'log' },
      '/api/v1/namespaces/n/pods/p/log',
    ],
    [
      { group: 'apps', version: 'v1', resource: 'deployments', name: 'a/../b' },
      '/apis/apps/v1/deployments/a%2F..%2Fb',
    ],
  ] as const) {
    it(`makes ${path}`, () => {
      expect(resourcePath(parts)).to.equal(path);
    });
  }
});
