import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { ServedResource } from '../../../../src/apis/resources/index.ts';
import {
  createOpenApiHandler,
  createOpenApiV3Handler,
  DocumentStore,
  type DocumentStoreOptions,
  encodeDocument,
  GroupVersionStore,
  type RemoteSource,
  readRemoteDocument,
} from '../../../../src/server/openapi/index.ts';
import type { Handler } from '../../../../src/server/request/exchange.ts';
import { makeExchange, type TestRequest } from '../../../support/exchange.ts';
import { makeSources } from '../../apis/openapi/support.ts';

const protobufType = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const builtAtMs = Date.UTC(2021, 1, 3, 4, 5, 6);

/** A store of a small API, which counts how often it is built and how often it rests. */
function makeStore() {
  const state = {
    revision: 1,
    built: 0,
    rests: 0,
    isBroken: false,
    /** Versions by kind. */
    customs: new Map<string, string>(),
    remotes: [] as RemoteSource[],
    /** Keys of the custom resources that were read. */
    reads: [] as string[],
  };
  const options: DocumentStoreOptions = {
    sources() {
      state.built++;
      if (state.isBroken) throw new Error('broken');
      const { table, info } = makeSources('orch');
      const resources = table.resources.filter(({ resource }) => resource === 'configmaps');
      return { table: { ...table, resources }, info };
    },
    customSources: () =>
      [...state.customs].map(([kind, version]) => ({
        group: 'example.com',
        version: 'v1',
        key: `${kind} ${version}`,
        read() {
          state.reads.push(`${kind} ${version}`);
          return { resource: makeResource(kind), schema: { type: 'object', description: version } };
        },
      })),
    remoteSources: () => state.remotes,
    revision: () => state.revision,
    beginSlice: () => ({
      isSpent: () => true,
      async rest() {
        state.rests++;
      },
    }),
    nowMs: () => builtAtMs,
  };
  const store = new DocumentStore(options);
  const get = async (headers: TestRequest['headers'] = {}, method = 'GET') => {
    const exchange = makeExchange({ method, url: '/openapi/v2', headers });
    await createOpenApiHandler(store)(exchange);
    const { answer } = exchange;
    return { code: answer.statusCode, headers: answer.headers, body: Buffer.concat(answer.chunks) };
  };
  const versions = new GroupVersionStore(options);
  const unknown: Handler = async ({ response }) => {
    response.writeHead(404).end();
  };
  const serveV3 = createOpenApiV3Handler(versions, {
    root: '/openapi/v3',
    nowMs: () => builtAtMs,
    unknown,
  });
  const getV3 = async (url: string, headers: TestRequest['headers'] = {}, method = 'GET') => {
    const exchange = makeExchange({ method, url, headers });
    await serveV3(exchange);
    const { answer } = exchange;
    return { code: answer.statusCode, headers: answer.headers, body: Buffer.concat(answer.chunks) };
  };
  return { state, get, getV3 };
}

