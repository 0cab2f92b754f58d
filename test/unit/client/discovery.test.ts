import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemClock } from '../../../src/base/index.ts';
import { createDiscoveryCache, fetchDiscovery } from '../../../src/client/discovery/index.ts';
import type { RestClient, RestRequest, RestResponse } from '../../../src/client/rest/index.ts';
import { notFoundPath } from '../../../src/machinery/errors/index.ts';

const group = 'apidiscovery.orch.io';
const aggregatedType = `application/json;g=${group};v=v2;as=APIGroupDiscoveryList`;
const usualAccept =
  `application/json;g=${group};v=v2;as=APIGroupDiscoveryList,` +
  `application/json;g=${group};v=v2beta1;as=APIGroupDiscoveryList,application/json`;

const pods = { resource: 'pods', responseKind: { kind: 'Pod' }, scope: 'Namespaced', verbs: ['get'] };
const item = (name: string, resources: unknown[], freshness = 'Current') => ({
  metadata: name === '' ? {} : { name },
  versions: [{ version: 'v1', resources, freshness }],
});

/** A server with aggregated documents, each with its tag, or with those of old. */
class FakeServer {
  readonly seen: RestRequest[] = [];
  readonly server = 'https://127.0.0.1:6443';
  documents: Record<string, { etag?: string; value: unknown }> = {
    '/api': { etag: '"core"', value: { items: [item('', [pods])] } },
    '/apis': {
      etag: '"named"',
      value: { items: [item('a.example.com', [{ ...pods, resource: 'things' }])] },
    },
  };

  async send(request: RestRequest): Promise<RestResponse> {
    this.seen.push(request);
    const found = this.documents[request.path];
    if (found === undefined) throw notFoundPath();
    const { etag, value } = found;
    const headers = { 'content-type': etag === undefined ? 'application/json' : aggregatedType, etag };
    if (etag !== undefined && request.headers?.['if-none-match'] === etag)
      return { status: 304, headers, body: Buffer.alloc(0) };
    return {
      status: 200,
      headers,
      body: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
    };
  }

  async json(request: RestRequest): Promise<unknown> {
    return JSON.parse((await this.send(request)).body.toString());
  }

  /** What is asked of it beside is never used. */
  get client(): RestClient {
    return this as unknown as RestClient;
  }

  get paths(): string[] {
    return this.seen.map(({ path }) => path).sort();
  }
}

const plainDocuments = {
  '/api': { value: { versions: ['v1'] } },
  '/apis': { value: { groups: [{ name: 'a.example.com', versions: [{ version: 'v1' }] }] } },
  '/api/v1': { value: { resources: [{ name: 'pods', kind: 'Pod', namespaced: true, verbs: ['get'] }] } },
  '/apis/a.example.com/v1': {
    value: { resources: [{ name: 'things', kind: 'Pod', namespaced: true, verbs: ['get'] }] },
  },
};

