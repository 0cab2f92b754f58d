import { expect } from 'chai';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { serializeFieldSet } from '../../../../src/machinery/apply/fieldpath/fields-v1.ts';
import { createApplySchemaCompiler } from '../../../../src/machinery/apply/typed/compile-views.ts';
import { compileCustomApplySchema } from '../../../../src/machinery/apply/typed/custom-views.ts';
import { toFieldSet } from '../../../../src/machinery/apply/typed/to-field-set.ts';
import {
  granularView,
  memberView,
  resolveView,
  type View,
  wholeView,
} from '../../../../src/machinery/apply/typed/view.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const catalog = createTypeCatalog(orchDialect);
const compiler = createApplySchemaCompiler(catalog);

/** A view in short: `string`, `atomic list of any`, `map by containerPort, protocol of struct`, ... */
function describeView(view: View | undefined): string {
  if (view === undefined) return 'none';
  switch (view.kind) {
    case 'scalar':
      return view.scalar;
    case 'any':
      return view.isGranular ? 'granular' : 'whole';
    case 'list': {
      const keys = view.keys.length === 0 ? '' : ` by ${view.keys.join(', ')}`;
      return `${view.relation} list${keys} of ${describeView(view.element)}`;
    }
    case 'map': {
      const name = view.fields().size > 0 ? 'struct' : `map of ${describeView(view.element)}`;
      return view.isAtomic ? `atomic ${name}` : name;
    }
  }
}

function viewAt(root: View, path: string): View | undefined {
  let view: View | undefined = root;
  for (const name of path.split('.').filter((step) => step !== '')) {
    if (view?.kind === 'list') view = view.element;
    view = view?.kind === 'map' ? memberView(view, name) : undefined;
  }
  return view;
}

describe('views of built-in types', () => {
  const rows: readonly (readonly [type: string, path: string, view: string])[] = [
    ['v1.ConfigMap', '', 'struct'],
    ['v1.ConfigMap', 'data', 'map of string'],
    ['v1.ConfigMap', 'data.anything', 'string'],
    ['v1.ConfigMap', 'binaryData', 'map of string'],
    ['v1.ConfigMap', 'immutable', 'boolean'],
    ['v1.ConfigMap', 'nothing', 'none'],
    ['v1.ConfigMap', 'metadata.labels', 'map of string'],
    ['v1.ConfigMap', 'metadata.finalizers', 'set list of string'],
    ['v1.ConfigMap', 'metadata.ownerReferences', 'map list by uid of struct'],
    ['v1.ConfigMap', 'metadata.creationTimestamp', 'untyped'],
    ['v1.ConfigMap', 'metadata.generation', 'numeric'],
    ['v1.Pod', 'spec.containers', 'map list by name of struct'],
    ['v1.Pod', 'spec.containers.ports', 'map list by containerPort, protocol of struct'],
    ['v1.Pod', 'spec.containers.env', 'map list by name of struct'],
    ['v1.Pod', 'spec.containers.args', 'atomic list of string'],
    ['v1.Pod', 'spec.containers.volumeMounts', 'map list by mountPath of struct'],
    ['v1.Pod', 'spec.containers.resources.limits', 'map of string'],
    ['v1.Pod', 'spec.containers.livenessProbe.httpGet.port', 'untyped'],
    ['v1.Pod', 'spec.tolerations', 'atomic list of struct'],
    ['v1.Pod', 'spec.volumes', 'map list by name of struct'],
    ['v1.Pod', 'spec.imagePullSecrets', 'map list by name of struct'],
    ['v1.Pod', 'spec.topologySpreadConstraints', 'map list by topologyKey, whenUnsatisfiable of struct'],
    ['v1.Pod', 'spec.hostAliases', 'map list by ip of struct'],
    ['v1.Pod', 'status.conditions', 'map list by type of struct'],
    ['v1.Pod', 'status.podIPs', 'map list by ip of struct'],
    ['v1.Service', 'spec.ports', 'map list by port, protocol of struct'],
    ['v1.Service', 'spec.selector', 'map of string'],
    ['apps/v1.Deployment', 'spec.replicas', 'numeric'],
    ['apps/v1.Deployment', 'spec.strategy.rollingUpdate.maxSurge', 'untyped'],
    ['v1.Secret', 'data', 'map of string'],
    ['v1.LimitRange', 'spec.limits', 'atomic list of struct'],
    ['rbac.authorization.orch.io/v1.ClusterRole', 'rules', 'atomic list of struct'],
    [
      'apiextensions.orch.io/v1.CustomResourceDefinition',
      'spec.versions.schema.openAPIV3Schema.items',
      'whole',
    ],
  ];
  for (const [type, path, view] of rows) {
    it(`${type} ${path || 'itself'} is ${view}`, () => {
      expect(describeView(viewAt(compiler.compile(catalog.type(type)).root, path))).to.equal(view);
    });
  }

  it('are made once for all types that share a part', () => {
    const pod = viewAt(compiler.viewOf('v1.Pod'), 'metadata');
    expect(pod).to.equal(viewAt(compiler.viewOf('v1.ConfigMap'), 'metadata'));
  });

  it('start from what an empty object has', () => {
    expect(compiler.compile(catalog.type('v1.ConfigMap')).emptyObject()).to.deep.equal({
      metadata: { creationTimestamp: null },
    });
  });
});

