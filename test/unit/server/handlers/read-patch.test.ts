import { Readable } from 'node:stream';
import { expect } from 'chai';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { StatusError } from '../../../../src/machinery/errors/index.ts';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import type { StoredEndpoint } from '../../../../src/server/handlers/endpoint.ts';
import { readPatch } from '../../../../src/server/handlers/read-patch.ts';
import type { Exchange } from '../../../../src/server/request/exchange.ts';

const dialect = orchDialect;
const catalog = createTypeCatalog(dialect);
const configMap = { group: '', version: 'v1', kind: 'ConfigMap' };
const current = (): ApiObject =>
  ({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'a', finalizers: ['x'] },
    data: { a: '1' },
  }) as ApiObject;

async function patchWith(type: string, text: string): Promise<ApiObject> {
  const request = Object.assign(Readable.from([Buffer.from(text)]), { headers: { 'content-type': type } });
  // Reading a patch looks at no more than this.
  const exchange = { request, query: new URLSearchParams() } as unknown as Exchange;
  const endpoint = { context: { catalog, dialect, metaGroup: 'meta.orch.io' }, served: { store: {} } };
  const { patch } = await readPatch(exchange, endpoint as unknown as StoredEndpoint, configMap);
  return patch(current());
}

const json = 'application/json-patch+json';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';

describe('readPatch', () => {
  const applied: [type: string, text: string, data: unknown][] = [
    [json, '[{"op":"add","path":"/data/b","value":"2"}]', { a: '1', b: '2' }],
    [merge, '{"data":{"b":"2","a":null}}', { b: '2' }],
    [`${strategic}; charset=utf-8`, '{"data":{"$patch":"replace","b":"2"}}', { b: '2' }],
    [strategic, '{"kind":"Secret","apiVersion":"v9"}', { a: '1' }],
    [strategic, 'null', { a: '1' }],
  ];
  for (const [type, text, data] of applied) {
    it(`${type} ${text}`, async () => {
      const object = await patchWith(type, text);
      expect(object).to.include({ kind: 'ConfigMap', apiVersion: 'v1' });
      expect(object).to.have.property('data').that.deep.equals(data);
    });
  }

  const refused: [type: string, text: string, code: number, reason: string | undefined, message: RegExp][] = [
    ['text/plain', '{}', 415, 'UnsupportedMediaType', /^415: Unsupported Media Type$/],
    [strategic, '{', 400, 'BadRequest', /^unexpected end of JSON input$/],
    [strategic, '[]', 400, 'BadRequest', /^json: cannot unmarshal array into Go value of type map/],
    [strategic, '{"$retainKeys":1}', 400, 'BadRequest', /^invalid patch format of retainKeys$/],
    [strategic, '{"$patch":"x"}', 500, undefined, /^unknown patch type: x in map: map\[\$patch:x\]$/],
    [strategic, '{"metadata":{"finalizers":[1]}}', 500, undefined, /^list element types are not identical/],
    [json, '[{"op":"remove","path":"/data/z"}]', 422, 'Invalid', /^the server rejected our request/],
    [
      strategic,
      '{"data":{"a":1}}',
      422,
      'Invalid',
      /^ "" is invalid: patch: Invalid value: "map\[data:map\[a:1\]\]": cannot convert int64 to string$/,
    ],
    [
      json,
      '[{"op":"replace","path":"/kind","value":"Secret"}]',
      422,
      'Invalid',
      /^ "" is invalid: patch: Invalid value: "{\\"apiVersion\\":\\"v1\\",\\"data\\".*": v1\.Secret\..*Kind: Data: decode base64/,
    ],
    [
      merge,
      '{"apiVersion":"v2"}',
      422,
      'Invalid',
      /": no kind "ConfigMap" is registered for version "v2" in scheme/,
    ],
  ];
  for (const [type, text, code, reason, message] of refused) {
    it(`${type} ${text}: ${code}`, async () => {
      const error = await patchWith(type, text).then(
        () => expect.fail('must be refused'),
        (caught: unknown) => caught,
      );
      if (!(error instanceof StatusError)) throw error;
      expect(error.status.code).to.equal(code);
      expect(error.status.reason).to.equal(reason);
      expect(error.status.message).to.match(message);
    });
  }

  it('names the patch as the cause of a misfit', async () => {
    const error: unknown = await patchWith(merge, '{"data":1}').catch((caught: unknown) => caught);
    if (!(error instanceof StatusError)) throw error;
    expect(error.status.details).to.have.all.keys('causes');
    expect(error.status.details?.causes?.[0]).to.include({ reason: 'FieldValueInvalid', field: 'patch' });
  });
});
