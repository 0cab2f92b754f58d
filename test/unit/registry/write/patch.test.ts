import { expect } from 'chai';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { takeSteps } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { StatusError } from '../../../../src/machinery/errors/index.ts';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import { compilePatch, type PatchFormat } from '../../../../src/registry/index.ts';

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

const patchWith = (format: PatchFormat, text: string): ApiObject =>
  takeSteps(compilePatch({ format, bytes: Buffer.from(text) }, configMap, { catalog, dialect })(current()));

function refusalOf(format: PatchFormat, text: string): StatusError {
  try {
    patchWith(format, text);
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  return expect.fail('must be refused');
}

describe('compilePatch', () => {
  const applied: [format: PatchFormat, text: string, data: unknown][] = [
    ['json', '[{"op":"add","path":"/data/b","value":"2"}]', { a: '1', b: '2' }],
    ['merge', '{"data":{"b":"2","a":null}}', { b: '2' }],
    ['strategic', '{"data":{"$patch":"replace","b":"2"}}', { b: '2' }],
    ['strategic', '{"kind":"Secret","apiVersion":"v9"}', { a: '1' }],
    ['strategic', 'null', { a: '1' }],
  ];
  for (const [format, text, data] of applied) {
    it(`${format} ${text}`, () => {
      const object = patchWith(format, text);
      expect(object).to.include({ kind: 'ConfigMap', apiVersion: 'v1' });
      expect(object).to.have.property('data').that.deep.equals(data);
    });
  }

  it('a strategic patch cuts integers to the size of their fields', () => {
    const deployment = { group: 'apps', version: 'v1', kind: 'Deployment' };
    const bytes = Buffer.from('{"spec":{"replicas":4294967299}}');
    const patch = compilePatch({ format: 'strategic', bytes }, deployment, { catalog, dialect });
    const live = { kind: 'Deployment', apiVersion: 'apps/v1', metadata: { name: 'a' } } as ApiObject;
    expect(takeSteps(patch(live)))
      .to.have.property('spec')
      .that.includes({ replicas: 3 });
  });

  for (const [format, text] of [
    ['merge', '{"apiVersion":null}'],
    ['json', '[{"op":"move","from":"/apiVersion","path":"/data"}]'],
    ['json', '[{"op":"add","path":"/apiVersion","value":""},{"op":"remove","path":"/kind"}]'],
  ] as const) {
    it(`a document without a version has no name either: ${format} ${text}`, () => {
      const object = patchWith(format, text);
      expect(object.metadata.name).to.equal(undefined);
      expect(object).not.to.have.property('data');
    });
  }

  const refused: [
    format: PatchFormat,
    text: string,
    code: number,
    reason: string | undefined,
    message: RegExp,
  ][] = [
    ['strategic', '{', 400, 'BadRequest', /^unexpected EOF$/],
    ['strategic', ' ', 400, 'BadRequest', /^EOF$/],
    ['merge', '{', 500, undefined, /^Invalid JSON Patch$/],
    ['merge', '', 500, undefined, /^Invalid JSON Patch$/],
    ['merge', 'null', 500, undefined, /^Invalid JSON Patch$/],
    ['strategic', '[]', 400, 'BadRequest', /^json: cannot unmarshal array into Go value of type map/],
    ['strategic', '{"$retainKeys":1}', 400, 'BadRequest', /^invalid patch format of retainKeys$/],
    ['strategic', '{"$patch":"x"}', 500, undefined, /^unknown patch type: x in map: map\[\$patch:x\]$/],
    ['strategic', '{"metadata":{"finalizers":[1]}}', 500, undefined, /^list element types are not identical/],
    ['json', '[{"op":"remove","path":"/data/z"}]', 422, 'Invalid', /^the server rejected our request/],
    [
      'strategic',
      '{"data":{"a":1}}',
      422,
      'Invalid',
      /^ "" is invalid: patch: Invalid value: "map\[data:map\[a:1\]\]": cannot convert int64 to string$/,
    ],
    [
      'json',
      '[{"op":"replace","path":"/kind","value":"Secret"}]',
      422,
      'Invalid',
      /^ "" is invalid: patch: Invalid value: "{\\"apiVersion\\":\\"v1\\",\\"data\\".*": v1\.Secret\..*Kind: Data: decode base64/,
    ],
    [
      'merge',
      '{"apiVersion":"v2"}',
      422,
      'Invalid',
      /": no kind "ConfigMap" is registered for version "v2" in scheme/,
    ],
  ];
  for (const [format, text, code, reason, message] of refused) {
    it(`${format} ${text}: ${code}`, () => {
      const error = refusalOf(format, text);
      expect(error.status.code).to.equal(code);
      expect(error.status.reason).to.equal(reason);
      expect(error.status.message).to.match(message);
    });
  }

  for (const format of ['json', 'merge'] as const) {
    it(`${format}: 400 for a patch above a mebibyte that nests too deep`, () => {
      const depth = 600_000;
      const error = refusalOf(format, `[${'['.repeat(depth)}${']'.repeat(depth)}]`);
      expect(error.status).to.include({ code: 400, reason: 'BadRequest' });
      expect(error.status.message).to.equal("error decoding patch: invalid character '[' exceeded max depth");
    });
  }

  const misfits: [format: PatchFormat, text: string, shown: string, cause: string][] = [
    ['strategic', '{"kind":5,"data":{"b":1}}', 'map[data:map[b:1] kind:5]', 'cannot convert int64 to string'],
    ['strategic', '{"apiVersion":false}', 'map[apiVersion:false]', 'unrecognized type: string'],
    [
      'strategic',
      '{"data":{"$retainKeys":["b"],"b":1}}',
      'map[data:map[b:1]]',
      'cannot convert int64 to string',
    ],
    [
      'merge',
      '[null]',
      '[]',
      `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    ],
    [
      'merge',
      '{"kind":5,"metadata":null,"data":null}',
      '{"apiVersion":"v1","kind":5}',
      "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
    ],
    [
      'json',
      '[{"op":"replace","path":"/apiVersion","value":"x/y/z"},{"op":"remove","path":"/metadata"},{"op":"remove","path":"/data"}]',
      '{"apiVersion":"x/y/z","kind":"ConfigMap"}',
      'unexpected GroupVersion string: x/y/z',
    ],
  ];
  for (const [format, text, shown, cause] of misfits) {
    it(`${format} ${text}: ${cause}`, () => {
      const { code, message } = refusalOf(format, text).status;
      expect(code).to.equal(422);
      expect(message).to.equal(` "" is invalid: patch: Invalid value: ${JSON.stringify(shown)}: ${cause}`);
    });
  }

  it('names the patch as the cause of a misfit', () => {
    const error = refusalOf('merge', '{"data":1}');
    expect(error.status.details).to.have.all.keys('causes');
    expect(error.status.details?.causes?.[0]).to.include({ reason: 'FieldValueInvalid', field: 'patch' });
  });
});
