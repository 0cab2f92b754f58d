import { Ajv, type ValidateFunction } from 'ajv';
import { expect } from 'chai';
import type { JsonObject } from '../../support/api-client.ts';
import { loadExamples } from '../../support/example-objects.ts';
import { type CtlServer, startCtlServer } from './support/ctl-server.ts';

/** Fields that objects of lists and of requests share are checked by the server only. */
const ajv = () => new Ajv({ strict: false, validateFormats: false, allErrors: true });

describe('ctl schema', () => {
  let server: CtlServer;
  let fitsAny: ValidateFunction;
  const schemaOf = async (...types: string[]) => {
    const { code, out, err } = await server.ctl(['schema', ...types]);
    expect(code, err).to.equal(0);
    return JSON.parse(out);
  };

  before(async function () {
    this.timeout(60_000);
    server = await startCtlServer(['--controllers=none']);
    const stdin = JSON.stringify({
      apiVersion: 'apiextensions.orch.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'shops.test.example' },
      spec: {
        group: 'test.example',
        scope: 'Namespaced',
        names: { plural: 'shops', kind: 'Shop' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                required: ['spec'],
                properties: {
                  spec: {
                    type: 'object',
                    properties: {
                      size: { 'x-orch-int-or-string': true },
                      any: { type: 'object', 'x-orch-preserve-unknown-fields': true },
                      colour: { type: 'string', enum: ['red', 'blue'] },
                      share: { type: 'number', minimum: 0, exclusiveMinimum: true },
                      none: { type: 'object', nullable: true, properties: { a: { type: 'string' } } },
                    },
                  },
                },
              },
            },
          },
        ],
      },
    });
    expect((await server.ctl(['create', '-f', '-'], { stdin })).err).to.equal('');
    await server.ctl(['wait', '--for=condition=Established', 'crd/shops.test.example']);
    fitsAny = ajv().compile(await schemaOf('all'));
  });
  after(() => server.stop());

  it('of all types takes an object of every kind, and refuses what its kind does not have', async () => {
    const all = await schemaOf('all');
    const served = all.allOf.map(({ if: { properties } }: JsonObject) =>
      [properties.apiVersion.const, properties.kind.const].join(' '),
    );
    expect(served.length).to.be.greaterThan(80);
    const examples = await loadExamples();
    for (const name of served) {
      const object = examples.get(name);
      if (object === undefined) continue; // Reviews, and the custom resource.
      const [apiVersion, kind] = name.split(' ');
      const whole = { ...object, apiVersion, kind };
      expect(fitsAny(whole), `${name} ${JSON.stringify(fitsAny.errors?.[0])}`).to.equal(true);
      expect(fitsAny({ ...whole, nonsense: 1 }), name).to.equal(false);
    }
    expect(fitsAny({ apiVersion: 'other/v1', kind: 'Unknown', nonsense: 1 })).to.equal(true);
  });

  it('of one type takes only that one, and knows types, required fields and quantities', async () => {
    const fits = ajv().compile(await schemaOf('deployments'));
    const spec = (container: object, more: object = {}) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { selector: {}, template: { spec: { containers: [{ name: 'web', ...container }] } }, ...more },
    });
    expect(fits(spec({ resources: { limits: { cpu: 1, memory: '1Gi' } } }))).to.equal(true);
    expect(fits(spec({ livenessProbe: { httpGet: { port: 'http' } } }))).to.equal(true);
    expect(fits(spec({ livenessProbe: { httpGet: { port: 80 } } }))).to.equal(true);
    const made = { ...spec({}), metadata: { name: 'web', creationTimestamp: null }, status: {} };
    expect(fits(made), JSON.stringify(fits.errors)).to.equal(true);
    expect(fits({ ...spec({}), kind: 'Pod' })).to.equal(false);
    expect(fits(spec({ imagee: 'x' }))).to.equal(false);
    expect(fits(spec({ env: [{ name: 'A', value: 1 }] }))).to.equal(false);
    expect(fits(spec({}, { replicas: '3' }))).to.equal(false);
    expect(fits({ ...spec({}), spec: {} })).to.equal(false);
  });

  it('knows custom resources', () => {
    const shop = (spec: object) => ({
      apiVersion: 'test.example/v1',
      kind: 'Shop',
      metadata: { name: 'a' },
      spec,
    });
    for (const spec of [
      { size: 1 },
      { size: '1' },
      { any: { thing: [1] } },
      { colour: 'red' },
      { share: 0.1 },
      { none: null },
    ])
      expect(fitsAny(shop(spec)), JSON.stringify(spec)).to.equal(true);
    for (const spec of [{ size: [] }, { other: 1 }, { colour: 'green' }, { share: 0 }, { none: 1 }])
      expect(fitsAny(shop(spec)), JSON.stringify(spec)).to.equal(false);
  });

  it('needs types that are there', async () => {
    expect((await server.ctl(['schema'])).err).to.match(/^error: name types, or all\n/);
    expect((await server.ctl(['schema', 'nowhere'])).err).to.equal(
      'error: the server doesn\'t have a resource type "nowhere"\n',
    );
  });
});
