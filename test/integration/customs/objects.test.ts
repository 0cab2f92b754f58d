import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import {
  definitionsPath,
  establish,
  openVersion,
  widget,
  widgetDefinition,
} from '../../support/definitions.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const group = 'objects.example.com';
const path = `/apis/${group}/v1/namespaces/default/widgets`;
const merge = 'application/merge-patch+json';

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', minimum: 0 },
        mode: { type: 'string', default: 'A' },
        big: { type: 'integer' },
        limits: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
    status: { type: 'object', properties: { ready: { type: 'integer' }, selector: { type: 'string' } } },
  },
};
const subresources = {
  status: {},
  scale: {
    specReplicasPath: '.spec.size',
    statusReplicasPath: '.status.ready',
    labelSelectorPath: '.status.selector',
  },
};
const versions = [
  openVersion('v1', {
    schema: { openAPIV3Schema: schema },
    subresources,
    additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
  }),
  openVersion('v1beta1', { storage: false, deprecated: true }),
];

describe('custom resources', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
    await establish(admin, widgetDefinition(group, { versions }));
  });
  after(() => server.stop());

  const create = (name: string, more: JsonObject = {}): Promise<JsonObject> =>
    admin.create(path, widget(group, name, more));

  it('are written with sorted members, defaults, and without what the schema does not know', async () => {
    const body = { ...widget(group, 'sorted'), zebra: 1, spec: { size: 3, nope: true, big: 7 } };
    const { text } = await admin.send('POST', path, { body });
    const { uid, resourceVersion, creationTimestamp } = JSON.parse(text).metadata;
    const { managedFields } = JSON.parse(text).metadata;
    const metadata = {
      creationTimestamp,
      generation: 1,
      managedFields,
      name: 'sorted',
      namespace: 'default',
    };
    const expected = {
      apiVersion: `${group}/v1`,
      kind: 'Widget',
      metadata: { ...metadata, resourceVersion, uid },
      spec: { big: 7, mode: 'A', size: 3 },
    };
    expect(text).to.equal(`${JSON.stringify(expected)}\n`);
    expect((await admin.get(`${path}/sorted`)).text).to.equal(text);
  });

  it('keep the digits of whole numbers of 64 bits', async () => {
    const text = `{"apiVersion":"${group}/v1","kind":"Widget","metadata":{"name":"digits"},"spec":{"big":9007199254740993}}`;
    const created = await admin.send('POST', path, { body: text, contentType: 'application/json' });
    expect(created.text).to.contain('"big":9007199254740993');
    const patched = await admin.send('PATCH', `${path}/digits`, {
      body: { spec: { size: 1 } },
      contentType: merge,
    });
    expect(patched.text).to.contain('"big":9007199254740993');
  });

  it('have no number beyond all doubles', async () => {
    const message = 'strconv.ParseFloat: parsing "1e400": value out of range';
    const bodyOf = (name: string) =>
      `{"apiVersion":"${group}/v1","kind":"Widget","metadata":{"name":"${name}"},"spec":{"big":1e400}}`;
    const contentType = 'application/json';
    const created = await admin.send('POST', path, { body: bodyOf('beyond'), contentType });
    expect([created.code, created.body.message]).to.satisfy(
      ([code, text]: [number, string]) => code === 400 && text.includes(message),
    );
    await create('bounded');
    const patched = await admin.send('PATCH', `${path}/bounded`, {
      body: '{"spec":{"big":1e400}}',
      contentType: merge,
    });
    expect([patched.code, patched.body.message]).to.satisfy(
      ([code, text]: [number, string]) => code === 422 && text.includes(message),
    );
  });

  it('are checked by the schema, then by what their scale needs', async () => {
    const { code, body } = await admin.send('POST', path, {
      body: widget(group, 'bad', { spec: { size: -1 } }),
    });
    expect(code).to.equal(422);
    expect(body.message).to.equal(
      `Widget.${group} "bad" is invalid: [spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0, .spec.size: Invalid value: -1: should be a non-negative integer]`,
    );
  });

  it('are of the kind that the path says, and say so', async () => {
    const send = (body: JsonObject) => admin.send('POST', path, { body });
    const other = await send({ ...widget(group, 'x'), kind: 'Other' });
    expect([other.code, other.body.message]).to.deep.equal([
      422,
      `Other.${group} "x" is invalid: kind: Invalid value: "Other": must be Widget`,
    ]);
    const version = await send({ ...widget(group, 'x'), apiVersion: `${group}/v9` });
    expect(version.body.message).to.equal(
      `the API version in the data (${group}/v9) does not match the expected API version (${group}/v1)`,
    );
    const { kind: _, ...nameless } = widget(group, 'x');
    expect((await send(nameless)).body.message).to.contain("Object 'Kind' is missing in");
  });

  it('count generations of all but metadata and status, which has a way of its own', async () => {
    await create('life', { spec: { size: 1 }, status: { ready: 9 } });
    const generation = async () => (await admin.get(`${path}/life`)).body.metadata.generation;
    expect((await admin.get(`${path}/life`)).body.status).to.equal(undefined);
    await admin.send('PATCH', `${path}/life`, {
      body: { metadata: { labels: { a: 'b' } } },
      contentType: merge,
    });
    expect(await generation()).to.equal(1);
    await admin.send('PATCH', `${path}/life`, { body: { spec: { size: 2 } }, contentType: merge });
    expect(await generation()).to.equal(2);
    const body = { spec: { size: 5 }, status: { ready: 1, selector: 'a=b' } };
    const { body: written } = await admin.send('PATCH', `${path}/life/status`, { body, contentType: merge });
    expect(written.spec.size).to.equal(2);
    expect(written.status).to.deep.equal({ ready: 1, selector: 'a=b' });
    expect(await generation()).to.equal(2);
    const { body: scale } = await admin.get(`${path}/life/scale`);
    expect([scale.kind, scale.spec, scale.status]).to.deep.equal([
      'Scale',
      { replicas: 2 },
      { replicas: 1, selector: 'a=b' },
    ]);
    await admin.expect('PUT', `${path}/life/scale`, { body: { ...scale, spec: { replicas: 4 } } });
    for (const misfit of [{ spec: { replicas: 'x' } }, { kind: 'Widget' }]) {
      const { code, body } = await admin.send('PUT', `${path}/life/scale`, { body: { ...scale, ...misfit } });
      expect([code, body.message]).to.deep.equal([
        400,
        'no kind is registered for the type v1.Scale in scheme "orch.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go:688"',
      ]);
    }
    expect((await admin.get(`${path}/life`)).body.spec.size).to.equal(4);
    expect(await generation()).to.equal(3);
  });

  it('count a generation when a text changes that would be the same amount', async () => {
    await create('amounts', { spec: { limits: { memory: '1Ki' } } });
    const body = { spec: { limits: { memory: '1024' } } };
    const { body: written } = await admin.send('PATCH', `${path}/amounts`, { body, contentType: merge });
    expect(written.metadata.generation).to.equal(2);
  });

  it('are shown sorted where patches take away what they are', async () => {
    await create('nameless', { spec: { size: 1 } });
    const causeOf = async (body: JsonObject, subresource = '') => {
      const at = `${path}/nameless${subresource}`;
      const answer = await admin.send('PATCH', at, { body, contentType: merge });
      expect(answer.code).to.equal(422);
      return answer.body.details.causes[0].message as string;
    };
    const unread = "couldn't get version/kind; json parse error: json: cannot unmarshal";
    for (const subresource of ['', '/status']) {
      expect(await causeOf({ kind: 5 }, subresource)).to.contain(
        `${unread} number into Go struct field .kind of`,
      );
      expect(await causeOf({ apiVersion: [] }, subresource)).to.contain(
        `${unread} array into Go struct field .apiVersion of`,
      );
      expect(await causeOf({ apiVersion: 'a/b/c' }, subresource)).to.contain(
        'unexpected GroupVersion string: a/b/c',
      );
    }
    const missing = await causeOf({ kind: null, apiVersion: null });
    expect(missing).to.match(
      /is missing in '{"metadata":{"creationTimestamp":.*}}', error found in #10 byte of \.\.\.\|.{10}\|/,
    );
  });

  it('count a generation when something empty goes', async () => {
    await create('emptied', { spec: { limits: {} } });
    const body = { spec: { limits: null } };
    const { body: written } = await admin.send('PATCH', `${path}/emptied`, { body, contentType: merge });
    expect(written.spec).to.not.have.property('limits');
    expect(written.metadata.generation).to.equal(2);
  });

  it('are listed with kind and version, and shown as tables and metadata', async () => {
    await create('listed', { metadata: { name: 'listed', labels: { x: 'y' } }, spec: { size: 8 } });
    const { text, body } = await admin.get(`${path}?labelSelector=x%3Dy`);
    expect(text.startsWith(`{"apiVersion":"${group}/v1","items":[{"apiVersion":`)).to.equal(true);
    expect(body.kind).to.equal('WidgetList');
    expect(Object.keys(body.metadata)).to.deep.equal(['continue', 'resourceVersion']);
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.orch.io' };
    const { body: table } = await admin.send('GET', `${path}/listed`, { headers });
    expect(table.columnDefinitions.map(({ name }: JsonObject) => name)).to.deep.equal(['Name', 'Size']);
    expect(table.rows[0].cells).to.deep.equal(['listed', 8]);
    const status = `${path}/listed/status`;
    const rows = [
      await admin.send('GET', status, { headers }),
      await admin.send('PATCH', status, { headers, body: { status: { ready: 1 } }, contentType: merge }),
      await admin.send('PUT', status, { headers, body: (await admin.get(status)).body }),
    ].map((answer) => answer.body.rows?.[0].cells);
    expect(rows).to.deep.equal(Array(3).fill(['listed', 8]));
  });

  it('are selected by their namespace, where they are in one', async () => {
    await create('selected');
    const byNamespace = (namespace: string) => `fieldSelector=metadata.namespace=${namespace}`;
    const select = (of: string, namespace: string) =>
      admin.get(`/apis/${of}/v1/widgets?${byNamespace(namespace)}`);
    expect((await select(group, 'default')).body.items).to.not.deep.equal([]);
    expect((await select(group, 'other')).body.items).to.deep.equal([]);

    const cluster = 'cluster.example.com';
    await establish(admin, widgetDefinition(cluster, { scope: 'Cluster' }));
    const refused = await select(cluster, 'default');
    expect([refused.code, refused.body.message]).to.deep.equal([
      400,
      'field label not supported: metadata.namespace',
    ]);
    const byName = await admin.get(`/apis/${cluster}/v1/widgets?fieldSelector=metadata.name=a`);
    expect(byName.body.items).to.deep.equal([]);
  });

  it('are served in all versions, with a warning where one is deprecated', async () => {
    await create('versions', { spec: { size: 1 } });
    const beta = path.replace('/v1/', '/v1beta1/');
    const { body, headers } = await admin.get(`${beta}/versions`);
    expect(body.apiVersion).to.equal(`${group}/v1beta1`);
    expect(headers.warning).to.equal(`299 - "${group}/v1beta1 Widget is deprecated; use ${group}/v1 Widget"`);
    for (const [method, missing, code] of [
      ['GET', `${beta}/versions/status`, 404],
      ['GET', `${beta}/versions/nope`, 404],
      ['POST', `${beta}/versions`, 405],
    ] as const) {
      const refused = await admin.send(method, missing, { body: undefined });
      expect([refused.code, refused.headers.warning], missing).to.deep.equal([code, headers.warning]);
    }
    // The version that is stored does not know it: it changed the object for its own version only.
    const answer = await admin.send('PATCH', `${beta}/versions`, { body: { extra: 1 }, contentType: merge });
    expect(answer.body.metadata.generation).to.equal(2);
    expect(answer.body.extra).to.equal(undefined);
  });

  it('warn in any letters, of lists and watches alike', async () => {
    const group2 = 'warned.example.com';
    const deprecationWarning = 'veraltet: "été" \u{1F600}';
    const warned = openVersion('v1', { deprecated: true, deprecationWarning });
    await establish(admin, widgetDefinition(group2, { versions: [warned] }));
    for (const query of ['', '?watch=1&timeoutSeconds=1']) {
      const { headers } = await admin.get(`/apis/${group2}/v1/namespaces/default/widgets${query}`);
      const bytes = Buffer.from(String(headers.warning), 'latin1');
      expect(bytes.toString()).to.equal('299 - "veraltet: \\"été\\" \u{1F600}"');
    }
  });

  it('are followed by watches until the definition changes, and as it says then by later ones', async () => {
    const group2 = 'watched.example.com';
    const own = `/apis/${group2}/v1/namespaces/default/widgets`;
    await establish(
      admin,
      widgetDefinition(group2, { versions: [openVersion('v1', { schema: { openAPIV3Schema: schema } })] }),
    );
    const watch = await admin.watch(own);
    await admin.create(own, widget(group2, 'before', { spec: { size: 1 } }));
    const properties = {
      spec: { type: 'object', properties: { added: { type: 'string', default: 'new' } } },
    };
    const changed = [openVersion('v1', { schema: { openAPIV3Schema: { type: 'object', properties } } })];
    await admin.expect('PATCH', `${definitionsPath}/widgets.${group2}`, {
      body: { spec: { versions: changed } },
      contentType: merge,
    });
    const read = await eventually(async () => {
      const { body } = await admin.get(`${own}/before`);
      return body.spec?.added === undefined ? undefined : body;
    });
    expect(read.spec).to.deep.equal({ added: 'new' });
    expect(await watch.ended).to.equal('end');
    const later = await admin.watch(own);
    await admin.create(own, widget(group2, 'after', { spec: { size: 1 } }));
    await later.until(() => later.lines.includes('ADDED after'), 'the object');
    expect([...watch.events, ...later.events].map(({ object }) => object.spec)).to.deep.equal([
      { mode: 'A', size: 1 },
      { added: 'new' },
      { added: 'new' },
    ]);
    // What is said of a definition, unlike what it says, ends no watch.
    await admin.expect('PATCH', `${definitionsPath}/widgets.${group2}`, {
      body: { metadata: { labels: { a: 'b' } } },
      contentType: merge,
    });
    await admin.create(own, widget(group2, 'last'));
    await later.until(() => later.lines.includes('ADDED last'), 'the object');
    later.close();
  });

  it('are not watched in a version that is served no more, but in the others again', async () => {
    const group2 = 'retired.example.com';
    const versions = [openVersion('v1'), openVersion('v1beta1', { storage: false })];
    await establish(admin, widgetDefinition(group2, { versions }));
    const pathOf = (version: string) => `/apis/${group2}/${version}/namespaces/default/widgets`;
    const retired = await admin.watch(pathOf('v1beta1'));
    const before = await admin.watch(pathOf('v1'));
    const [v1, v1beta1] = versions;
    const changed = performance.now();
    await admin.expect('PATCH', `${definitionsPath}/widgets.${group2}`, {
      body: { spec: { versions: [v1, { ...v1beta1, served: false }] } },
      contentType: merge,
    });
    for (const watch of [retired, before]) expect(await watch.ended).to.equal('end');
    // Not at once: who changes a definition until its watches end would begin the next before it knows of the change.
    expect(performance.now() - changed).to.be.at.least(900);
    expect((await admin.get(pathOf('v1beta1'))).code).to.equal(404);
    const served = await admin.watch(pathOf('v1'));
    await admin.create(pathOf('v1'), widget(group2, 'later'));
    await served.until(() => served.lines.includes('ADDED later'), 'the object');
    served.close();
  });

  it('are told of in the OpenAPI document', async () => {
    const { text } = await admin.get('/openapi/v2');
    expect(JSON.parse(text).definitions).to.have.property(`com.example.objects.v1.Widget`);
  });

  it('know neither strategic patches nor Protobuf, nor paths beside their scope', async () => {
    await create('limits');
    const contentType = 'application/strategic-merge-patch+json';
    expect((await admin.send('PATCH', `${path}/limits`, { body: {}, contentType })).code).to.equal(415);
    const binary = { headers: { accept: 'application/vnd.orch.protobuf' } };
    expect((await admin.send('GET', `${path}/limits`, binary)).code).to.equal(406);
    const both = { headers: { accept: 'application/vnd.orch.protobuf, application/json' } };
    expect((await admin.send('GET', `${path}/limits`, both)).body.kind).to.equal('Widget');
    expect(
      (await admin.send('POST', `/apis/${group}/v1/widgets`, { body: widget(group, 'x') })).text,
    ).to.equal('404 page not found\n');
    expect((await admin.get(`${path}/limits/nope`)).body.message).to.equal(
      `widgets.${group} "limits" not found`,
    );
  });
});
