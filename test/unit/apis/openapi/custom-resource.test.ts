import { expect } from 'chai';
import type { ServedResource } from '../../../../src/apis/resources/index.ts';
import { type Json, makeDocument } from './support.ts';

const resource: ServedResource = {
  group: 'stable.example.com',
  version: 'v1',
  kind: 'CronTab',
  listKind: 'CronTabList',
  resource: 'crontabs',
  singular: 'crontab',
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [],
};
const schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      properties: {
        cron: { type: 'string', pattern: '^.+$', default: 'x', oneOf: [{ minLength: 1 }] },
        gone: { type: 'string', nullable: true },
        port: { 'x-orch-int-or-string': true },
        any: {
          type: 'object',
          'x-orch-preserve-unknown-fields': true,
          properties: { a: { type: 'string' } },
        },
        list: { type: 'array', items: { type: 'integer' }, 'x-orch-list-type': 'set' },
        map: { type: 'object', additionalProperties: { type: 'boolean' } },
      },
    },
  },
};

describe('custom resources in the document', () => {
  const publish = (given: unknown) => makeDocument('orch', {}, [{ resource, schema: given }]);
  const name = 'com.example.stable.v1.CronTab';

  it('have definitions that say what Swagger can say', () => {
    const { definitions } = publish(schema);
    const { properties, required } = definitions[name];
    expect(required).to.deep.equal(['spec']);
    expect(Object.keys(properties)).to.have.members(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(properties.metadata.$ref).to.match(/ObjectMeta$/);
    expect(properties.spec.properties).to.deep.equal({
      any: { 'x-orch-preserve-unknown-fields': true },
      cron: { type: 'string', pattern: '^.+$' },
      gone: {},
      list: { type: 'array', items: { type: 'integer' }, 'x-orch-list-type': 'set' },
      map: { type: 'object', additionalProperties: { type: 'boolean' } },
      port: { 'x-orch-int-or-string': true },
    });
    expect(definitions[`${name}List`].properties.items.items.$ref).to.equal(`#/definitions/${name}`);
  });

  it('have paths, without the binary encoding and strategic patches', () => {
    const { paths } = publish(schema);
    const item = paths['/apis/stable.example.com/v1/namespaces/{namespace}/crontabs/{name}'];
    expect(item.patch.operationId).to.equal('patchStableExampleComV1NamespacedCronTab');
    expect(item.patch.consumes).to.deep.equal([
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/apply-patch+yaml',
    ]);
    expect(item.get.produces).to.deep.equal(['application/json', 'application/yaml']);
    expect(item.put.consumes).to.deep.equal(['application/json', 'application/yaml']);
    const list = paths['/apis/stable.example.com/v1/namespaces/{namespace}/crontabs'].get;
    expect(list.produces).to.deep.equal(['application/json', 'application/yaml']);
  });

  it('have the parameters that the release tells of: no exports, reads of a version, no `force`', () => {
    const { paths } = publish(schema);
    const item = paths['/apis/stable.example.com/v1/namespaces/{namespace}/crontabs/{name}'];
    const names = (method: string) => item[method].parameters?.map((parameter: Json) => parameter.name);
    expect(names('get')).to.deep.equal(['resourceVersion']);
    expect(names('patch')).to.deep.equal(['body', 'dryRun', 'fieldManager']);
  });

  it('refer to definitions that the document has, in both dialects', () => {
    for (const dialect of ['orch', 'kubernetes'] as const) {
      const subresources = [
        {
          name: 'scale',
          group: 'autoscaling',
          version: 'v1',
          kind: 'Scale',
          verbs: ['get', 'update', 'patch'],
        },
      ];
      const document = makeDocument(dialect, {}, [{ resource: { ...resource, subresources }, schema }]);
      const { paths, definitions } = document;
      const root = '/apis/stable.example.com/v1/namespaces/{namespace}/crontabs';
      expect(paths).to.include.keys(root, `${root}/{name}`, `${root}/{name}/scale`);
      const references = JSON.stringify([
        paths[root],
        paths[`${root}/{name}/scale`],
        definitions[`${name}List`],
      ]);
      const named = [...references.matchAll(/#\/definitions\/([^"]+)/g)].map(
        ([, definition = '']) => definition,
      );
      expect(named.length).to.be.greaterThan(5);
      expect(definitions).to.include.keys(...named);
      expect(definitions[name][`x-${dialect}-group-version-kind`]).to.deep.equal([
        { group: 'stable.example.com', kind: 'CronTab', version: 'v1' },
      ]);
    }
  });

  it('do not require what may be null, which clients take for missing', () => {
    const text = { type: 'string' };
    const properties = { a: { ...text, nullable: true }, b: text };
    const { definitions } = publish({ type: 'object', required: ['a', 'b'], properties });
    expect(definitions[name].required).to.deep.equal(['b']);
    const all = publish({ type: 'object', required: ['a'], properties }).definitions[name];
    expect(all).not.to.have.property('required');
  });

  it('have no type where unknown fields are kept, or where clients would look for items in vain', () => {
    const keeping = { 'x-orch-preserve-unknown-fields': true };
    const items = { type: 'object', properties: { a: { type: 'string' } } };
    const { properties } = publish({
      type: 'object',
      properties: {
        list: { type: 'array', ...keeping, items },
        bare: { type: 'array' },
        map: { type: 'object', additionalProperties: true },
        nothing: { type: 'object', nullable: true, required: ['a'], properties: items.properties },
      },
    }).definitions[name];
    expect(properties).to.deep.include({
      list: keeping,
      bare: {},
      map: { type: 'object', additionalProperties: true },
      nothing: { required: ['a'] },
    });
  });

  it('say what every object has, also of objects in objects, unless these keep unknown fields', () => {
    const embedded = { type: 'object', 'x-orch-embedded-resource': true };
    const a = { a: { type: 'string' } };
    const { properties } = publish({
      type: 'object',
      properties: {
        one: { ...embedded, properties: a, required: ['apiVersion'] },
        list: { type: 'array', items: { ...embedded } },
        map: { type: 'object', additionalProperties: embedded },
        open: { ...embedded, 'x-orch-preserve-unknown-fields': true },
      },
    }).definitions[name];
    expect(Object.keys(properties.one.properties)).to.have.members(['a', 'apiVersion', 'kind', 'metadata']);
    expect(properties.one.required).to.deep.equal(['apiVersion', 'kind']);
    for (const { properties: own, required } of [
      properties.list.items,
      properties.map.additionalProperties,
    ]) {
      expect(own.metadata.$ref).to.match(/ObjectMeta$/);
      expect(required).to.deep.equal(['kind', 'apiVersion']);
    }
    expect(properties.open).to.deep.equal({
      'x-orch-embedded-resource': true,
      'x-orch-preserve-unknown-fields': true,
    });
  });

  it('name what every object has when they name nothing else', () => {
    const definition = publish({ type: 'object' }).definitions[name];
    expect(Object.keys(definition.properties)).to.have.members(['apiVersion', 'kind', 'metadata']);
  });

  it('tell of what every object has in words that tests of clients look for', () => {
    const { definitions } = publish({ type: 'object' });
    const { apiVersion, metadata } = definitions[name].properties;
    expect(apiVersion.description).to.match(/^APIVersion defines /);
    expect(metadata.description).to.match(/^Standard object's metadata/);
    const { creationTimestamp } = definitions['io.orch.apimachinery.pkg.apis.meta.v1.ObjectMeta'].properties;
    expect(creationTimestamp.description).to.match(/^CreationTimestamp is a timestamp /);
  });

  it('keep the words of their authors', () => {
    const description = 'Sets sysctl and ctl of the orch.';
    const { definitions } = makeDocument('kubernetes', {}, [
      { resource, schema: { type: 'object', description, properties: {} } },
    ]);
    expect(definitions[name].description).to.equal(description);
  });

  for (const [what, given] of [
    ['none', undefined],
    ['no map', 'x'],
    [
      'one that keeps everything',
      { type: 'object', description: 'd', 'x-orch-preserve-unknown-fields': true, properties: { a: {} } },
    ],
  ] as const) {
    it(`are objects of any fields when the schema is ${what}`, () => {
      const definition = publish(given).definitions[name];
      const { 'x-orch-group-version-kind': _, ...rest } = definition;
      expect(rest).to.deep.equal({ type: 'object' });
    });
  }

  it('bear schemas nested without end', () => {
    const deep: Record<string, unknown> = { type: 'object' };
    deep.properties = { a: deep };
    expect(publish(deep).definitions[name].properties).to.have.property('a');
  });
});
