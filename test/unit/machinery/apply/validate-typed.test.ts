import { expect } from 'chai';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { rawNumber } from '../../../../src/base/index.ts';
import { compareTyped } from '../../../../src/machinery/apply/typed/compare.ts';
import { createApplySchemaCompiler } from '../../../../src/machinery/apply/typed/compile-views.ts';
import { compileCustomApplySchema } from '../../../../src/machinery/apply/typed/custom-views.ts';
import { TypedError } from '../../../../src/machinery/apply/typed/list-items.ts';
import { mergeTyped } from '../../../../src/machinery/apply/typed/merge-typed.ts';
import { toFieldSet } from '../../../../src/machinery/apply/typed/to-field-set.ts';
import { validateTyped } from '../../../../src/machinery/apply/typed/validate.ts';
import { wholeView } from '../../../../src/machinery/apply/typed/view.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const catalog = createTypeCatalog(orchDialect);
const compiler = createApplySchemaCompiler(catalog);
const view = (type: string) => compiler.viewOf(type);
const messageOf = (type: string, value: unknown): string => {
  try {
    validateTyped(view(type), value);
    return '';
  } catch (error) {
    if (error instanceof TypedError) return error.message;
    throw error;
  }
};

describe('validateTyped', () => {
  const rows: readonly (readonly [string, unknown, string])[] = [
    ['v1.ConfigMap', { data: { a: 'x' }, kind: 'ConfigMap' }, ''],
    ['v1.ConfigMap', null, ''],
    ['v1.ConfigMap', { data: null, metadata: { labels: null } }, ''],
    ['v1.ConfigMap', { data: { a: 1 } }, '.data.a: expected string, got &value.valueUnstructured{Value:1}'],
    [
      'v1.ConfigMap',
      { data: { a: true } },
      '.data.a: expected string, got &value.valueUnstructured{Value:true}',
    ],
    [
      'v1.ConfigMap',
      { data: { a: { b: 1 } } },
      '.data.a: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"b":1}}',
    ],
    ['v1.ConfigMap', { data: ['a'] }, '.data: expected map, got &{[a]}'],
    ['v1.ConfigMap', { data: 'text' }, '.data: expected map, got &{text}'],
    ['v1.ConfigMap', { immutable: 'yes' }, '.immutable: expected boolean, got &{yes}'],
    ['v1.ConfigMap', { color: 'red' }, '.color: field not declared in schema'],
    ['v1.ConfigMap', 'x', 'expected map, got &{x}'],
    ['v1.ConfigMap', [], 'expected map, got &{[]}'],
    [
      'apps/v1.Deployment',
      { spec: { replicas: '2' } },
      '.spec.replicas: expected numeric (int or float), got *value.valueUnstructured',
    ],
    ['apps/v1.Deployment', { spec: { replicas: 2.5 } }, ''],
    ['apps/v1.Deployment', { spec: { replicas: rawNumber('9007199254740993') } }, ''],
    ['apps/v1.Deployment', { spec: { strategy: { rollingUpdate: { maxSurge: '25%' } } } }, ''],
    ['apps/v1.Deployment', { spec: { strategy: { rollingUpdate: { maxSurge: 1 } } } }, ''],
    ['v1.PodSpec', { containers: {} }, '.containers: expected list, got &{map[]}'],
    [
      'v1.PodSpec',
      { containers: [{ name: 'a', image: 5 }] },
      '.containers[name="a"].image: expected string, got &value.valueUnstructured{Value:5}',
    ],
    [
      'v1.PodSpec',
      { containers: [{ name: 'a' }, { name: 'a' }] },
      '.containers: duplicate entries for key [name="a"]',
    ],
    [
      'v1.PodSpec',
      { containers: [{ image: 'x' }, { image: 'y' }] },
      '.containers: duplicate entries for key [name=""]',
    ],
    ['v1.PodSpec', { containers: [{ name: 'a', ports: [{ hostPort: 80 }], env: [{}] }] }, ''],
    [
      'v1.ServiceSpec',
      { ports: [{ port: 80 }] },
      '.ports: element 0: associative list with keys has an element that omits key field "protocol" (and doesn\'t have default value)',
    ],
    [
      'v1.PodSpec',
      { containers: ['a'] },
      '.containers: element 0: associative list with keys may not have non-map elements',
    ],
    [
      'v1.PodSpec',
      { containers: [null] },
      '.containers: element 0: associative list with keys may not have a null element',
    ],
    [
      'v1.PodSpec',
      { tolerations: [{ key: 1 }] },
      '.tolerations[0].key: expected string, got &value.valueUnstructured{Value:1}',
    ],
    [
      'v1.Container',
      { ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }] },
      '.ports: duplicate entries for key [containerPort=80,protocol="TCP"]',
    ],
    ['v1.Container', { ports: [{ containerPort: 80, protocol: 'UDP' }, { containerPort: 80 }] }, ''],
    [
      'meta.orch.io/v1.ObjectMeta',
      { finalizers: ['a', 'b', 'a'] },
      '.finalizers: duplicate entries for key [="a"]',
    ],
    [
      'meta.orch.io/v1.ObjectMeta',
      { finalizers: [null] },
      ".finalizers: element 0: associative list without keys has an element that's an explicit null",
    ],
    [
      'meta.orch.io/v1.ObjectMeta',
      { finalizers: [{}] },
      ".finalizers: element 0: associative list without keys has an element that's a map type",
    ],
    [
      'meta.orch.io/v1.ObjectMeta',
      { finalizers: [['a']] },
      '.finalizers: element 0: not supported: associative list with lists as elements',
    ],
    [
      'v1.ConfigMap',
      { data: { a: 1, b: 2 }, color: 'red' },
      'errors:\n  .data.a: expected string, got &value.valueUnstructured{Value:1}\n  .data.b: expected string, got &value.valueUnstructured{Value:2}\n  .color: field not declared in schema',
    ],
  ];
  for (const [type, value, message] of rows) {
    it(`${type} ${JSON.stringify(value)}: ${message || 'fits'}`, () => {
      expect(messageOf(type, value)).to.equal(message);
    });
  }

  it('stops listing where nobody reads on', () => {
    const data = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index]));
    expect(messageOf('v1.ConfigMap', { data }).split('\n')).to.have.length(101);
  });
});

