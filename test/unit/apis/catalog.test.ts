import { expect } from 'chai';
import fc from 'fast-check';
import { createTypeCatalog } from '../../../src/apis/catalog.ts';
import data from '../../../src/apis/types.json' with { type: 'json' };
import { createDialect, orchDialect } from '../../../src/machinery/dialect.ts';
import { type CompiledField, DecodeError } from '../../../src/machinery/schema/index.ts';

const catalog = createTypeCatalog(orchDialect);
const decode = (type: string, value: unknown): string => JSON.stringify(catalog.type(type).decode(value));

describe('createTypeCatalog', () => {
  it('compiles every type of the data', () => {
    for (const name of Object.keys(data.types)) expect(catalog.type(name).name).to.equal(name);
  });

  it('finds kinds by group, version and kind', () => {
    expect(catalog.kind({ group: 'apps', version: 'v1', kind: 'Deployment' })?.name).to.equal(
      'apps/v1.Deployment',
    );
    expect(catalog.kind({ group: 'apps', version: 'v1', kind: 'DeleteOptions' })?.name).to.match(
      /DeleteOptions$/,
    );
    expect(catalog.kind({ group: '', version: 'v1', kind: 'PodSpec' })).to.equal(undefined);
    expect(catalog.kind({ group: '', version: 'v1', kind: 'toString' })).to.equal(undefined);
    expect(() => catalog.type('v1.Nothing')).to.throw(RangeError);
  });

  it('spells types, fields and enums as the dialect has them', () => {
    const dialect = createDialect('kubernetes');
    const other = createTypeCatalog(dialect);
    const group = dialect.group('networking');
    expect(group).not.to.equal('networking.orch.io');
    expect(other.kind({ group, version: 'v1', kind: 'Ingress' })?.name).to.equal(`${group}/v1.Ingress`);
    const agent = dialect.spell('nodeAgentVersion');
    const info = other.type('v1.NodeSystemInfo').decode({ [agent]: 'v1', nodeAgentVersion: 'v2' });
    expect(info).to.include({ [agent]: 'v1', [dialect.spell('orchProxyVersion')]: '' });
    expect(info).not.to.have.property('nodeAgentVersion');
  });

  it('lists enum values in their order', () => {
    expect(catalog.enumValues('v1.ConditionStatus')).to.deep.equal(['True', 'False', 'Unknown']);
  });
});