describe('fetchDiscovery', () => {
  let server: FakeServer;
  beforeEach(() => {
    server = new FakeServer();
  });

  it('takes two requests where the server has aggregated documents', async () => {
    const { discovery, etags } = await fetchDiscovery(server.client, { aggregatedGroup: group });
    expect(server.seen.map(({ path, accept }) => [path, accept])).to.deep.equal([
      ['/api', usualAccept],
      ['/apis', usualAccept],
    ]);
    expect(etags).to.deep.equal({ '/api': '"core"', '/apis': '"named"' });
    expect(discovery.groups.map(({ name }) => name)).to.deep.equal(['', 'a.example.com']);
    expect(
      discovery.resources.map((each) => `${each.group}/${each.name} ${each.singularName}`),
    ).to.deep.equal(['/pods pod', 'a.example.com/things pod']);
  });

  it('says the same of a server without them, in no more requests than ever', async () => {
    const { discovery } = await fetchDiscovery(server.client, { aggregatedGroup: group });
    server = new FakeServer();
    server.documents = plainDocuments;
    const plain = await fetchDiscovery(server.client, { aggregatedGroup: group });
    expect(plain).to.deep.equal({ discovery, etags: {} });
    expect(server.paths).to.deep.equal(Object.keys(plainDocuments).sort());
    server = new FakeServer();
    server.documents = plainDocuments;
    expect(await fetchDiscovery(server.client)).to.deep.equal(plain);
    expect(server.seen.every(({ accept }) => accept === undefined)).to.equal(true);
  });

  it('takes what did not change from what is known', async () => {
    const known = await fetchDiscovery(server.client, { aggregatedGroup: group });
    expect(await fetchDiscovery(server.client, { aggregatedGroup: group, known })).to.deep.equal(known);
    server.documents['/apis'] = { etag: '"other"', value: { items: [item('b.example.com', [pods])] } };
    const { discovery, etags } = await fetchDiscovery(server.client, { aggregatedGroup: group, known });
    expect(discovery.groups.map(({ name }) => name)).to.deep.equal(['', 'b.example.com']);
    expect(etags['/apis']).to.equal('"other"');
  });

  it('does without a core group', async () => {
    delete server.documents['/api'];
    const { discovery } = await fetchDiscovery(server.client, { aggregatedGroup: group });
    expect(discovery.groups.map(({ name }) => name)).to.deep.equal(['a.example.com']);
  });

  it('notes versions that the server calls stale', async () => {
    server.documents['/apis'] = { etag: '"x"', value: { items: [item('a.example.com', [], 'Stale')] } };
    const { discovery } = await fetchDiscovery(server.client, { aggregatedGroup: group });
    expect(discovery.failures.map(({ groupVersion }) => groupVersion)).to.deep.equal(['a.example.com/v1']);
  });

  const odd: [what: string, value: unknown, resources: number][] = [
    ['no list', { items: 7 }, 1],
    [
      'entries that are no objects',
      { items: [7, null, { versions: [null, { version: 'v1', resources: [null] }] }] },
      1,
    ],
    ['a resource without a kind', { items: [item('x', [{ ...pods, responseKind: null }])] }, 1],
    ['verbs that are no texts', { items: [item('x', [{ ...pods, verbs: [7] }])] }, 2],
  ];
  for (const [what, value, count] of odd) {
    it(`leaves out what makes no sense: ${what}`, async () => {
      server.documents['/apis'] = { etag: '"odd"', value };
      const { discovery } = await fetchDiscovery(server.client, { aggregatedGroup: group });
      expect(discovery.resources).to.have.length(count);
    });
  }

  it('fails when the document is no JSON', async () => {
    server.documents['/apis'] = { etag: '"odd"', value: '{' };
    const failure = await fetchDiscovery(server.client, { aggregatedGroup: group }).catch(
      (error: Error) => error,
    );
    expect(failure).to.have.property('message', 'the answer is no discovery document');
  });
});

describe('createDiscoveryCache', () => {
  let folder: string;
  let server: FakeServer;
  let nowMs: number;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'discovery-'));
    server = new FakeServer();
    nowMs = 1_000_000;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = () =>
    createDiscoveryCache({
      client: server.client,
      aggregatedGroup: group,
      folder,
      clock: { ...systemClock, nowMs: () => nowMs },
    });
  const tags = () => server.seen.map(({ headers }) => headers?.['if-none-match']);

  it('asks the disk for ten minutes, then the server whether something changed', async () => {
    const first = await open().get();
    nowMs += 599_999;
    expect(await open().get()).to.deep.equal(first);
    expect(server.seen).to.have.length(2);
    nowMs += 1;
    expect(await open().get()).to.deep.equal(first);
    expect(tags()).to.deep.equal([undefined, undefined, '"core"', '"named"']);
    nowMs += 599_999;
    await open().get();
    expect(server.seen).to.have.length(4);
  });

  it('takes what changed when it is asked to look again', async () => {
    await open().get();
    server.documents['/apis'] = { etag: '"more"', value: { items: [item('b.example.com', [pods])] } };
    const { groups } = await open().refresh();
    expect(groups.map(({ name }) => name)).to.deep.equal(['', 'b.example.com']);
    expect((await open().get()).groups).to.deep.equal(groups);
  });

  it('asks anew when what was kept is broken', async () => {
    const first = await open().get();
    const file = join(folder, readdirSync(folder)[0] ?? '');
    for (const text of ['', '{', readFileSync(file, 'utf8').replace('"kind":"Pod"', '"kind":7')]) {
      writeFileSync(file, text);
      server.seen.length = 0;
      expect(await open().get()).to.deep.equal(first);
      expect(tags()).to.deep.equal([undefined, undefined]);
    }
  });
});
