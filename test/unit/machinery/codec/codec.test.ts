import { expect } from 'chai';
import fc from 'fast-check';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { createKindComparison } from '../../../../src/apis/conversions/index.ts';
import {
  BodySyntaxError,
  decodeBody,
  decodeObject,
  encodeForStorage,
  encodeListHeader,
  encodeWatchEvent,
  joinList,
  parseJson,
  parseYaml,
  reversion,
} from '../../../../src/machinery/codec/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { StatusError } from '../../../../src/machinery/errors/index.ts';
import { keepText } from '../../../../src/machinery/meta/index.ts';

const catalog = createTypeCatalog(orchDialect);
const configMap = { group: '', version: 'v1', kind: 'ConfigMap' };
const typeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function badRequestOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    expect(error.code).to.equal(400);
    return error.message;
  }
  throw new Error('nothing was refused');
}

describe('decodeBody', () => {
  const head = 'the object provided is unrecognized (must be of type ConfigMap): ';
  const json = `${head}couldn't get version/kind; json parse error: `;
  const table: readonly (readonly ['json' | 'yaml', string, string])[] = [
    ['json', '{', `${json}unexpected end of JSON input ({)`],
    ['json', '', `${json}unexpected end of JSON input (<empty>)`],
    ['json', '[]', `${json}json: cannot unmarshal array into Go value of type ${typeMeta} (5b5d)`],
    ['json', '"x"', `${json}json: cannot unmarshal string into Go value of type ${typeMeta} (227822)`],
    [
      'json',
      '{"kind":5}',
      `${json}json: cannot unmarshal number into Go struct field .kind of type string ({"kind":5})`,
    ],
    [
      'json',
      '{"apiVersion":"a/b/c"}',
      `${head}unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c"})`,
    ],
    [
      'json',
      '{"apiVersion":"v1","kind":"ConfigMap"}}',
      `${json}invalid character '}' after top-level value ({"apiVersion":"v1","kind":"Con ...)`,
    ],
    ['yaml', 'a: b: c', `${head}yaml: mapping values are not allowed in this context (613a20623a2063)`],
  ];
  for (const [format, text, message] of table) {
    it(`refuses the ${format} ${JSON.stringify(text)}`, () => {
      expect(badRequestOf(() => decodeBody(Buffer.from(text), format, 'ConfigMap'))).to.equal(message);
    });
  }

  it('throws a syntax error when no kind is expected', () => {
    expect(() => decodeBody(Buffer.from('{'), 'json')).to.throw(
      BodySyntaxError,
      'unexpected end of JSON input',
    );
  });
});

