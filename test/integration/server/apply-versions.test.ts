import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { applyAs, ownersOf, patchTypes } from '../../support/applier.ts';
import { configMap, inNamespace } from '../../support/objects.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const maps = inNamespace('default', 'configmaps');
const networking = 'networking.orch.io';
const rule = (host: string, backend: JsonObject): JsonObject => ({
  host,
  http: { paths: [{ path: '/', pathType: 'Prefix', backend }] },
});
/** An ingress in the fields of a version: the beta versions name them differently. */
const ingress = (
  apiVersion: string,
  name: string,
  { host = 'a.example.com', tls = [] as unknown[] } = {},
) => {
  const isOld = apiVersion.endsWith('v1beta1');
  const backend = isOld
    ? { serviceName: 's', servicePort: 80 }
    : { service: { name: 's', port: { number: 80 } } };
  return {
    kind: 'Ingress',
    apiVersion,
    metadata: { name },
    spec: {
      [isOld ? 'backend' : 'defaultBackend']: backend,
      rules: [rule(host, backend)],
      ...(tls.length > 0 && { tls }),
    },
  };
};
const ingressOwner = (manager: string, apiVersion: string, ...more: string[]): string => {
  const fields = apiVersion.endsWith('v1beta1')
    ? ['spec.backend.serviceName', 'spec.backend.servicePort', 'spec.rules']
    : ['spec.defaultBackend.service.name', 'spec.defaultBackend.service.port.number', 'spec.rules'];
  return `${manager} Apply ${apiVersion}: ${[...fields, ...more].join(' ')}`;
};
const autoscaler = (version: string, name: string, spec: JsonObject): JsonObject => ({
  kind: 'HorizontalPodAutoscaler',
  apiVersion: `autoscaling/${version}`,
  metadata: { name },
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 5, ...spec },
});
const cpuTarget = (percent: number): JsonObject => ({
  metrics: [{ type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: percent } }],
});

describe('configurations in several versions', () => {
  let directory: TemporaryDirectory;
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    directory = await makeTemporaryDirectory();
    server = await startTestServer({ flags: [`--data-dir=${directory.path}`] });
    admin = server.admin;
  });
  after(async () => {
    await server.stop();
    await directory.remove();
  });

  const pathOf = ({ kind, apiVersion, metadata }: JsonObject): string => {
    const resource = kind === 'Ingress' ? 'ingresses' : 'horizontalpodautoscalers';
    return `/apis/${apiVersion}/namespaces/default/${resource}/${metadata.name}`;
  };
  const apply = (manager: string, object: JsonObject) => applyAs(admin, manager, pathOf(object), object);
  const applied = async (manager: string, object: JsonObject): Promise<JsonObject> => {
    const { code, body, text } = await apply(manager, object);
    expect([200, 201], text).to.include(code);
    return body;
  };

  const ingressVersions = ['extensions/v1beta1', `${networking}/v1beta1`, `${networking}/v1`];

  it('go with their applier from version to version', async () => {
    for (const version of [...ingressVersions, ...ingressVersions.toReversed()]) {
      const object = await applied('m', ingress(version, 'moving'));
      expect(object.apiVersion).to.equal(version);
      expect(ownersOf(object)).to.deep.equal([ingressOwner('m', version)]);
    }
  });

  it('lose what their applier dropped on the way', async () => {
    const [old = '', , current = ''] = ingressVersions;
    await applied('m', ingress(old, 'dropping', { tls: [{ hosts: ['a.example.com'] }] }));
    const object = await applied('m', ingress(current, 'dropping'));
    expect(object.spec).to.not.have.property('tls');
    expect(ownersOf(object)).to.deep.equal([ingressOwner('m', current)]);
  });

  it('are shared by appliers of different versions', async () => {
    const [old = '', , current = ''] = ingressVersions;
    await applied('a', ingress(old, 'shared'));
    const object = await applied('b', ingress(current, 'shared'));
    expect(ownersOf(object)).to.deep.equal([ingressOwner('a', old), ingressOwner('b', current)]);
    const read = await admin.expect('GET', pathOf(ingress(old, 'shared')));
    expect(ownersOf(read)).to.deep.equal(ownersOf(object));
  });

  it('conflict across versions, in the words of the owner', async () => {
    await applied('a', autoscaler('v1', 'cpu', { targetCPUUtilizationPercentage: 50 }));
    const same = await applied('b', autoscaler('v2beta1', 'cpu', cpuTarget(50)));
    expect(ownersOf(same)).to.have.lengthOf(2);
    for (const object of [
      autoscaler('v2beta1', 'cpu', cpuTarget(60)),
      autoscaler('v1', 'cpu', { targetCPUUtilizationPercentage: 60 }),
    ]) {
      const { code, body } = await apply('c', object);
      expect(code).to.equal(409);
      const fields = body.details.causes.map(({ message, field }: JsonObject) => `${message}: ${field}`);
      expect(fields).to.deep.equal([
        'conflict with "a": .spec.targetCPUUtilizationPercentage',
        'conflict with "b": .spec.metrics',
      ]);
    }
  });

  it('give an update in one version only what it changed', async () => {
    await applied('a', autoscaler('v1', 'patched', { targetCPUUtilizationPercentage: 50 }));
    const path = pathOf(autoscaler('v2beta1', 'patched', {}));
    const object = await admin.expect('PATCH', `${path}?fieldManager=u`, {
      body: { spec: { maxReplicas: 9 } },
      contentType: patchTypes.merge,
    });
    expect(ownersOf(object)).to.deep.equal([
      'a Apply autoscaling/v1: spec.scaleTargetRef.kind spec.scaleTargetRef.name spec.targetCPUUtilizationPercentage',
      'u Update autoscaling/v2beta1: spec.maxReplicas',
    ]);
  });

  it('let a JSON patch find what their version writes as null', async () => {
    await applied('a', autoscaler('v1', 'nulls', {}));
    const path = pathOf(autoscaler('v2beta2', 'nulls', {}));
    const { status } = await admin.expect('GET', path);
    expect(status.conditions).to.equal(null);
    const conditions = [{ type: 'AbleToScale', status: 'True' }];
    const object = await admin.expect('PATCH', `${path}/status?fieldManager=u`, {
      body: [{ op: 'replace', path: '/status/conditions', value: conditions }],
      contentType: patchTypes.json,
    });
    expect(object.status.conditions[0].type).to.equal('AbleToScale');
    expect(ownersOf(object)).to.include('u Update autoscaling/v2beta2: status.conditions');
  });

  it('have no owners from versions of the other kind of path, below /api and below /apis', async () => {
    const metadata = { name: 'e', namespace: 'default' };
    const owner = { kind: 'Pod', namespace: 'default', name: 'p' };
    const core = { kind: 'Event', apiVersion: 'v1', metadata, involvedObject: owner, reason: 'r' };
    const newer = {
      kind: 'Event',
      apiVersion: 'events.orch.io/v1',
      metadata,
      regarding: owner,
      ...{ reason: 'r', action: 'a', type: 'Normal', eventTime: '2020-01-01T00:00:00.000000Z' },
      ...{ reportingController: 'example.com/c', reportingInstance: 'i' },
    };
    const inGroup = '/apis/events.orch.io/v1/namespaces/default/events/e';
    await applyAs(admin, 'a', inGroup, newer);
    const applied = await applyAs(admin, 'b', `${inNamespace('default', 'events')}/e`, core, {
      force: 'true',
    });
    expect(ownersOf(applied.body).map((line) => line.split(':')[0])).to.deep.equal(['b Apply v1']);
  });

  it('are refused in another version than the path has', async () => {
    const path = pathOf(ingress(`${networking}/v1`, 'mixed'));
    const { code, body } = await applyAs(admin, 'm', path, ingress('extensions/v1beta1', 'mixed'));
    expect(code).to.equal(400);
    expect(body.message).to.equal(
      `Incorrect version specified in apply patch. Specified patch version: extensions/v1beta1, expected: ${networking}/v1`,
    );
  });
});