function makeResource(kind: string): ServedResource {
  return {
    group: 'example.com',
    version: 'v1',
    kind,
    listKind: `${kind}List`,
    resource: `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: false,
    verbs: ['get', 'list'],
    subresources: [],
  };
}

describe('createOpenApiHandler', () => {
  it('sends JSON under the name that the reference gives it', async () => {
    const { code, headers, body } = await makeStore().get();
    expect(code).to.equal(200);
    expect(headers).to.include({
      'content-type': 'text/plain; charset=utf-8',
      'last-modified': 'Wed, 03 Feb 2021 04:05:06 GMT',
      etag: `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`,
    });
    expect(JSON.parse(body.toString())).to.include({ swagger: '2.0' });
  });

  it('sends Protobuf, with a tag of its own', async () => {
    const { get } = makeStore();
    const json = await get();
    const { headers, body } = await get({ accept: protobufType });
    expect(headers['content-type']).to.equal('application/octet-stream');
    expect(headers.etag).not.to.equal(json.headers.etag);
    // Field 1, a text of three bytes: the version of Swagger.
    expect(body.subarray(0, 5).toString('latin1')).to.equal('\x0a\x032.0');
  });

  for (const [accept, type] of [
    ['*/*', 'text/plain; charset=utf-8'],
    ['application/json', 'text/plain; charset=utf-8'],
    [`application/xml, ${protobufType};q=0.9, application/json;q=0.5`, 'application/octet-stream'],
  ] as const) {
    it(`takes ${accept}`, async () => {
      expect((await makeStore().get({ accept })).headers['content-type']).to.equal(type);
    });
  }

  it('refuses what it cannot write', async () => {
    const { get, state } = makeStore();
    expect((await get({ accept: 'application/yaml' })).code).to.equal(406);
    expect(state.built).to.equal(0);
  });

  it('compresses for clients that take it', async () => {
    const { get } = makeStore();
    const plain = await get();
    const zipped = await get({ 'accept-encoding': 'br, gzip;q=0.5' });
    expect(zipped.headers).to.include({ 'content-encoding': 'gzip', etag: plain.headers.etag });
    expect(gunzipSync(zipped.body).equals(plain.body)).to.equal(true);
    expect((await get({ 'accept-encoding': 'gzip;q=0' })).headers).not.to.have.property('content-encoding');
  });

  it('does not send again what the client has', async () => {
    const { get } = makeStore();
    const { headers } = await get();
    const etag = String(headers.etag);
    for (const known of [etag, `"other", W/${etag}`, '*']) {
      const answer = await get({ 'if-none-match': known });
      expect(answer.code, known).to.equal(304);
      expect(answer.headers.etag).to.equal(etag);
      expect(answer.body.length).to.equal(0);
    }
    expect((await get({ 'if-none-match': '"other"' })).code).to.equal(200);
  });
});

/** A thing that another server serves, whose definition has this description. */
async function remoteThing(
  description: string,
  definition = 'com.example.other.v1.Thing',
): Promise<RemoteSource> {
  const place = { group: 'other.example.com', version: 'v1' };
  const schema = { $ref: `#/definitions/${definition}` };
  const document = {
    definitions: { [definition]: { description, type: 'object', properties: { again: schema } } },
    paths: { [remotePath]: { get: { produces: ['application/json'], responses: { 200: { schema } } } } },
  };
  const slice = { isSpent: () => false, rest: () => Promise.resolve() };
  const fragment = await readRemoteDocument(Buffer.from(JSON.stringify(document)), place, slice);
  return { ...place, key: `thing ${description}`, fragment, v3: undefined };
}
const remotePath = '/apis/other.example.com/v1/things';

describe('what other servers say', () => {
  const schemaOf = (body: Buffer) => {
    const { paths, definitions } = JSON.parse(body.toString());
    const { $ref } = paths[remotePath]?.get.responses[200].schema ?? {};
    return { $ref, definition: definitions[$ref?.slice('#/definitions/'.length)] };
  };

  it('joins the document, until they say something else or nothing', async () => {
    const { get, state } = makeStore();
    const before = (await get()).headers.etag;
    for (const description of ['first', 'second']) {
      state.remotes = [await remoteThing(description)];
      state.revision++;
      const { body, headers } = await get();
      expect(schemaOf(body).definition.description).to.equal(description);
      expect(headers.etag).not.to.equal(before);
    }
    state.remotes = [];
    state.revision++;
    expect((await get()).headers.etag).to.equal(before);
  });

  for (const definition of ['io.orch.api.core.v1.ConfigMap', 'com.example.v1.A']) {
    it(`takes no name of this server: ${definition}`, async () => {
      const { get, state } = makeStore();
      state.customs.set('A', '1');
      const own = JSON.parse((await get()).body.toString()).definitions[definition];
      state.remotes = [await remoteThing('another', definition)];
      state.revision++;
      const { body } = await get();
      const found = schemaOf(body);
      expect(found.$ref).to.equal(`#/definitions/${definition}_v2`);
      expect(found.definition.properties.again.$ref).to.equal(found.$ref);
      expect(JSON.parse(body.toString()).definitions[definition]).to.deep.equal(own);
    });
  }

  it('stands in place of custom resources of the same version', async () => {
    const { get, getV3, state } = makeStore();
    state.customs.set('A', '1');
    state.remotes = [{ ...(await remoteThing('x')), group: 'example.com' }];
    const { paths } = JSON.parse((await get()).body.toString());
    expect(Object.keys(paths).filter((path) => path.startsWith('/apis/example.com/'))).to.deep.equal([]);
    expect(JSON.parse((await getV3('/openapi/v3')).body.toString()).paths).to.include.keys(
      'apis/example.com/v1',
    );
  });

  it('is said in OpenAPI 3 as well, in their own document if they have one', async () => {
    const { getV3, state } = makeStore();
    const remote = await remoteThing('first');
    const read = async () => {
      state.revision++;
      const index = JSON.parse((await getV3('/openapi/v3')).body.toString());
      const url: string = index.paths['apis/other.example.com/v1'].serverRelativeURL;
      return { url, document: JSON.parse((await getV3(url)).body.toString()) };
    };
    state.remotes = [remote];
    const made = await read();
    const schema = { $ref: '#/components/schemas/com.example.other.v1.Thing' };
    expect(made.document.paths[remotePath].get.responses[200].content).to.deep.equal({
      'application/json': { schema },
    });
    expect(made.document.components.schemas).to.deep.equal({
      'com.example.other.v1.Thing': { description: 'first', type: 'object', properties: { again: schema } },
    });
    // The same words have the same hash, whatever they are kept under.
    state.remotes = [{ ...remote, key: 'after a restart' }];
    expect((await read()).url).to.equal(made.url);
    const own = { openapi: '3.0.0', paths: {} };
    state.remotes = [{ ...remote, v3: await encodeDocument(Buffer.from(JSON.stringify(own)), builtAtMs) }];
    const theirs = await read();
    expect(theirs.document).to.deep.equal(own);
    expect(theirs.url).not.to.equal(made.url);
    state.remotes = [{ ...remote, fragment: undefined }];
    state.revision++;
    expect(JSON.parse((await getV3('/openapi/v3')).body.toString()).paths).not.to.have.property(
      'apis/other.example.com/v1',
    );
  });
});

describe('DocumentStore', () => {
  it('builds once for all who ask, and gives way meanwhile', async () => {
    const { get, state } = makeStore();
    await Promise.all([get(), get(), get()]);
    await get();
    expect(state.built).to.equal(1);
    expect(state.rests).to.be.greaterThan(10);
  });

  it('joins what custom resources say, and makes what is new of them only', async () => {
    const { get, state } = makeStore();
    const before = await get();
    const described = async () => {
      const { body, headers } = await get();
      const { paths, definitions } = JSON.parse(body.toString());
      const own = Object.keys(definitions).filter((name) => /^com\.example\.v1\.\w+(?<!List)$/.test(name));
      expect(Object.keys(paths).filter((path) => path.startsWith('/apis/example.com/v1/')).length).to.equal(
        2 * own.length,
      );
      return { etag: headers.etag, own: own.map((name) => [name, definitions[name].description]) };
    };
    const steps: [change: () => unknown, own: [string, string][], reads: string[]][] = [
      [
        () => state.customs.set('A', '1').set('B', '1'),
        [
          ['com.example.v1.A', '1'],
          ['com.example.v1.B', '1'],
        ],
        ['A 1', 'B 1'],
      ],
      [
        () => state.customs.set('B', '2'),
        [
          ['com.example.v1.A', '1'],
          ['com.example.v1.B', '2'],
        ],
        ['B 2'],
      ],
      [() => state.customs.delete('A'), [['com.example.v1.B', '2']], []],
    ];
    const tags = new Set([before.headers.etag]);
    for (const [change, own, reads] of steps) {
      change();
      state.revision++;
      state.reads.length = 0;
      const after = await described();
      expect(after.own).to.deep.equal(own);
      expect(state.reads).to.deep.equal(reads);
      tags.add(after.etag);
    }
    expect(tags.size).to.equal(4);
    state.customs.clear();
    state.revision++;
    expect((await get()).body.equals(before.body)).to.equal(true);
  });

  it('tells the same of them in Protobuf', async () => {
    const { get, state } = makeStore();
    const before = await get({ accept: protobufType });
    state.customs.set('A', '1');
    state.revision++;
    const after = await get({ accept: protobufType });
    expect(after.body.length).to.be.greaterThan(before.body.length);
    expect(after.body.includes('/apis/example.com/v1/as/{name}')).to.equal(true);
    expect(after.headers.etag).not.to.equal(before.headers.etag);
  });

  it('tries again what failed', async () => {
    const { get, state } = makeStore();
    state.isBroken = true;
    const failure = await get().catch((error: unknown) => error);
    expect(failure).to.be.an('error').with.property('message', 'broken');
    state.isBroken = false;
    expect((await get()).code).to.equal(200);
  });
});

describe('createOpenApiV3Handler', () => {
  /** URLs of the index by path. */
  const readIndex = async (getV3: ReturnType<typeof makeStore>['getV3']): Promise<Record<string, string>> => {
    const { code, headers, body } = await getV3('/openapi/v3');
    expect(code).to.equal(200);
    expect(headers['content-type']).to.equal('application/json');
    const { paths } = JSON.parse(body.toString());
    return Object.fromEntries(
      Object.entries<{ serverRelativeURL: string }>(paths).map(([path, entry]) => [
        path,
        entry.serverRelativeURL,
      ]),
    );
  };

  it('names a document for each version of a group, under a URL that never changes', async () => {
    const { getV3 } = makeStore();
    const index = await readIndex(getV3);
    expect(Object.keys(index)).to.include.members([
      'api/v1',
      'apis/apps/v1',
      'apis/networking.orch.io/v1beta1',
    ]);
    const url = String(index['api/v1']);
    expect(url).to.match(/^\/openapi\/v3\/api\/v1\?hash=[0-9A-F]{128}$/);
    const { code, headers, body } = await getV3(url);
    expect(code).to.equal(200);
    expect(headers).to.include({
      'content-type': 'application/json',
      'cache-control': 'public, max-age=31536000, immutable',
      expires: 'Thu, 03 Feb 2022 04:05:06 GMT',
      etag: `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`,
    });
    const document = JSON.parse(body.toString());
    expect(document.openapi).to.equal('3.0.0');
    expect(Object.keys(document.paths)).to.include('/api/v1/configmaps');
  });

  it('leads from the URL of an older document to the present one', async () => {
    const { getV3 } = makeStore();
    const { code, headers } = await getV3('/openapi/v3/api/v1?hash=00');
    expect(code).to.equal(301);
    expect(headers.location).to.equal((await readIndex(getV3))['api/v1']);
  });

  it('sends a document without its hash to those who come again', async () => {
    const { getV3 } = makeStore();
    const { headers } = await getV3('/openapi/v3/api/v1', { 'accept-encoding': 'gzip' });
    expect(headers).to.include({ 'cache-control': 'no-cache, private', 'content-encoding': 'gzip' });
    const again = await getV3('/openapi/v3/api/v1', { 'if-none-match': String(headers.etag) });
    expect([again.code, again.body.length]).to.deep.equal([304, 0]);
  });

  for (const [what, url, headers, method, code] of [
    ['HEAD, as the release does', '/openapi/v3', {}, 'HEAD', 404],
    ['PATCH, as the release does', '/openapi/v3/api/v1', {}, 'PATCH', 404],
    ['a version that there is not', '/openapi/v3/apis/apps/v9', {}, 'GET', 404],
    ['forms that it cannot write', '/openapi/v3/api/v1', { accept: protobufType }, 'GET', 406],
  ] as const) {
    it(`refuses ${what}`, async () => {
      expect((await makeStore().getV3(url, headers, method)).code).to.equal(code);
    });
  }

  it('tells of custom resources as they come, change and go, and makes nothing else anew', async () => {
    const { getV3, state } = makeStore();
    const path = 'apis/example.com/v1';
    const before = await readIndex(getV3);
    const built = state.built;
    const urls: string[] = [];
    for (const version of ['1', '2']) {
      state.customs.set('A', version);
      state.revision++;
      const url = String((await readIndex(getV3))[path]);
      urls.push(url);
      const { paths, components } = JSON.parse((await getV3(url)).body.toString());
      expect(Object.keys(paths)).to.deep.equal(['/apis/example.com/v1/as', '/apis/example.com/v1/as/{name}']);
      expect(components.schemas['com.example.v1.A'].description).to.equal(version);
      await getV3(url);
    }
    expect(new Set(urls).size).to.equal(2);
    expect(state.reads).to.deep.equal(['A 1', 'A 2']);
    state.customs.clear();
    state.revision++;
    expect(await readIndex(getV3)).to.deep.equal(before);
    // Two for the list of versions and the document of each step, one for the last list: no built-in document.
    expect(state.built - built).to.equal(5);
  });

  it('reads no custom resource for the index', async () => {
    const { getV3, state } = makeStore();
    state.customs.set('A', '1').set('B', '1');
    await readIndex(getV3);
    expect(state.reads).to.deep.equal([]);
  });
});
