import { expect } from 'chai';
import { type CustomResource, encodeGroupVersion } from '../../../../src/apis/openapi/index.ts';
import type { Dialect } from '../../../../src/machinery/dialect.ts';
import { type Json, makeDocument, makeSources } from './support.ts';

function makeVersion(
  dialect: Dialect['name'],
  group: string,
  version: string,
  customs: readonly CustomResource[] = [],
): Json {
  const pieces = [...encodeGroupVersion(makeSources(dialect), { group, version, customs })];
  return JSON.parse(Buffer.concat(pieces).toString());
}

const methodsOf = (item: Json): string[] => Object.keys(item).filter((name) => name !== 'parameters');

describe('encodeGroupVersion', () => {
  for (const dialect of ['orch', 'kubernetes'] as const) {
    const sources = makeSources(dialect);
    const whole = makeDocument(dialect);
    for (const { name: group, versions } of sources.table.groups) {
      for (const version of versions) {
        it(`tells of ${group} ${version} what the document of everything does (${dialect})`, () => {
          const document = makeVersion(dialect, group, version);
          const root = group === '' ? `/api/${version}/` : `/apis/${group}/${version}/`;
          const known = Object.keys(whole.paths).filter((path) => path.startsWith(root));
          expect(Object.keys(document.paths)).to.deep.equal(known);
          for (const path of known) {
            const item = document.paths[path];
            expect(methodsOf(item), path).to.deep.equal(methodsOf(whole.paths[path]));
            for (const method of methodsOf(item))
              expect(item[method].operationId).to.equal(whole.paths[path][method].operationId);
          }
          const text = JSON.stringify(document);
          expect(text).not.to.include('#/definitions/');
          const named = [...text.matchAll(/#\/components\/schemas\/([^"]+)/g)].map(([, name = '']) => name);
          const { schemas } = document.components;
          expect(schemas).to.include.keys(...named);
          for (const [name, schema] of Object.entries<Json>(schemas)) {
            const { properties = {}, required } = whole.definitions[name];
            expect(Object.keys(schema.properties ?? {}), name).to.deep.equal(Object.keys(properties));
            expect(schema.required, name).to.deep.equal(required);
          }
        });
      }
    }
  }

  const { paths, components } = makeVersion('orch', 'apps', 'v1');
  const one = paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'];
  const deployment = { schema: { $ref: '#/components/schemas/io.orch.api.apps.v1.Deployment' } };
  const allTypes = {
    'application/json': deployment,
    'application/yaml': deployment,
    'application/vnd.orch.protobuf': deployment,
  };

  it('has bodies, answers and parameters where OpenAPI 3 has them', () => {
    expect(one.put.requestBody).to.deep.equal({ content: { '*/*': deployment }, required: true });
    expect(one.put.responses).to.deep.equal({
      200: { description: 'OK', content: allTypes },
      201: { description: 'Created', content: allTypes },
      401: { description: 'Unauthorized' },
    });
    expect(one.put.parameters.map(({ name }: Json) => name)).to.deep.equal(['dryRun', 'fieldManager']);
    expect(one.parameters[0]).to.deep.equal({
      name: 'name',
      in: 'path',
      description: 'name of the Deployment',
      required: true,
      schema: { type: 'string', uniqueItems: true },
    });
    expect(one.delete.requestBody).not.to.have.property('required');
    expect(Object.keys(one.patch.requestBody.content)).to.include('application/apply-patch+yaml');
    for (const member of ['consumes', 'produces', 'schemes']) expect(one.put).not.to.have.property(member);
  });

  it('says beside a reference what OpenAPI 3 would not see there', () => {
    const { spec } = components.schemas['io.orch.api.apps.v1.Deployment'].properties;
    expect(spec).to.deep.equal({
      description: spec.description,
      allOf: [{ $ref: '#/components/schemas/io.orch.api.apps.v1.DeploymentSpec' }],
    });
    expect(spec.description).to.be.a('string');
  });

  it('knows values of more than one type', () => {
    const forms = ['util.intstr.IntOrString', 'api.resource.Quantity'].map((name) => {
      const { description: _, ...form } = components.schemas[`io.orch.apimachinery.pkg.${name}`];
      return form;
    });
    expect(forms).to.deep.equal([
      { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
      { oneOf: [{ type: 'string' }, { type: 'number' }] },
    ]);
  });

  it('keeps all that the schema of a custom resource says', () => {
    const resource = {
      group: 'example.com',
      version: 'v1',
      kind: 'A',
      listKind: 'AList',
      resource: 'as',
      singular: 'a',
      shortNames: [],
      categories: [],
      namespaced: true,
      verbs: ['get', 'list'],
      subresources: [],
    };
    const port = { 'x-orch-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] };
    const spec = { type: 'object', nullable: true, properties: { port }, additionalProperties: false };
    const schema = { type: 'object', required: ['spec'], properties: { spec, metadata: { type: 'object' } } };
    const { schemas } = makeVersion('orch', 'example.com', 'v1', [{ resource, schema }]).components;
    const { properties, required } = schemas['com.example.v1.A'];
    expect({ spec: properties.spec, required }).to.deep.equal({ spec, required: ['spec'] });
    expect(properties).to.have.all.keys('apiVersion', 'kind', 'metadata', 'spec');
    expect(properties.metadata.allOf[0].$ref).to.match(/v1\.ObjectMeta$/);
    expect(schemas['com.example.v1.AList'].properties.items.items.$ref).to.match(/com\.example\.v1\.A$/);
  });
});