describe('the record of owners on disk', () => {
  let directory: TemporaryDirectory;
  before(async () => {
    directory = await makeTemporaryDirectory();
  });
  after(() => directory.remove());

  /** Runs a server on the same data. */
  const serve = async (flags: readonly string[], use: (admin: ApiClient) => Promise<void>): Promise<void> => {
    const server = await startTestServer({ flags: [`--data-dir=${directory.path}`, ...flags] });
    try {
      await use(server.admin);
    } finally {
      await server.stop();
    }
  };
  const path = `${maps}/stays`;
  const record = ['m Apply v1: data.k', 'u Update v1: data.l'];

  it('outlives restarts, until a server without the gate writes the object', async () => {
    await serve([], async (admin) => {
      await applyAs(admin, 'm', path, configMap('stays', { k: '1' }));
      const body = { data: { l: '1' } };
      await admin.expect('PATCH', `${path}?fieldManager=u`, { body, contentType: patchTypes.merge });
    });
    await serve(['--feature-gates=ServerSideApply=false'], async (admin) => {
      expect(ownersOf(await admin.expect('GET', path))).to.deep.equal(record);
      const refused = await applyAs(admin, 'm', path, configMap('stays', { k: '2' }));
      expect(refused.code).to.equal(415);
      expect(refused.body.reason).to.equal('UnsupportedMediaType');
      const object = await admin.expect('PATCH', `${path}?fieldManager=v`, {
        body: { metadata: { managedFields: [{}] }, data: { k: '2' } },
        contentType: patchTypes.merge,
      });
      expect(object.data).to.deep.equal({ k: '2', l: '1' });
      expect(object.metadata).to.not.have.property('managedFields');
      const made = await admin.create(maps, configMap('made', {}, { managedFields: [{ manager: 'x' }] }));
      expect(made.metadata).to.not.have.property('managedFields');
    });
    await serve([], async (admin) => {
      expect((await admin.expect('GET', path)).metadata).to.not.have.property('managedFields');
      const conflict = await applyAs(admin, 'm', path, configMap('stays', { k: '3' }));
      expect(conflict.body.message).to.include('conflict with "before-first-apply"');
      const { body } = await applyAs(admin, 'm', path, configMap('stays', { k: '2' }));
      expect(ownersOf(body)).to.deep.equal([
        'm Apply v1: data.k',
        'before-first-apply Update v1: data. data.k data.l',
      ]);
    });
  });
});
