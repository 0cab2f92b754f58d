import { expect } from 'chai';
import type { JsonObject } from '../../support/api-client.ts';
import { untilEstablished, widgetDefinition } from '../../support/definitions.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const size = { type: 'integer' };
const spec = { type: 'object', properties: { size } };
const inSpec = (schema: JsonObject): JsonObject => ({ type: 'object', properties: { spec: schema } });

/** Finalizers are a set where types are known, and one whole where they are not. */
const rows: readonly (readonly [title: string, schema: JsonObject | undefined, isKnown: boolean])[] = [
  ['says nothing of values', inSpec(spec), true],
  ['has anyOf', inSpec({ anyOf: [spec, { type: 'string' }] }), true],
  ['has oneOf', inSpec({ ...spec, oneOf: [{ required: ['size'] }] }), true],
  ['has allOf', inSpec({ ...spec, allOf: [{ required: ['size'] }] }), true],
  ['has not', inSpec({ ...spec, not: { required: ['other'] } }), true],
  [
    'has a field that may be null',
    inSpec({ type: 'object', properties: { size: { ...size, nullable: true } } }),
    true,
  ],
  ['has a list of anything', inSpec({ type: 'object', properties: { size, all: { type: 'array' } } }), false],
  [
    'has a number that may be a text',
    inSpec({ type: 'object', properties: { size: { 'x-orch-int-or-string': true } } }),
    false,
  ],
  ['is not there', undefined, false],
];

describe('configurations of a definition whose schema', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.stop());

  for (const [at, [title, openAPIV3Schema, isKnown]] of rows.entries()) {
    it(`${title}: ${isKnown ? 'keep what others add to a set' : 'know no sets'}`, async () => {
      const { admin } = server;
      const group = `applied-${at}.example.com`;
      const definition = widgetDefinition(group, {
        version: 'v1',
        versions: undefined,
        ...(openAPIV3Schema && { validation: { openAPIV3Schema } }),
      });
      definition.apiVersion = 'apiextensions.orch.io/v1beta1';
      await admin.create('/apis/apiextensions.orch.io/v1beta1/customresourcedefinitions', definition);
      await untilEstablished(admin, `widgets.${group}`);
      const path = `/apis/${group}/v1/namespaces/default/widgets/w`;
      const patch = (contentType: string, body: JsonObject) =>
        admin.send('PATCH', `${path}?fieldManager=m`, { body, contentType });
      const apply = () =>
        patch('application/apply-patch+yaml', {
          apiVersion: `${group}/v1`,
          kind: 'Widget',
          metadata: { name: 'w', finalizers: ['example.com/a'] },
          spec: { size: 1 },
        });
      const merge = (body: JsonObject) => patch('application/merge-patch+json', body);
      expect((await apply()).code).to.equal(201);
      await merge({ metadata: { finalizers: ['example.com/a', 'example.com/b'] } });
      const again = await apply();
      expect(again.code, again.text).to.equal(isKnown ? 200 : 409);
      if (isKnown) expect(again.body.metadata.finalizers).to.have.length(2);
      else await merge({ metadata: { finalizers: ['example.com/a'] } });
      await merge({ spec: { size: 5 } });
      const { body } = await apply();
      expect(body.details?.causes?.map(({ field }: JsonObject) => field)).to.deep.equal(['.spec.size']);
    });
  }

  it('does not allow null: are refused with one, which others lose', async () => {
    const { admin } = server;
    const group = 'nulls.example.com';
    const schema = { openAPIV3Schema: inSpec(spec) };
    const definition = widgetDefinition(group, { version: 'v1', versions: undefined, validation: schema });
    definition.apiVersion = 'apiextensions.orch.io/v1beta1';
    await admin.create('/apis/apiextensions.orch.io/v1beta1/customresourcedefinitions', definition);
    await untilEstablished(admin, `widgets.${group}`);
    const widgets = `/apis/${group}/v1/namespaces/default/widgets`;
    const metadata = { name: 'w' };
    const body = { apiVersion: `${group}/v1`, kind: 'Widget', metadata, spec: { size: null } };
    const apply = () =>
      admin.send('PATCH', `${widgets}/w?fieldManager=m`, {
        body,
        contentType: 'application/apply-patch+yaml',
      });
    for (const [code, answered] of [
      [422, await apply()],
      [201, await admin.send('POST', widgets, { body })],
      [422, await apply()],
    ] as const) {
      expect(answered.code, answered.text).to.equal(code);
      if (code === 201) expect(answered.body.spec).to.deep.equal({});
      else expect(answered.body.details.causes[0].field).to.equal('spec.size');
    }
  });
});
