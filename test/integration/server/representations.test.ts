import { expect } from 'chai';
import { load } from 'js-yaml';
import { after, before, describe, it } from 'mocha';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { configMap, deployment, inNamespace, pod } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const maps = inNamespace('default', 'configmaps');
const pods = inNamespace('default', 'pods');
const table = 'application/json;as=Table;v=v1;g=meta.orch.io,application/json';

describe('forms of answers', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
    await admin.create(maps, configMap('a', { x: '1', y: '2' }));
    await admin.create(maps, configMap('b'));
  });
  after(() => server.stop());

  it('a table has columns, and a row with cells and metadata for each object', async () => {
    const { body } = await admin.get(maps, { accept: table });
    expect(body.kind).to.equal('Table');
    expect(body.apiVersion).to.equal('meta.orch.io/v1');
    expect(body.columnDefinitions.map(({ name }: JsonObject) => name)).to.deep.equal(['Name', 'Data', 'Age']);
    expect(body.rows.map(({ cells }: JsonObject) => cells.slice(0, 2))).to.deep.equal([
      ['a', 2],
      ['b', 0],
    ]);
    expect(body.rows[0].cells[2]).to.match(/^\d+s$/);
    expect(body.rows[0].object.kind).to.equal('PartialObjectMetadata');
    expect(body.rows[0].object.metadata.name).to.equal('a');
    expect(body.metadata.resourceVersion).to.match(/^\d+$/);
  });

  it('a table shows what an operator wants to see of pods and deployments', async () => {
    await admin.create(pods, pod('p'));
    const path = '/apis/apps/v1/namespaces/default/deployments';
    await admin.create(path, deployment('d', { replicas: 3 }));
    const rowOf = async (target: string): Promise<JsonObject> => {
      const { body } = await admin.get(target, { accept: table });
      const names: string[] = body.columnDefinitions.map(({ name }: JsonObject) => name);
      return Object.fromEntries(names.map((name, at) => [name, body.rows[0].cells[at]]));
    };
    const podRow = await rowOf(`${pods}/p`);
    expect(podRow).to.include({ Name: 'p', Ready: '0/1', Status: 'Pending', IP: '<none>', Node: '<none>' });
    expect(await rowOf(`${path}/d`)).to.include({ Name: 'd', Ready: '0/3', 'Up-to-date': 0, Available: 0 });
  });

  it('a table carries whole objects or none when that is asked for', async () => {
    const whole = await admin.get(`${maps}/a?includeObject=Object`, { accept: table });
    expect(whole.body.rows[0].object.data).to.deep.equal({ x: '1', y: '2' });
    const none = await admin.get(`${maps}/a?includeObject=None`, { accept: table });
    expect(none.body.rows[0].object).to.equal(null);
    expect((await admin.get(`${maps}/a?includeObject=Some`, { accept: table })).code).to.equal(400);
  });

  it('metadata alone can be had of objects and lists', async () => {
    const one = await admin.get(`${maps}/a`, {
      accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.orch.io',
    });
    expect(one.body.kind).to.equal('PartialObjectMetadata');
    expect(one.body).to.have.all.keys(['kind', 'apiVersion', 'metadata']);
    const all = await admin.get(maps, {
      accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.orch.io',
    });
    expect(all.body.kind).to.equal('PartialObjectMetadataList');
    expect(all.body.items.map(({ metadata }: JsonObject) => metadata.name)).to.deep.equal(['a', 'b']);
  });

  it('metadata alone has no annotations of a version', async () => {
    const scalers = (version: string) =>
      `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
    await admin.create(scalers('v2beta2'), {
      kind: 'HorizontalPodAutoscaler',
      apiVersion: 'autoscaling/v2beta2',
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'a' },
        maxReplicas: 2,
        behavior: { scaleUp: { stabilizationWindowSeconds: 10 } },
      },
    });
    const { body } = await admin.get(scalers('v1'));
    expect(Object.keys(body.items[0].metadata.annotations)).to.have.length(1);
    const alone = await admin.get(scalers('v1'), {
      accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.orch.io',
    });
    expect(alone.body.items[0].metadata).not.to.have.property('annotations');
  });

  it('lists of metadata alone do not count what remains, and are null when there is nothing', async () => {
    const form = 'as=PartialObjectMetadataList;v=v1;g=meta.orch.io';
    for (const accept of [`application/json;${form}`, `application/yaml;${form}`]) {
      const read = async (query: string) =>
        load((await admin.get(`${maps}?${query}`, { accept })).text) as JsonObject;
      const page = await read('limit=1');
      expect(page.items).to.have.length(1);
      expect(page.metadata).to.have.all.keys(['resourceVersion', 'continue']);
      for (const query of ['labelSelector=none', 'labelSelector=none&pretty=1'])
        expect(await read(query)).to.have.property('items', null);
    }
  });

  it('YAML says the same as JSON, and is taken too', async () => {
    const json = await admin.get(`${maps}/a`);
    const yaml = await admin.get(`${maps}/a`, { accept: 'application/yaml' });
    expect(yaml.headers['content-type']).to.equal('application/yaml');
    expect(load(yaml.text)).to.deep.equal(json.body);
    expect(yaml.text).to.match(
      /^apiVersion: v1\ndata:\n {2}x: "1"\n {2}"y": "2"\nkind: ConfigMap\nmetadata:\n/,
    );
    const sent =
      'kind: ConfigMap\napiVersion: v1\nmetadata: {name: from-yaml}\ndata:\n  text: |\n    a\n    b\n';
    const { code, body } = await admin.send('POST', maps, { body: sent, contentType: 'application/yaml' });
    expect(code).to.equal(201);
    expect(body.data).to.deep.equal({ text: 'a\nb\n' });
  });

  it('the first form that the server has is chosen; without one the answer is 406', async () => {
    const answer = await admin.get(`${maps}/a`, { accept: 'text/html, application/yaml;q=0.5' });
    expect(answer.headers['content-type']).to.equal('application/yaml');
    const refused = await admin.get(`${maps}/a`, { accept: 'text/html' });
    expect(refused.code).to.equal(406);
    expect(refused.body.message).to.equal('406: Not Acceptable');
    const form = await admin.get(`${maps}/a`, { accept: table.replace('Table', 'Chair').split(',', 1)[0] });
    expect(form.code).to.equal(406);
    expect(form.body.message).to.match(/^only the following media types are accepted: application\/json/);
  });

  it('integers of a type are no fractions in JSON, but may be in YAML and in patches', async () => {
    const body = (name: string) =>
      JSON.stringify({ ...configMap(name), kind: 'PodTemplate', data: undefined }).replace(
        /}$/,
        ',"template":{"spec":{"terminationGracePeriodSeconds":10.0,"containers":[{"name":"c","image":"i","resources":{"limits":{"cpu":1.0}}}]}}}',
      );
    const path = '/api/v1/namespaces/default/podtemplates';
    const { code, body: refused } = await admin.send('POST', path, { body: body('fraction') });
    expect(code).to.equal(400);
    expect(refused.message).to.match(
      /TerminationGracePeriodSeconds: assertInteger: can not decode float as int/,
    );
    const sound = body('quantity').replace('10.0', '10');
    const { template } = await admin.expect('POST', path, { body: sound });
    expect(template.spec.containers[0].resources.limits).to.deep.equal({ cpu: '1' });
    const contentType = 'application/yaml';
    const made = await admin.expect('POST', path, { body: body('fraction'), contentType });
    expect(made.template.spec.terminationGracePeriodSeconds).to.equal(10);
    const patch = '{"template":{"spec":{"terminationGracePeriodSeconds":20.0}}}';
    const patched = await admin.expect('PATCH', `${path}/fraction`, {
      body: patch,
      contentType: 'application/merge-patch+json',
    });
    expect(patched.template.spec.terminationGracePeriodSeconds).to.equal(20);
  });

  it('bodies of other types are refused with 415', async () => {
    const created = await admin.send('POST', maps, { body: 'kind=ConfigMap', contentType: 'text/plain' });
    expect(created.code).to.equal(415);
    expect(created.body.reason).to.equal('UnsupportedMediaType');
    const patched = await admin.send('PATCH', `${maps}/a`, { body: {}, contentType: 'application/json' });
    expect(patched.code).to.equal(415);
  });

  it('bodies up to 3 MiB are read, larger ones refused with 413', async () => {
    const limit = 3 * 1024 * 1024;
    const valid = JSON.stringify(configMap('wide'));
    const atLimit = await admin.send('POST', maps, { body: valid + ' '.repeat(limit - valid.length) });
    expect(atLimit.code).to.equal(201);
    const above = await admin.send('POST', maps, { body: valid + ' '.repeat(limit - valid.length + 1) });
    expect(above.code).to.equal(413);
    expect(above.body.reason).to.equal('RequestEntityTooLarge');
    const deletion = await admin.send('DELETE', `${maps}/wide`, { body: ' '.repeat(limit + 1) });
    expect(deletion.code).to.equal(413);
    expect((await admin.get(`${maps}/wide`)).code).to.equal(200);
  });

  it('pages of a list show one moment, whatever happens in between', async () => {
    const namespace = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'paged' } };
    await admin.create('/api/v1/namespaces', namespace);
    const path = inNamespace('paged', 'configmaps');
    for (let n = 0; n < 10; n++) await admin.create(path, configMap(`m-${n}`));
    const first = (await admin.get(`${path}?limit=4`)).body;
    expect(first.metadata.remainingItemCount).to.equal(6);
    await admin.expect('DELETE', `${path}/m-7`);
    await admin.create(path, configMap('m-55'));
    const names = first.items.map(({ metadata }: JsonObject) => metadata.name);
    let token = first.metadata.continue as string | undefined;
    while (token !== undefined) {
      const { metadata, items } = (await admin.get(`${path}?limit=4&continue=${token}`)).body;
      expect(metadata.resourceVersion).to.equal(first.metadata.resourceVersion);
      names.push(...items.map((item: JsonObject) => item.metadata.name));
      token = metadata.continue;
    }
    expect(names).to.deep.equal(Array.from({ length: 10 }, (_, n) => `m-${n}`));
  });
});