describe('CompiledType.decode', () => {
  const table: readonly (readonly [string, string, unknown, string])[] = [
    [
      'writes what is never left out',
      'v1.Pod',
      {},
      '{"metadata":{"creationTimestamp":null},"spec":{"containers":null},"status":{}}',
    ],
    [
      'keeps nullable fields that are set to zero',
      'apps/v1.DeploymentSpec',
      { replicas: 0 },
      '{"replicas":0,"selector":null,"template":{"metadata":{"creationTimestamp":null},"spec":{"containers":null}},"strategy":{}}',
    ],
    [
      'drops unknown and empty fields',
      'v1.ConfigMap',
      { x: 1, data: {}, metadata: { name: '', labels: null } },
      '{"metadata":{"creationTimestamp":null}}',
    ],
    ['is case-sensitive', 'v1.ConfigMap', { Data: { a: 'b' } }, '{"metadata":{"creationTimestamp":null}}'],
    [
      'sorts map keys and keeps __proto__ as data',
      'v1.ConfigMap',
      JSON.parse('{"data":{"b":"1","__proto__":"2","a":null}}'),
      '{"metadata":{"creationTimestamp":null},"data":{"__proto__":"2","a":"","b":"1"}}',
    ],
    [
      'sorts by bytes, not by UTF-16 units',
      'v1.ConfigMap',
      { data: { '\u{1f600}': 'x', '\uff00': 'y' } },
      '{"metadata":{"creationTimestamp":null},"data":{"\uff00":"y","\u{1f600}":"x"}}',
    ],
    [
      'writes empty lists that are never left out as null',
      'rbac.authorization.orch.io/v1.Role',
      { rules: [] },
      '{"metadata":{"creationTimestamp":null},"rules":null}',
    ],
    [
      'turns null elements into zero values',
      'v1.PodSpec',
      { containers: [null] },
      '{"containers":[{"name":"","resources":{}}]}',
    ],
    [
      'canonicalizes base64',
      'v1.Secret',
      { data: { a: 'aGl=\n', b: null } },
      '{"metadata":{"creationTimestamp":null},"data":{"a":"aGk=","b":""}}',
    ],
    [
      'canonicalizes quantities and times',
      'v1.PodStatus',
      { startTime: '2020-01-01T01:00:00+01:00' },
      '{"startTime":"2020-01-01T00:00:00Z"}',
    ],
    [
      'keeps the forms of schemas',
      'apiextensions.orch.io/v1.JSONSchemaProps',
      { items: [{ type: 'a' }], additionalProperties: false, default: { z: [1] } },
      '{"default":{"z":[1]},"items":[{"type":"a"}],"additionalProperties":false}',
    ],
  ];
  for (const [what, type, value, expected] of table) {
    it(what, () => expect(decode(type, value)).to.equal(expected));
  }

  const errors: readonly (readonly [string, unknown, string])[] = [
    [
      'v1.ConfigMap',
      { kind: 'ConfigMap', metadata: { name: true } },
      'v1.ConfigMap.ObjectMeta: v1.ObjectMeta.Name: ReadString: expects " or n, but found t, error found in',
    ],
    [
      'v1.ConfigMap',
      { apiVersion: 'v1', data: { k: 1 }, kind: 'ConfigMap', metadata: { name: 'z' } },
      'v1.ConfigMap.ObjectMeta: v1.ObjectMeta.TypeMeta: Kind: Data: ReadString: expects " or n, but found 1, error found in #10 byte of ...|ta":{"k":1},"kind":"|...',
    ],
    [
      'v1.Secret',
      { data: { a: '!x' } },
      'v1.Secret.Data: decode base64: illegal base64 data at input byte 0, error found in',
    ],
    [
      'v1.PodSpec',
      { containers: [{ ports: [{ containerPort: '80' }] }] },
      'v1.PodSpec.Containers: []v1.Container: v1.Container.Ports: []v1.ContainerPort: v1.ContainerPort.ContainerPort: readUint32: unexpected character: \ufffd, error found in',
    ],
    [
      'v1.PodSpec',
      { containers: {} },
      'v1.PodSpec.Containers: []v1.Container: decode slice: expect [ or n, but found {, error found in',
    ],
    [
      'v1.PodSpec',
      { priority: 2 ** 31 },
      'v1.PodSpec.Priority: ReadInt32: overflow: 2147483648, error found in',
    ],
    [
      'v1.PodSpec',
      { activeDeadlineSeconds: 1.5 },
      'v1.PodSpec.ActiveDeadlineSeconds: assertInteger: can not decode float as int, error found in',
    ],
    [
      'v1.PodSpec',
      { hostNetwork: 'x' },
      'v1.PodSpec.HostNetwork: ReadBool: expect t or f, but found ", error found in',
    ],
    [
      'v1.Event',
      { firstTimestamp: 5 },
      'v1.Event.FirstTimestamp: unmarshalerDecoder: json: cannot unmarshal number into Go value of type string, error found in',
    ],
    ['v1.Pod', [], 'readObjectStart: expect { or n, but found [, error found in'],
  ];
  for (const [type, value, message] of errors) {
    it(`refuses ${JSON.stringify(value)} for ${type}`, () => {
      expect(() => catalog.type(type).decode(value)).to.throw(DecodeError, message);
    });
  }

  it('is idempotent on random values of random types and shares nothing with its input', () => {
    const names = Object.keys(data.types).filter((name) => catalog.type(name).fields.length > 0);
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.infiniteStream(fc.nat(1000)), (name, stream) => {
        const draw = (): number => stream.next().value ?? 0;
        const type = catalog.type(name);
        const value = randomStruct(type.fields, draw, 0);
        const before = JSON.stringify(value);
        const once = type.decode(value);
        expect(JSON.stringify(value)).to.equal(before);
        const text = JSON.stringify(once);
        expect(JSON.stringify(type.decode(JSON.parse(text)))).to.equal(text);
        expect(JSON.stringify(type.canonicalize(once))).to.equal(text);
      }),
      { numRuns: 300 },
    );
  });
});

type Draw = () => number;

function randomStruct(fields: readonly CompiledField[], draw: Draw, depth: number): Record<string, unknown> {
  const out: Record<string, unknown> = { unknownField: draw() };
  for (const field of fields) {
    const chance = draw() % 10;
    if (chance === 0) out[field.name] = null;
    else if (chance < 5) out[field.name] = randomValue(field.type, draw, depth + 1);
  }
  return out;
}

const samples: Readonly<Record<string, readonly unknown[]>> = {
  string: ['', 'x', '\u{1f600}', '__proto__'],
  bool: [true, false],
  int32: [0, -1, 2 ** 31 - 1],
  int64: [0, 5, -(2 ** 53) + 1],
  double: [0, 1.5, -2],
  bytes: ['', 'aGk=', 'aGkh'],
  any: [1, 'x', null, { b: 1, a: [true] }],
  Quantity: ['1000m', '1.5Gi', 3, '007'],
  IntOrString: [0, 80, 'http', '25%'],
  Time: ['2020-01-01T00:00:00Z', '2020-01-01T01:00:00.5+01:00', '0001-01-01T00:00:00Z'],
  MicroTime: ['2020-01-01T00:00:00.123456Z'],
  Duration: ['90s', '1h'],
};

function randomValue(type: string, draw: Draw, depth: number): unknown {
  const inner = /^(list|map)<(?:string,)?(.*)>$/.exec(type);
  if (inner !== null) {
    const values = Array.from({ length: depth > 4 ? 0 : draw() % 3 }, () =>
      randomValue(inner[2] ?? '', draw, depth + 1),
    );
    if (inner[1] === 'list') return values;
    return Object.fromEntries(values.map((value, index) => [['b', 'a', '1'][index] ?? 'c', value]));
  }
  const known = samples[type] ?? samples[type.slice(type.lastIndexOf('.') + 1)];
  if (known !== undefined) return known[draw() % known.length];
  if (/ExtraValue$|Verbs$/.test(type)) return ['a', 'b'];
  if (/RawExtension$|JSON$|FieldsV1$|Unknown$|OrArray$|OrBool$|OrStringArray$/.test(type))
    return { type: 'object' };
  return depth > 6 ? {} : randomStruct(catalog.type(type).fields, draw, depth);
}
