import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { loadAll } from 'js-yaml';
import type { JsonObject } from '../../../support/api-client.ts';
import { establish } from '../../../support/definitions.ts';
import { startTestServer, type TestServer } from '../../../support/test-server.ts';

const page = new URL('../../../../docs/policies.md', import.meta.url);
const registration = '/apis/admissionregistration.orch.io/v1';
const paths: Readonly<Record<string, string>> = {
  ConfigMap: '/api/v1/namespaces/default/configmaps',
  ValidatingAdmissionPolicy: `${registration}/validatingadmissionpolicies`,
  ValidatingAdmissionPolicyBinding: `${registration}/validatingadmissionpolicybindings`,
};

describe('the page on policies', () => {
  let server: TestServer;
  let examples: JsonObject[][];

  before(async () => {
    const text = await readFile(page, 'utf8');
    const flag = /--runtime-config=\S+/.exec(text)?.[0] ?? '';
    examples = Array.from(
      text.matchAll(/```yaml\n(.*?)```/gs),
      ([, yaml = '']) => loadAll(yaml) as JsonObject[],
    );
    server = await startTestServer({ flags: [flag] });
  });
  after(() => server.stop());

  const apply = async (index: number): Promise<void> => {
    for (const object of examples[index] ?? []) {
      if (object.kind === 'CustomResourceDefinition') await establish(server.admin, object);
      else await server.admin.create(paths[object.kind] ?? '', object);
    }
  };

  it('has three examples', () => expect(examples).to.have.length(3));

  it('bounds replicas', async () => {
    await apply(0);
    const containers = [{ name: 'c', image: 'i' }];
    const labels = { app: 'a' };
    const send = (name: string, replicas: number) =>
      server.admin.send('POST', '/apis/apps/v1/namespaces/default/deployments', {
        body: {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name },
          spec: {
            replicas,
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: { containers } },
          },
        },
      });
    expect((await send('few', 5)).code).to.equal(201);
    expect((await send('many', 6)).body.message).to.match(/denied request: at most 5 replicas, not 6$/);
  });

  it('warns of images', async () => {
    await apply(1);
    const { code, headers } = await server.admin.send('POST', '/api/v1/namespaces/default/pods', {
      body: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p' },
        spec: { containers: [{ name: 'c', image: 'other/a' }] },
      },
    });
    expect([code, headers.warning]).to.deep.equal([
      201,
      `299 - "Validation failed for ValidatingAdmissionPolicy 'images' with binding 'images': images of other registries: other/a"`,
    ]);
  });

  it('keeps pools right', async () => {
    await apply(2);
    const pools = '/apis/example.com/v1/namespaces/default/pools';
    const pool = (spec: JsonObject) => ({
      apiVersion: 'example.com/v1',
      kind: 'Pool',
      metadata: { name: 'a' },
      spec,
    });
    const wrong = await server.admin.send('POST', pools, { body: pool({ min: 3, max: 2, class: 'x' }) });
    expect(wrong.body.message).to.contain('spec.min: Invalid value: "object": min must not exceed max');
    await server.admin.create(pools, pool({ min: 1, max: 2, class: 'x' }));
    const changed = await server.admin.send('PATCH', `${pools}/a`, {
      contentType: 'application/merge-patch+json',
      body: { spec: { class: 'y' } },
    });
    expect(changed.body.message).to.contain('the class stays');
  });
});