describe('list items of no identity', () => {
  const duplicates = { finalizers: ['a', 'a'] };
  const meta = view('meta.orch.io/v1.ObjectMeta');

  it('cannot be compared or merged', () => {
    const message = 'duplicate entries in an associative list';
    expect(() => compareTyped(meta, duplicates, { finalizers: ['b'] })).to.throw(TypedError, message);
    expect(() => mergeTyped(meta, duplicates, { finalizers: ['b'] })).to.throw(TypedError, message);
  });

  it('name nothing', () => {
    const service = view('v1.ServiceSpec');
    expect(() => toFieldSet(service, { ports: [{ port: 80 }] })).to.throw(
      TypedError,
      'omits key field "protocol"',
    );
  });
});

describe('keys of list items', () => {
  const compile = (items: object, keys: unknown) =>
    compileCustomApplySchema({
      schema: {
        type: 'object',
        properties: {
          l: { type: 'array', 'x-orch-list-type': 'map', 'x-orch-list-map-keys': keys, items },
        },
      },
      extensionPrefix: 'x-orch-',
      metadata: wholeView,
      apiVersion: 'v1',
      kind: 'Thing',
    }).root;
  const items = {
    type: 'object',
    properties: { name: { type: 'string' }, port: { type: 'integer', default: 80 } },
  };

  it('are filled in by their defaults, and a null counts as null', () => {
    const root = compile(items, ['name', 'port']);
    const first = toFieldSet(root, { l: [{ name: 'a' }] });
    const named = [...(first.children.get('f:l')?.members ?? [])];
    expect(named).to.deep.equal(['k:{"name":"a","port":80}']);
    const odd = toFieldSet(root, { l: [{ name: 'a', port: null }] });
    expect([...(odd.children.get('f:l')?.members ?? [])]).to.deep.equal(['k:{"name":"a","port":null}']);
  });

  it('without any declared key make the list one value', () => {
    const root = compile(items, undefined);
    expect(toFieldSet(root, { l: [{ name: 'a' }] }).members).to.deep.equal(new Set(['f:l']));
  });
});
