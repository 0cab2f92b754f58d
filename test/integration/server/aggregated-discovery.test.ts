import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { fetchDiscovery } from '../../../src/client/discovery/index.ts';
import { createRestClient } from '../../../src/client/rest/index.ts';
import type { ApiAnswer, ApiClient, JsonObject } from '../../support/api-client.ts';
import { conditionOf } from '../../support/definitions.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const dialects = [
  { name: 'orch', suffix: 'orch.io', marker: 'x-orch-preserve-unknown-fields' },
  { name: 'kubernetes', suffix: 'k8s.io', marker: 'x-kubernetes-preserve-unknown-fields' },
];

for (const { name: dialect, suffix, marker } of dialects) {
  describe(`aggregated discovery, dialect ${dialect}`, () => {
    const group = `apidiscovery.${suffix}`;
    const definitions = `/apis/apiextensions.${suffix}/v1/customresourcedefinitions`;
    const form = (version: string) => `application/json;g=${group};v=${version};as=APIGroupDiscoveryList`;
    /** As current clients ask. */
    const usual = `${form('v2')},${form('v2beta1')},application/json`;
    let server: TestServer;
    let admin: ApiClient;
    before(async () => {
      server = await startTestServer({ flags: ['--ephemeral', `--dialect=${dialect}`] });
      admin = server.admin;
    });
    after(() => server.stop());

    const ask = (path: string, accept = usual, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
      admin.get(path, { accept, ...headers });
    /** Both documents' resources as `group/version/resource kind verbs`, subresources among them. */
    const aggregated = async (accept?: string): Promise<string[]> => {
      const answers = await Promise.all([ask('/api', accept), ask('/apis', accept)]);
      return answers.flatMap(({ body }) =>
        body.items.flatMap(({ metadata, versions }: JsonObject) =>
          versions.flatMap(({ version, resources }: JsonObject) =>
            resources.flatMap((each: JsonObject) => [
              line(metadata.name ?? '', version, each.resource, each),
              ...(each.subresources ?? []).map((sub: JsonObject) =>
                line(metadata.name ?? '', version, `${each.resource}/${sub.subresource}`, sub),
              ),
            ]),
          ),
        ),
      );
    };
    const line = (of: string, version: string, name: string, { responseKind, verbs }: JsonObject): string =>
      `${of}/${version}/${name} ${responseKind.group}/${responseKind.version}.${responseKind.kind} ${verbs.join()}`;
    /** The same from the documents of release 1.20, version by version. */
    const plain = async (): Promise<string[]> => {
      const versions = ['/api/v1'];
      for (const each of (await admin.get('/apis')).body.groups)
        versions.push(...each.versions.map(({ groupVersion }: JsonObject) => `/apis/${groupVersion}`));
      const lists = await Promise.all(versions.map((path) => admin.get(path)));
      return lists.flatMap(({ body }) => {
        const [version = '', of = ''] = body.groupVersion.split('/').reverse();
        return body.resources.map((each: JsonObject) =>
          line(of, version, each.name, {
            verbs: each.verbs,
            responseKind: {
              // What is left out is that of the list.
              group: each.version === undefined ? of : (each.group ?? ''),
              version: each.version ?? version,
              kind: each.kind,
            },
          }),
        );
      });
    };
    const define = async (plural: string, of: string): Promise<void> => {
      const names = {
        plural,
        singular: plural.slice(0, -1),
        kind: `K${plural}`,
        shortNames: [plural.slice(0, 2)],
        categories: ['some'],
      };
      const version = (name: string, storage: boolean): JsonObject => ({
        name,
        served: true,
        storage,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        schema: { openAPIV3Schema: { type: 'object', [marker]: true } },
      });
      await admin.create(definitions, {
        apiVersion: `apiextensions.${suffix}/v1`,
        kind: 'CustomResourceDefinition',
        metadata: { name: `${plural}.${of}` },
        spec: {
          group: of,
          scope: 'Cluster',
          names,
          versions: [version('v1', true), version('v2beta1', false)],
        },
      });
      await eventually(async () => {
        const { body } = await admin.get(`${definitions}/${plural}.${of}`);
        return conditionOf(body, 'Established')?.status === 'True' ? body : undefined;
      });
    };

    it('says what the documents of single versions say, before and after definitions came', async () => {
      expect(await aggregated()).to.have.members(await plain());
      await define('gadgets', 'tools.example.com');
      await define('apples', 'fruit.example.com');
      const told = await aggregated();
      expect(told).to.have.members(await plain());
      expect(told).to.include(
        'tools.example.com/v2beta1/gadgets/scale autoscaling/v1.Scale get,patch,update',
      );
    });

    it('tells our client the same as the other documents do', async () => {
      const { url, authorityPem: ca, certificatePem: cert, keyPem: key } = admin.access;
      const client = createRestClient({ connection: { server: url, tls: { ca, cert, key }, auth: {} } });
      const told = await fetchDiscovery(client, { aggregatedGroup: group });
      expect(told.etags).to.have.all.keys('/api', '/apis');
      expect(told.discovery).to.deep.equal((await fetchDiscovery(client)).discovery);
      client.close();
    });

    it('lists groups and versions in the order of plain discovery', async () => {
      const { body } = await ask('/apis');
      const { groups } = (await admin.get('/apis')).body;
      expect(body.items.map(({ metadata }: JsonObject) => metadata.name)).to.deep.equal(
        groups.map((each: JsonObject) => each.name),
      );
      for (const [index, { versions }] of groups.entries())
        expect(body.items[index].versions.map((each: JsonObject) => each.version)).to.deep.equal(
          versions.map((each: JsonObject) => each.version),
        );
    });

    for (const version of ['v2', 'v2beta1']) {
      it(`is of the kind that was asked for: ${version}`, async () => {
        const { code, headers, body, text } = await ask('/apis', form(version));
        expect(code).to.equal(200);
        expect(headers).to.include({ 'content-type': form(version), vary: 'Accept' });
        expect(text).to.match(
          new RegExp(
            `^\\{"kind":"APIGroupDiscoveryList","apiVersion":"${group}/${version}","metadata":\\{\\},"items":`,
          ),
        );
        const gadgets = body.items.find(({ metadata }: JsonObject) => metadata.name === 'tools.example.com');
        const subresource = { group: 'tools.example.com', version: 'v1', kind: 'Kgadgets' };
        const verbs = ['get', 'patch', 'update'];
        expect(gadgets.versions[0]).to.deep.equal({
          version: 'v1',
          resources: [
            {
              resource: 'gadgets',
              responseKind: { group: 'tools.example.com', version: 'v1', kind: 'Kgadgets' },
              scope: 'Cluster',
              singularResource: 'gadget',
              verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
              shortNames: ['ga'],
              categories: ['some'],
              subresources: [
                { subresource: 'status', responseKind: subresource, verbs },
                {
                  subresource: 'scale',
                  responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
                  verbs,
                },
              ],
            },
          ],
          freshness: 'Current',
        });
      });
    }

    it('tells of the core group apart, which has no name', async () => {
      const { items } = (await ask('/api')).body;
      expect(items.map(({ metadata }: JsonObject) => metadata)).to.deep.equal([{ creationTimestamp: null }]);
      const pods = items[0].versions[0].resources.find((each: JsonObject) => each.resource === 'pods');
      expect(pods).to.include({ scope: 'Namespaced', singularResource: 'pod' });
      expect(pods.responseKind).to.deep.equal({ group: '', version: 'v1', kind: 'Pod' });
    });

    it('answers 304 until something comes or goes', async () => {
      const { etag = '' } = (await ask('/apis')).headers;
      const again = await ask('/apis', usual, { 'if-none-match': etag });
      expect([again.code, again.text, again.headers.etag]).to.deep.equal([304, '', etag]);
      const core = await ask('/api');
      expect(core.headers.etag).not.to.equal(etag);
      await define('stones', 'tools.example.com');
      const changed = await ask('/apis', usual, { 'if-none-match': etag });
      expect(changed.code).to.equal(200);
      expect(changed.text).to.include('"stones"');
      expect((await ask('/api', usual, { 'if-none-match': core.headers.etag ?? '' })).code).to.equal(304);
      await admin.send('DELETE', `${definitions}/stones.tools.example.com`);
      // Others have not changed: it is the document from before.
      await eventually(
        async () => (await ask('/apis', usual, { 'if-none-match': etag })).code === 304 || undefined,
      );
    });

    it('is compressed for those who take that, when it is large', async () => {
      const whole = await ask('/apis');
      const { headers, bytes } = await ask('/apis', usual, { 'accept-encoding': 'gzip' });
      const isLarge = whole.bytes.length > 128 * 1024;
      expect(headers['content-encoding']).to.equal(isLarge ? 'gzip' : undefined);
      expect((isLarge ? gunzipSync(bytes) : bytes).equals(whole.bytes)).to.equal(true);
    });

    it('is nothing that clients of release 1.20 see', async () => {
      for (const accept of [undefined, 'application/json', '*/*', 'application/json, */*']) {
        const { body, headers } = await admin.get('/apis', accept === undefined ? {} : { accept });
        expect(body.kind).to.equal('APIGroupList');
        expect(headers).not.to.have.any.keys('etag', 'vary');
      }
      expect((await ask('/apis', `application/json;g=${group};v=v9;as=APIGroupDiscoveryList`)).code).to.equal(
        406,
      );
      expect((await ask('/apis/apps', usual)).body.kind).to.equal('APIGroup');
      // Nobody looks at the method there, in release 1.20 neither.
      const posted = await admin.send('POST', '/apis', { headers: { accept: usual }, body: {} });
      expect(posted.body).to.deep.equal((await ask('/apis', usual)).body);
    });
  });
}
