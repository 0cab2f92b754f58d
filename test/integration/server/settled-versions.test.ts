import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { ownersOf, patchTypes } from '../../support/applier.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const scalers = (version: string): string =>
  `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
const scaler = (version: string, name: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion: `autoscaling/${version}`,
  kind: 'HorizontalPodAutoscaler',
  metadata: { name },
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 5, ...spec },
});
const behavior = { scaleUp: { policies: [{ type: 'Pods', value: 4, periodSeconds: 60 }] } };
const memory = {
  type: 'Resource',
  resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
};
const cpu = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
};
const pods = {
  type: 'Pods',
  pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1' } },
};

describe('what release 1.20 has no field for in a version', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer();
    admin = server.admin;
  });
  after(() => server.stop());

  const metadataOf = async (path: string): Promise<JsonObject> => {
    const accept = 'application/json;as=Table;v=v1;g=meta.orch.io';
    return (await admin.get(path, { accept })).body.rows[0].object.metadata;
  };

  it('is an annotation of daemon sets, whose owner is who creates them, and in no row of a table', async () => {
    const path = '/apis/apps/v1/namespaces/default/daemonsets';
    const body = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'd' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    };
    const created = await admin.create(path, body);
    const annotation = 'deprecated.daemonset.template.generation';
    expect(created.metadata.annotations).to.deep.equal({ [annotation]: '1' });
    expect(ownersOf(created)[0]).to.include(`metadata.annotations.${annotation} `);
    expect(await metadataOf(`${path}/d`)).to.not.have.property('annotations');
  });

  it('is an annotation of the first autoscalers, whose owner is who says it in a field', async () => {
    await admin.create(scalers('v1'), scaler('v1', 'a'));
    const status = { status: { currentReplicas: 1, currentCPUUtilizationPercentage: 50 } };
    const { body } = await admin.send('PATCH', `${scalers('v1')}/a/status?fieldManager=m`, {
      body: status,
      contentType: patchTypes.merge,
    });
    expect(ownersOf(body).join()).to.include(
      'metadata.annotations.autoscaling.alpha.orch.io/current-metrics ',
    );
    expect(await metadataOf(`${scalers('v1')}/a`)).to.not.have.property('annotations');
  });

  it('stays from the old object in the answer to a dry run, and nowhere else', async () => {
    const path = `${scalers('v2beta2')}/b`;
    await admin.create(scalers('v2beta2'), scaler('v2beta2', 'b', { metrics: [pods, cpu], behavior }));
    const body = scaler('v2beta2', 'b', { metrics: [memory] });
    const dry = await admin.send('PUT', `${path}?dryRun=All`, { body });
    expect(dry.body.spec.metrics).to.deep.equal([memory, pods, { type: '' }]);
    expect(dry.body.spec.behavior.scaleUp.policies).to.deep.equal(behavior.scaleUp.policies);
    const written = await admin.send('PUT', path, { body });
    expect(written.body.spec.metrics).to.deep.equal([memory]);
    expect(written.body.spec).to.not.have.property('behavior');
  });

  it('is dropped where its gate is off', async () => {
    const containerResource = {
      name: 'cpu',
      container: 'c',
      target: { type: 'Utilization', averageUtilization: 1 },
    };
    const { body } = await admin.send('POST', scalers('v2beta2'), {
      body: scaler('v2beta2', 'c', { metrics: [{ ...memory, containerResource }] }),
    });
    expect(body.spec.metrics).to.deep.equal([memory]);
  });

  it('leaves the default backend of an ingress in the answer to a dry run', async () => {
    const path = '/apis/networking.orch.io/v1/namespaces/default/ingresses';
    const backend = { service: { name: 's', port: { number: 80 } } };
    const rules = [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }];
    const ingress = (spec: object) => ({
      ...{ apiVersion: 'networking.orch.io/v1', kind: 'Ingress', metadata: { name: 'i' }, spec },
    });
    await admin.create(path, ingress({ defaultBackend: backend, rules }));
    const dry = await admin.send('PUT', `${path}/i?dryRun=All`, { body: ingress({ rules }) });
    expect(dry.body.spec.defaultBackend).to.deep.equal(backend);
  });

  it('comes back by default when a write takes it away: labels of a template', async () => {
    const path = '/api/v1/namespaces/default/replicationcontrollers';
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await admin.create(path, {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata: { name: 'r', labels: { own: 'x' } },
      spec: { template },
    });
    const { body } = await admin.send('PATCH', `${path}/r/status`, {
      body: { metadata: { labels: null }, spec: { template: null } },
      contentType: patchTypes.merge,
    });
    expect(body.metadata.labels).to.deep.equal({ a: 'b' });
  });
});
