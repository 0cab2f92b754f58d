import { expect } from 'chai';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { createDefaulter } from '../../../../src/apis/defaults/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const catalog = createTypeCatalog(orchDialect);
const applyDefaults = createDefaulter({ dialect: orchDialect, catalog, gates: new Set() });

function complete(typeName: string, spec: object): Record<string, unknown> {
  const template = { metadata: { labels: { a: 'b' } } };
  const object = catalog.type(typeName).decode({ metadata: { name: 'x' }, spec: { template, ...spec } });
  applyDefaults(typeName, object);
  return object;
}

const specOf = (typeName: string, spec: object) => {
  const { template: _, ...rest } = complete(typeName, spec).spec as Record<string, unknown>;
  return rest;
};

const selector = { matchLabels: { a: 'b' } };
const quarter = { maxUnavailable: '25%', maxSurge: '25%' };

describe('defaults of removed versions', () => {
  const cases: [type: string, spec: object, expected: object][] = [
    [
      'apps/v1beta2.Deployment',
      {},
      {
        replicas: 1,
        strategy: { type: 'RollingUpdate', rollingUpdate: quarter },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        selector: null,
      },
    ],
    [
      'apps/v1beta1.Deployment',
      {},
      {
        replicas: 1,
        strategy: { type: 'RollingUpdate', rollingUpdate: quarter },
        revisionHistoryLimit: 2,
        progressDeadlineSeconds: 600,
        selector,
      },
    ],
    [
      'extensions/v1beta1.Deployment',
      {},
      {
        replicas: 1,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
        revisionHistoryLimit: 2147483647,
        progressDeadlineSeconds: 2147483647,
        selector,
      },
    ],
    [
      'apps/v1beta2.DaemonSet',
      {},
      {
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
        revisionHistoryLimit: 10,
        selector: null,
      },
    ],
    [
      'extensions/v1beta1.DaemonSet',
      {},
      { updateStrategy: { type: 'OnDelete' }, revisionHistoryLimit: 10, selector },
    ],
    [
      'extensions/v1beta1.DaemonSet',
      { updateStrategy: { type: 'RollingUpdate' } },
      {
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
        revisionHistoryLimit: 10,
        selector,
      },
    ],
    [
      'apps/v1beta2.StatefulSet',
      { serviceName: 's' },
      {
        serviceName: 's',
        podManagementPolicy: 'OrderedReady',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
        replicas: 1,
        revisionHistoryLimit: 10,
        selector: null,
      },
    ],
    [
      'apps/v1beta1.StatefulSet',
      { serviceName: 's' },
      {
        serviceName: 's',
        podManagementPolicy: 'OrderedReady',
        updateStrategy: { type: 'OnDelete' },
        replicas: 1,
        revisionHistoryLimit: 10,
        selector,
      },
    ],
    ['apps/v1beta2.ReplicaSet', {}, { replicas: 1, selector: null }],
    ['extensions/v1beta1.ReplicaSet', {}, { replicas: 1, selector }],
  ];
  for (const [type, spec, expected] of cases) {
    it(`${type} with ${JSON.stringify(spec)}`, () => expect(specOf(type, spec)).to.deep.equal(expected));
  }

  it('take labels from the template where the selector comes from there too', () => {
    const labelsOf = (type: string) => (complete(type, {}).metadata as { labels?: object }).labels;
    expect(labelsOf('extensions/v1beta1.Deployment')).to.deep.equal({ a: 'b' });
    expect(labelsOf('apps/v1beta2.Deployment')).to.equal(undefined);
  });

  it('network policies: TCP for incoming traffic only', () => {
    const type = 'extensions/v1beta1.NetworkPolicy';
    const ports = [{ port: 80 }];
    const object = catalog
      .type(type)
      .decode({ metadata: { name: 'x' }, spec: { ingress: [{ ports }], egress: [{ ports }] } });
    applyDefaults(type, object);
    expect(object.spec).to.deep.include({
      ingress: [{ ports: [{ port: 80, protocol: 'TCP' }] }],
      egress: [{ ports: [{ port: 80 }] }],
      policyTypes: ['Ingress', 'Egress'],
    });
  });
});