describe('parseJson', () => {
  it('tells whole numbers that are written as fractions from others when asked to', () => {
    const text = '{"a":[10.0,1e3,-2E0,1.5,7],"b":"1.0","c":9007199254740993,"d":1.0}';
    const kept = parseJson(Buffer.from(text), { keepsFractions: true });
    expect(JSON.stringify(kept)).to.equal(text);
    expect(JSON.stringify(parseJson(Buffer.from(text)))).to.equal(
      '{"a":[10,1000,-2,1.5,7],"b":"1.0","c":9007199254740993,"d":1}',
    );
  });

  const faults: readonly (readonly [string, string])[] = [
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
    ['[1 2]', "invalid character '2' after array element"],
    ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')"],
    ['{"a":"\n"}', "invalid character '\\n' in string literal"],
    ['{"a":"\\x"}', "invalid character 'x' in string escape code"],
    ['{"a":1.}', "invalid character '}' after decimal point in numeric literal"],
    ['[', 'unexpected end of JSON input'],
  ];
  for (const [text, message] of faults) {
    it(`says what is wrong with ${JSON.stringify(text)}`, () => {
      expect(() => parseJson(Buffer.from(text))).to.throw(BodySyntaxError, message);
    });
  }

  it('lets the last of equal keys win', () => {
    expect(parseJson(Buffer.from('{"a":1,"a":2}'))).to.deep.equal({ a: 2 });
  });

  it('keeps __proto__ as data', () => {
    const value = parseJson(Buffer.from('{"__proto__":{"polluted":1}}'));
    expect(Object.getPrototypeOf(value)).to.equal(Object.prototype);
    expect(JSON.stringify(value)).to.equal('{"__proto__":{"polluted":1}}');
  });

  it('keeps whole numbers beyond 2^53', () => {
    const text = '{"a":9223372036854775807,"b":-9007199254740993,"c":1234567890123456}';
    expect(JSON.stringify(parseJson(Buffer.from(text)))).to.equal(text);
  });

  it('replaces what is not Unicode', () => {
    expect(parseJson(Buffer.from([0x22, 0xff, 0x22]))).to.equal('\ufffd');
    expect(parseJson(Buffer.from('["\\ud800","\\ud83d\\ude00"]'))).to.deep.equal(['\ufffd', '\u{1f600}']);
  });

  it('refuses deep nesting without running out of stack', () => {
    expect(() => parseJson(Buffer.from('['.repeat(1_000_000)))).to.throw(
      BodySyntaxError,
      'exceeded max depth',
    );
  });

  it('reads what JSON.stringify writes, and refuses or reads any bytes', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.stringify(parseJson(Buffer.from(text)))).to.equal(JSON.stringify(JSON.parse(text)));
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parseJson(Buffer.from(text));
        } catch (error) {
          expect(error).to.be.instanceOf(BodySyntaxError);
        }
      }),
    );
  });
});

describe('parseYaml', () => {
  it('resolves scalars as YAML 1.1 and sorts keys', () => {
    const text = 'd: 2020-01-01\na: yes\nb: 0755\nc: 1_000\ne: ~\nf: 0x1f\ng: "1"\ni: 60:30\n1: x\ntrue: z\n';
    expect(JSON.stringify(parseYaml(Buffer.from(text)))).to.equal(
      '{"1":"x","a":true,"b":493,"c":1000,"d":"2020-01-01","e":null,"f":31,"g":"1","i":"60:30","true":"z"}',
    );
  });

  it('merges maps, reads JSON and takes only the first document', () => {
    expect(parseYaml(Buffer.from('b: &b {k: 1}\nm: {<<: *b, z: 2}\n---\nx: 1\n'))).to.deep.equal({
      b: { k: 1 },
      m: { k: 1, z: 2 },
    });
    expect(parseYaml(Buffer.from('{"a":[1,"x"],"a":[2]}'))).to.deep.equal({ a: [2] });
    expect(parseYaml(Buffer.from(''))).to.equal(null);
  });

  it('refuses alias bombs, deep nesting and infinities', () => {
    const names = [...'abcdefghi'];
    const bomb = names.map((name, index) => {
      const items = index === 0 ? 'x' : `*${names[index - 1]}`;
      return `${name}: &${name} [${Array(10).fill(items).join(',')}]\n`;
    });
    expect(() => parseYaml(Buffer.from(bomb.join('')))).to.throw(BodySyntaxError, 'excessive aliasing');
    expect(() => parseYaml(Buffer.from('['.repeat(100_000)))).to.throw(BodySyntaxError, 'yaml: ');
    expect(() => parseYaml(Buffer.from('a: .inf'))).to.throw(
      BodySyntaxError,
      'json: unsupported value: +Inf',
    );
  });
});

