import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { systemClock } from '../../../src/base/index.ts';
import { createOpenApiCache, packDefinitions, readDefinitions } from '../../../src/client/openapi/index.ts';
import type { RestClient, RestRequest, RestResponse } from '../../../src/client/rest/index.ts';

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
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'openapi-'));
    nowMs = 1_000_000;
    seen = [];
    answer = sent('first', '"1"');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const sent = (description: string, etag: string): Partial<RestResponse> => ({
    headers: { etag, 'content-encoding': 'gzip' },
    body: gzipSync(JSON.stringify(document(description))),
  });
  const client: Pick<RestClient, 'server' | 'send'> = {
    server: 'https://127.0.0.1:6443',
    async send(request) {
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
  const read = async () => (await open().get()).definition('a.Thing')?.description;
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
    expect((await cache.get()).definition('a.Thing')?.description).to.equal('first');
    expect((await cache.refresh()).definition('a.Thing')?.description).to.equal('second');
    await cache.refresh();
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