describe('views of custom resources', () => {
  const compile = (schema: unknown, preservesUnknownFields = false) =>
    compileCustomApplySchema({
      schema,
      extensionPrefix: 'x-orch-',
      metadata: wholeView,
      preservesUnknownFields,
      apiVersion: 'example.com/v1',
      kind: 'Thing',
    });
  const spec = (schema: object): View | undefined =>
    viewAt(compile({ type: 'object', properties: { spec: schema } }).root, 'spec');
  const text = { type: 'string' };

  const rows: readonly (readonly [schema: object, view: string])[] = [
    [{ type: 'integer' }, 'numeric'],
    [{ type: 'number' }, 'numeric'],
    [{ type: 'boolean' }, 'boolean'],
    [{ type: 'string' }, 'string'],
    [{ type: 'string', format: '' }, 'string'],
    [{ type: 'string', format: 'byte' }, 'string'],
    [{ type: 'string', format: 'date-time' }, 'untyped'],
    [{ type: 'string', 'x-orch-int-or-string': true }, 'untyped'],
    [{ 'x-orch-int-or-string': true }, 'untyped'],
    [{ type: 'object' }, 'map of whole'],
    [{ type: 'object', additionalProperties: text }, 'map of string'],
    [{ type: 'object', additionalProperties: text, 'x-orch-map-type': 'atomic' }, 'atomic map of string'],
    [{ type: 'object', additionalProperties: true }, 'map of whole'],
    [{ type: 'object', properties: { a: text } }, 'struct'],
    [{ type: 'object', properties: { a: text }, 'x-orch-map-type': 'atomic' }, 'atomic struct'],
    [{ type: 'object', properties: { a: text }, 'x-orch-map-type': 'granular' }, 'struct'],
    [{ type: 'object', 'x-orch-embedded-resource': true }, 'struct'],
    [{ properties: { a: text } }, 'struct'],
    [{}, 'whole'],
    [{ type: 'array', items: text }, 'atomic list of string'],
    [{ type: 'array' }, 'atomic list of whole'],
    [{ type: 'array', items: text, 'x-orch-list-type': 'atomic' }, 'atomic list of string'],
    [{ type: 'array', items: text, 'x-orch-list-type': 'set' }, 'set list of string'],
    [
      {
        type: 'array',
        items: { type: 'object', properties: { a: text } },
        'x-orch-list-type': 'map',
        'x-orch-list-map-keys': ['a', 5, 'b'],
      },
      'map list by a, b of struct',
    ],
    [{ type: 'array', items: text, 'x-orch-list-type': 'map' }, 'atomic list of string'],
  ];
  for (const [schema, view] of rows) {
    it(`${JSON.stringify(schema)} is ${view}`, () => expect(describeView(spec(schema))).to.equal(view));
  }

  it('have an embedded resource with its own version, kind and metadata', () => {
    const embedded = spec({ type: 'object', 'x-orch-embedded-resource': true, properties: { a: text } });
    const members = embedded?.kind === 'map' ? [...embedded.fields().keys()] : [];
    expect(members).to.have.members(['a', 'apiVersion', 'kind', 'metadata']);
  });

  it('have metadata of every object, whatever the schema says of it', () => {
    const { root } = compile({
      type: 'object',
      properties: { metadata: { type: 'string' }, kind: { type: 'integer' } },
    });
    expect(viewAt(root, 'metadata')).to.equal(wholeView);
    expect(describeView(viewAt(root, 'kind'))).to.equal('string');
  });

  it('take undeclared fields apart below what keeps unknown ones', () => {
    const keeping = {
      type: 'object',
      'x-orch-preserve-unknown-fields': true,
      properties: { n: { type: 'integer' }, free: {} },
    };
    const { root } = compile({
      type: 'object',
      properties: { spec: keeping, other: { type: 'object', properties: {} } },
    });
    expect(viewAt(root, 'spec.unknown')).to.equal(granularView);
    expect(describeView(viewAt(root, 'spec.n'))).to.equal('numeric');
    expect(viewAt(root, 'spec.free')).to.equal(granularView);
    expect(viewAt(root, 'other.unknown')).to.equal(undefined);
    expect(serializeFieldSet(toFieldSet(root, { spec: { a: { b: 1 }, c: [1] } }))).to.deep.equal({
      'f:spec': { 'f:a': { '.': {}, 'f:b': {} }, 'f:c': {} },
    });
  });

  for (const [title, schema, keeps] of [
    ['without a schema', undefined, false],
    ['whose definition keeps unknown fields', { type: 'object' }, true],
  ] as const) {
    it(`${title} are all undeclared`, () => {
      const { root, emptyObject } = compile(schema, keeps);
      expect(viewAt(root, 'spec')).to.equal(granularView);
      expect(emptyObject()).to.deep.equal({ apiVersion: 'example.com/v1', kind: 'Thing' });
    });
  }
});

describe('resolveView', () => {
  const rows: readonly (readonly [View, unknown, string])[] = [
    [wholeView, { a: 1 }, 'atomic map of whole'],
    [wholeView, null, 'atomic map of whole'],
    [wholeView, [1], 'atomic list of whole'],
    [wholeView, 'x', 'untyped'],
    [granularView, { a: 1 }, 'map of granular'],
    [granularView, undefined, 'map of granular'],
    [granularView, [], 'atomic list of whole'],
    [granularView, 5, 'untyped'],
  ];
  for (const [view, value, resolved] of rows) {
    it(`sees ${JSON.stringify(value)} of a ${describeView(view)} value as ${resolved}`, () => {
      expect(describeView(resolveView(view, value))).to.equal(resolved);
    });
  }

  it('leaves a declared view as it is', () => {
    const declared = compiler.viewOf('v1.ConfigMap');
    expect(resolveView(declared, 'anything')).to.equal(declared);
  });
});