describe('decodeObject', () => {
  const isSameKind = createKindComparison(orchDialect, catalog);
  const decode = (value: unknown, expected = configMap): unknown =>
    decodeObject({ value, catalog, dialect: orchDialect, isSameKind, expected });

  it('takes kind and version from the endpoint where the body names none', () => {
    for (const value of [
      null,
      {},
      { kind: 'ConfigMap' },
      { apiVersion: 'v1' },
      { kind: '', apiVersion: '' },
    ]) {
      expect(JSON.stringify(decode(value))).to.equal(
        '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"creationTimestamp":null}}',
      );
    }
  });

  const scheme = 'in scheme "orch.io/orch/pkg/api/legacyscheme/scheme.go:30"';
  const cannot = (kind: string, version: string, wanted: string): string =>
    `${kind} in version "${version}" cannot be handled as a ${wanted}: `;
  const deployment = { group: 'apps', version: 'v1', kind: 'Deployment' };
  const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  const ingress = { group: 'networking.orch.io', version: 'v1', kind: 'Ingress' };
  const event = { group: '', version: 'v1', kind: 'Event' };
  const mismatch = (given: string, wanted: string): string =>
    `the API version in the data (${given}) does not match the expected API version (${wanted})`;
  const table: readonly (readonly [object, typeof configMap, string])[] = [
    [
      { apiVersion: 'v1', kind: 'Secret' },
      configMap,
      `${cannot('Secret', 'v1', 'ConfigMap')}converting (v1.Secret) to (core.ConfigMap): unknown conversion`,
    ],
    [
      { apiVersion: 'apps/v1', kind: 'ConfigMap' },
      configMap,
      `${cannot('ConfigMap', 'v1', 'ConfigMap')}no kind "ConfigMap" is registered for version "apps/v1" ${scheme}`,
    ],
    [
      { apiVersion: 'v2', kind: 'ConfigMap' },
      configMap,
      `${cannot('ConfigMap', 'v2', 'ConfigMap')}no kind "ConfigMap" is registered for version "v2" ${scheme}`,
    ],
    [
      { apiVersion: 'apps/v1', kind: 'Foo' },
      deployment,
      `${cannot('Foo', 'v1', 'Deployment')}no kind "Foo" is registered for version "apps/v1" ${scheme}`,
    ],
    [
      { apiVersion: 'apps/v1', kind: 'Deployment' },
      scale,
      `${cannot('Deployment', 'v1', 'Scale')}converting (v1.Deployment) to (autoscaling.Scale): unknown conversion`,
    ],
    [{ apiVersion: 'apps/v1beta1', kind: 'Deployment' }, deployment, mismatch('apps/v1beta1', 'apps/v1')],
    [
      { apiVersion: 'extensions/v1beta1', kind: 'Deployment' },
      deployment,
      mismatch('extensions/v1beta1', 'apps/v1'),
    ],
    [
      { apiVersion: 'extensions/v1beta1', kind: 'Ingress' },
      ingress,
      mismatch('extensions/v1beta1', 'networking.orch.io/v1'),
    ],
    [{ apiVersion: 'events.orch.io/v1', kind: 'Event' }, event, mismatch('events.orch.io/v1', 'v1')],
    [
      { apiVersion: 'extensions/v1beta1', kind: 'Scale' },
      scale,
      mismatch('extensions/v1beta1', 'autoscaling/v1'),
    ],
    [
      { apiVersion: 'extensions/v1beta1', kind: 'ReplicaSet' },
      deployment,
      `${cannot('ReplicaSet', 'v1beta1', 'Deployment')}converting (v1beta1.ReplicaSet) to (apps.Deployment): unknown conversion`,
    ],
    [
      { apiVersion: 'apps/v1', kind: 'Status' },
      deployment,
      `${cannot('Status', 'v1', 'Deployment')}converting (v1.Status) to (apps.Deployment): unknown conversion`,
    ],
  ];
  for (const [value, expected, message] of table) {
    it(`refuses ${JSON.stringify(value)} as ${expected.kind}`, () => {
      expect(badRequestOf(() => decode(value, expected))).to.equal(message);
    });
  }

  it('knows no kinds of several groups that it is not told of', () => {
    const value = { apiVersion: 'extensions/v1beta1', kind: 'Deployment' };
    const bare = () => decodeObject({ value, catalog, dialect: orchDialect, expected: deployment });
    expect(badRequestOf(bare)).to.match(/: unknown conversion$/);
  });

  it('reports values of the wrong type', () => {
    expect(badRequestOf(() => decode({ data: { a: true } }))).to.match(
      /^ConfigMap in version "v1" cannot be handled as a ConfigMap: .*Data: ReadString: expects " or n, but found t, error found in /,
    );
  });
});

