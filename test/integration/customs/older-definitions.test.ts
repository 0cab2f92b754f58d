import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { conditionOf, untilEstablished, widget } from '../../support/definitions.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const betaPath = '/apis/apiextensions.orch.io/v1beta1/customresourcedefinitions';
const stablePath = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';

/** A definition in the words of the older version: what later stands in each version stands at the top. */
const betaDefinition = (group: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'apiextensions.orch.io/v1beta1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}`, ...metadata },
  spec: { group, version: 'v1', scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget' }, ...spec },
});

describe('definitions of the older version', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
  });
  after(() => server.stop());

  const establish = async (group: string, spec: JsonObject = {}): Promise<JsonObject> => {
    const answer = await admin.send('POST', betaPath, { body: betaDefinition(group, spec) });
    expect(answer.code, answer.text).to.equal(201);
    return untilEstablished(admin, `widgets.${group}`);
  };
  const objectsOf = (group: string, version = 'v1'): string =>
    `/apis/${group}/${version}/namespaces/default/widgets`;

  it('serve what stands at their top: columns, subresources, schema', async () => {
    const group = 'top.example.com';
    const definition = await establish(group, {
      preserveUnknownFields: false,
      validation: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: { type: 'object', properties: { replicas: { type: 'integer', maximum: 9 } } },
            status: { type: 'object', properties: { replicas: { type: 'integer' } } },
          },
        },
      },
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
      additionalPrinterColumns: [{ name: 'Replicas', type: 'integer', JSONPath: '.spec.replicas' }],
    });
    expect(definition.spec.versions[0]).to.include.keys('schema', 'subresources', 'additionalPrinterColumns');
    const path = objectsOf(group);
    const body = widget(group, 'a', { spec: { replicas: 2, odd: 1 }, status: { replicas: 5 } });
    const created = await admin.create(path, body);
    expect([created.spec, created.status]).to.deep.equal([{ replicas: 2 }, undefined]);
    expect(
      (await admin.send('POST', path, { body: widget(group, 'b', { spec: { replicas: 10 } }) })).code,
    ).to.equal(422);
    const contentType = 'application/merge-patch+json';
    await admin.expect('PATCH', `${path}/a/scale`, { contentType, body: { spec: { replicas: 7 } } });
    const accept = { accept: 'application/json;as=Table;v=v1;g=meta.orch.io' };
    const table = (await admin.get(path, accept)).body;
    expect(table.columnDefinitions.map(({ name }: JsonObject) => name)).to.deep.equal(['Name', 'Replicas']);
    expect(table.rows[0].cells).to.deep.equal(['a', 7]);
  });

  it('keep unknown fields unless they say otherwise, in all versions, and are read by the newer one', async () => {
    const group = 'keeps.example.com';
    const definition = await establish(group, {
      version: undefined,
      versions: [
        { name: 'v1', served: true, storage: true },
        { name: 'v2', served: true, storage: false },
      ],
    });
    expect(definition.spec.preserveUnknownFields).to.equal(true);
    expect(conditionOf(definition, 'NonStructuralSchema')).to.include({
      status: 'True',
      message: 'spec.preserveUnknownFields: Invalid value: true: must be false',
    });
    await admin.create(objectsOf(group), widget(group, 'a', { any: { thing: [1, null] }, spec: 'text' }));
    const { body } = await admin.get(`${objectsOf(group, 'v2')}/a`);
    expect(body).to.deep.include({ apiVersion: `${group}/v2`, any: { thing: [1, null] }, spec: 'text' });
  });

  it('say why a schema is not structural, serve it all the same, and say so no more once it is', async () => {
    const group = 'loose.example.com';
    const loose = { properties: { spec: { properties: { size: { type: 'integer', minimum: 1 } } } } };
    await establish(group, { validation: { openAPIV3Schema: loose } });
    const name = `widgets.${group}`;
    const condition = async () =>
      conditionOf((await admin.get(`${stablePath}/${name}`)).body, 'NonStructuralSchema');
    const told = await eventually(condition);
    expect(told).to.include({ status: 'True', reason: 'Violations' });
    const at = 'spec.versions[0].schema.openAPIV3Schema';
    expect(told.message).to.include(`${at}.type: Required value: must not be empty at the root`);
    expect(told.message).to.include(`${at}.properties[spec].type: Required value`);
    const path = objectsOf(group);
    const kept = await admin.create(path, widget(group, 'a', { spec: { size: 1, odd: 1 } }));
    expect(kept.spec).to.deep.equal({ odd: 1, size: 1 });
    expect(
      (await admin.send('POST', path, { body: widget(group, 'b', { spec: { size: 0 } }) })).code,
    ).to.equal(422);

    const { body } = await admin.get(`${betaPath}/${name}`);
    body.spec.preserveUnknownFields = false;
    body.spec.validation.openAPIV3Schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
    };
    await admin.expect('PUT', `${betaPath}/${name}`, { body });
    await eventually(async () => ((await condition()) === undefined ? true : undefined));
  });

  it('need no approval in protected groups, and say whether they have one', async () => {
    const group = 'widgets.orch.io';
    const approval = 'api-approved.orch.io';
    const cases: readonly (readonly [string | undefined, string, string])[] = [
      [undefined, 'False', 'MissingAnnotation'],
      ['unapproved, a trial', 'False', 'UnapprovedAnnotation'],
      ['https://example.com/approval/1', 'True', 'ApprovedAnnotation'],
    ];
    for (const [note, status, reason] of cases) {
      const annotations = note === undefined ? {} : { [approval]: note };
      const definition = betaDefinition(group, {}, { annotations });
      const answer = await admin.send('POST', betaPath, { body: definition });
      expect(answer.code, answer.text).to.equal(201);
      const settled = await untilEstablished(admin, definition.metadata.name);
      expect(conditionOf(settled, 'OrchAPIApprovalPolicyConformant')).to.include({ status, reason });
      await admin.expect('DELETE', `${betaPath}/${definition.metadata.name}`);
      await eventually(async () => {
        const { code } = await admin.get(`${betaPath}/${definition.metadata.name}`);
        return code === 404 ? true : undefined;
      });
    }
  });
});
