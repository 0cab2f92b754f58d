import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { systemClock } from '../../../src/base/index.ts';
import { createOpenApiCache, packDefinitions, readDefinitions } from '../../../src/client/openapi/index.ts';
import { packV3Schemas } from '../../../src/client/openapi/schemas.ts';
import type { RestClient, RestRequest, RestResponse } from '../../../src/client/rest/index.ts';
import { notFoundPath } from '../../../src/machinery/errors/index.ts';

const document = (description: string) => ({
  definitions: {
    'a.Thing': { description, 'x-orch-group-version-kind': [{ group: 'a', version: 'v1', kind: 'Thing' }] },
    'a.Options': {
      'x-orch-group-version-kind': [
        { group: '', version: 'v1', kind: 'Options' },
        { group: 'a', version: 'v1', kind: 'Options' },
      ],
    },
  },
});
const thing = { group: 'a', version: 'v1', kind: 'Thing' };

describe('createOpenApiCache', () => {
  let folder: string;
  let nowMs: number;
  let seen: RestRequest[];
  let answer: Partial<RestResponse>;
  let answerV3: (request: RestRequest) => RestResponse;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'openapi-'));
    nowMs = 1_000_000;
    seen = [];
    answer = sent('first', '"1"');
    answerV3 = () => {
      throw notFoundPath();
    };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const sent = (description: string, etag: string): Partial<RestResponse> => ({
    headers: { etag, 'content-encoding': 'gzip' },
    body: gzipSync(JSON.stringify(document(description))),
  });
  const client: Pick<RestClient, 'server' | 'send'> = {
    server: 'https://127.0.0.1:6443',
    async send(request) {
      // It is a server of release 1.20, but for the tests below.
      if (request.path.startsWith('/openapi/v3')) return answerV3(request);
      seen.push(request);
      return { status: 200, headers: {}, body: Buffer.alloc(0), ...answer };
    },
  };
  const open = () =>
    createOpenApiCache({
      client: client as RestClient, // the cache uses these two members only
      folder,
      clock: { ...systemClock, nowMs: () => nowMs },
    });
  const read = async () => (await open().get([thing])).definition('a.Thing')?.description;
  const file = () => join(folder, readdirSync(folder)[0] ?? '');

  it('asks the server once, and the disk for ten minutes', async () => {
    expect(await read()).to.equal('first');
    nowMs += 599_999;
    expect(await read()).to.equal('first');
    expect(seen).to.have.length(1);
    expect(seen[0]?.headers).to.deep.equal({ 'accept-encoding': 'gzip' });
  });

  it('asks later whether what it has is still right', async () => {
    await read();
    nowMs += 600_000;
    answer = { status: 304, headers: { etag: '"1"' } };
    expect(await read()).to.equal('first');
    expect(seen[1]?.headers).to.include({ 'if-none-match': '"1"' });
    expect(await read()).to.equal('first');
    expect(seen).to.have.length(2);
  });

  it('takes what is new', async () => {
    await read();
    answer = sent('second', '"2"');
    const cache = open();
    expect((await cache.get([thing])).definition('a.Thing')?.description).to.equal('first');
    expect((await cache.refresh([thing])).definition('a.Thing')?.description).to.equal('second');
    await cache.refresh([thing]);
    expect(seen).to.have.length(2);
  });

  for (const [what, spoil] of Object.entries({
    'a broken file': () => 'x',
    'a file without definitions': (text: string) => `${text.split('\n')[0]}\nx`,
    'the file of another server': (text: string) => text.replace('127.0.0.1:6443', 'other'),
    'a file from the future': (text: string) => text.replace('"savedAtMs":1000000', '"savedAtMs":9000000'),
  })) {
    it(`does not trust ${what}`, async () => {
      await read();
      writeFileSync(file(), spoil(readFileSync(file(), 'utf8')));
      answer = sent('second', '"2"');
      expect(await read()).to.equal('second');
    });
  }

  it('works where nothing can be written', async () => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    expect(await read()).to.equal('first');
  });

  for (const body of ['', 'x', '[]', '{"definitions":[]}', '{"swagger":"2.0"}']) {
    it(`refuses ${JSON.stringify(body)} as a document`, async () => {
      answer = { body: Buffer.from(body) };
      const failure = await read().catch((error: unknown) => error);
      expect(failure).to.be.an('error').with.property('code', 'protocol');
    });
  }

  describe('of a server with a document for each version', () => {
    let paths: string[];
    let urls: Record<string, string>;
    beforeEach(() => {
      paths = [];
      urls = { 'apis/a/v1': '/openapi/v3/apis/a/v1?hash=1', 'apis/b/v1': '/openapi/v3/apis/b/v1?hash=1' };
      answerV3 = ({ path }) => {
        paths.push(path);
        const entries = Object.entries(urls).map(([key, url]) => [key, { serverRelativeURL: url }]);
        const value = path === '/openapi/v3' ? { paths: Object.fromEntries(entries) } : documentV3(path);
        return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(value)) };
      };
    });
    const documentV3 = (description: string) => ({
      components: { schemas: document(description).definitions },
    });
    const described = async (versions = [thing]) =>
      (await open().get(versions)).definition('a.Thing')?.description;

    it('takes the documents of the versions that it is asked for, and no others', async () => {
      expect(await described()).to.equal('/openapi/v3/apis/a/v1?hash=1');
      expect(paths).to.deep.equal(['/openapi/v3', '/openapi/v3/apis/a/v1?hash=1']);
      expect(await described()).to.equal('/openapi/v3/apis/a/v1?hash=1');
      expect(paths).to.have.length(2);
      expect(seen).to.deep.equal([]);
    });

    it('looks later whether their URLs have changed', async () => {
      await described();
      nowMs += 600_000;
      await described();
      expect(paths.slice(2)).to.deep.equal(['/openapi/v3']);
      urls['apis/a/v1'] = '/openapi/v3/apis/a/v1?hash=2';
      expect(await described()).to.equal('/openapi/v3/apis/a/v1?hash=1');
      const schemas = await open().refresh([thing]);
      expect(schemas.definition('a.Thing')?.description).to.equal('/openapi/v3/apis/a/v1?hash=2');
    });

    it('knows nothing of versions without a document', async () => {
      const schemas = await open().get([{ group: 'none', version: 'v1' }]);
      expect(schemas.nameOf(thing)).to.equal(undefined);
    });

    it('does not follow URLs that lead elsewhere', async () => {
      urls['apis/a/v1'] = '/api/v1/secrets';
      expect(await described()).to.equal(undefined);
      expect(paths).to.deep.equal(['/openapi/v3']);
    });

    for (const spoiled of ['', 'x', '{"server":"https://127.0.0.1:6443","etag":"","savedAtMs":1000000}\n7']) {
      it(`does not trust broken files: ${spoiled}`, async () => {
        await described();
        for (const name of readdirSync(folder)) writeFileSync(join(folder, name), spoiled);
        expect(await described()).to.equal('/openapi/v3/apis/a/v1?hash=1');
        expect(paths).to.have.length(4);
      });
    }

    it('takes the whole document where the index is none', async () => {
      answerV3 = () => ({ status: 200, headers: {}, body: Buffer.from('{}') });
      expect(await described()).to.equal('first');
    });
  });
});