describe('encodeForStorage', () => {
  const type = catalog.type('v1.ConfigMap');

  it('writes an empty version in its place and leaves the object alone', () => {
    const object = {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { uid: 'u', name: 'a', labels: { z: '1' } },
    };
    expect(encodeForStorage(type, object).toString()).to.equal(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","uid":"u","resourceVersion":"","creationTimestamp":null,"labels":{"z":"1"}}}',
    );
    expect(object.metadata).not.to.have.property('resourceVersion');
  });

  it('has the version of the metadata first, whatever texts the object holds', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const name = `"resourceVersion":"${text}`;
        const bytes = encodeForStorage(type, {
          kind: name,
          apiVersion: name,
          metadata: { name, selfLink: name },
          data: { resourceVersion: 'x' },
        });
        const at = bytes.indexOf('"resourceVersion":"');
        expect(bytes.subarray(at, at + 20).toString()).to.equal('"resourceVersion":""');
        expect(JSON.parse(bytes.toString()).metadata.resourceVersion).to.equal('');
      }),
    );
  });
});

describe('encodeForStorage of an object with a record of owners', () => {
  const type = catalog.type('v1.ConfigMap');
  const fieldsArbitrary = fc.oneof(
    fc.constant(undefined),
    fc.dictionary(fc.string(), fc.constant({})),
    fc.dictionary(fc.string(), fc.constant({})).map(keepText),
  );
  const entryArbitrary = fc.record(
    {
      manager: fc.string(),
      operation: fc.constantFrom('Apply', 'Update'),
      time: fc.constant(null),
      fieldsV1: fieldsArbitrary,
    },
    { requiredKeys: [] },
  );

  it('writes what any encoder of JSON writes, however often', () => {
    fc.assert(
      fc.property(
        fc.array(entryArbitrary),
        fc.dictionary(fc.string(), fc.string()),
        (managedFields, data) => {
          const object = {
            kind: 'ConfigMap',
            apiVersion: 'v1',
            metadata: { name: 'a', managedFields },
            data,
          };
          const canonical = type.canonicalize({
            ...object,
            metadata: { ...object.metadata, resourceVersion: '1' },
          });
          const expected = JSON.stringify(canonical).replace('"resourceVersion":"1"', '"resourceVersion":""');
          expect(encodeForStorage(type, object).toString()).to.equal(expected);
          expect(encodeForStorage(type, object).toString()).to.equal(expected);
        },
      ),
    );
  });
});

describe('list and watch frames', () => {
  const item = Buffer.from('{"kind":"Pod","apiVersion":"v1","metadata":{}}');

  it('joins lists', () => {
    const header = encodeListHeader({
      kind: 'PodList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '5' },
    });
    const start = '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[';
    expect(joinList(header, []).toString()).to.equal(`${start}]}\n`);
    expect(joinList(header, [item, item]).toString()).to.equal(`${start}${item},${item}]}\n`);
  });

  it('wraps watch events', () => {
    for (const end of ['', '\n', ' \r\n\t'])
      expect(encodeWatchEvent('ADDED', Buffer.from(`${item}${end}`)).toString()).to.equal(
        `{"type":"ADDED","object":${item}}\n`,
      );
  });

  it('replaces the version at the start and refuses other starts', () => {
    expect(reversion(item, 'Pod', 'v1', 'v1')).to.equal(item);
    expect(reversion(item, 'Pod', 'v1', 'x/v2').toString()).to.equal(
      '{"kind":"Pod","apiVersion":"x/v2","metadata":{}}',
    );
    expect(() => reversion(item, 'Pod', 'v2', 'v1')).to.throw(RangeError);
    expect(() => reversion(Buffer.from('{}'), 'Pod', 'v2', 'v1')).to.throw(RangeError);
  });
});