describe('packV3Schemas', () => {
  const about = { description: 'd' };
  const cases: [what: string, v3: object, v2: object][] = [
    ['a reference', { $ref: '#/components/schemas/a' }, { $ref: '#/definitions/a' }],
    [
      'a reference with a text',
      { ...about, allOf: [{ $ref: '#/components/schemas/a' }] },
      { ...about, $ref: '#/definitions/a' },
    ],
    [
      'a number or a text',
      { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
      { format: 'int-or-string', type: 'string' },
    ],
    [
      'an amount',
      { ...about, oneOf: [{ type: 'string' }, { type: 'number' }] },
      { ...about, type: 'string' },
    ],
    [
      'items',
      { type: 'array', items: { $ref: '#/components/schemas/a' } },
      { type: 'array', items: { $ref: '#/definitions/a' } },
    ],
    [
      'properties',
      { properties: { $ref: { type: 'string' }, oneOf: { $ref: '#/components/schemas/a' } } },
      { properties: { $ref: { type: 'string' }, oneOf: { $ref: '#/definitions/a' } } },
    ],
    [
      'values',
      { additionalProperties: { $ref: '#/components/schemas/a' } },
      { additionalProperties: { $ref: '#/definitions/a' } },
    ],
    [
      'alternatives with more than a type',
      { oneOf: [{ required: ['a'] }, { type: 'string' }] },
      { oneOf: [{ required: ['a'] }, { type: 'string' }] },
    ],
  ];
  for (const [what, v3, v2] of cases) {
    it(`says in the words of version 2: ${what}`, () => {
      const packed = packV3Schemas({ components: { schemas: { x: v3 } } });
      expect(readDefinitions(packed).definition('x')).to.deep.equal(v2);
    });
  }
});

describe('packDefinitions', () => {
  const schemas = readDefinitions(packDefinitions(document('x')));

  it('keeps definitions by name and by kind', () => {
    expect(schemas.nameOf(thing)).to.equal('a.Thing');
    expect(schemas.definition('a.Thing')).to.deep.equal(document('x').definitions['a.Thing']);
    expect(schemas.definition('a.Options')).to.be.an('object');
  });

  it('knows no kinds of many versions, and nothing that objects inherit', () => {
    expect(schemas.nameOf({ ...thing, kind: 'Options' })).to.equal(undefined);
    expect(schemas.definition('toString')).to.equal(undefined);
  });
});
