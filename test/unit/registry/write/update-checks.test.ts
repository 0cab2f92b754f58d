import { expect } from 'chai';
import { StatusError } from '../../../../src/machinery/errors/index.ts';
import type { JsonObject } from '../../../support/api-client.ts';
import { failureOf } from '../../../support/failure.ts';
import { TestRegistry } from '../../../support/registry.ts';

const labels = { '-': 'x' };

/** A kind that is checked twice, an object of it, a change that is wrong, and where its causes are. */
const rows: readonly (readonly [
  resource: string,
  spec: JsonObject,
  change: JsonObject,
  causes: readonly string[],
])[] = [
  [
    'storage.orch.io/v1/volumeattachments',
    { spec: { attacher: 'csi.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
    { spec: { attacher: '', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
    ['metadata.labels', 'spec.attacher', 'metadata.labels', 'spec.attacher', 'spec'],
  ],
  [
    'storage.orch.io/v1/csinodes',
    { spec: { drivers: [{ name: 'csi.example.com', nodeID: 'id' }] } },
    { spec: { drivers: [{ name: 'csi.example.com', nodeID: '' }] } },
    [
      'metadata.labels',
      'spec.drivers[0].nodeID',
      'metadata.labels',
      'spec.drivers[0].nodeID',
      'CSINodeDriver',
    ],
  ],
  [
    'v1/persistentvolumes',
    {
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], nfs: { server: 's', path: '/' } },
    },
    {
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], nfs: { server: '', path: '/' } },
    },
    [
      'metadata.labels',
      'spec.nfs.server',
      'metadata.labels',
      'spec.nfs.server',
      'spec.persistentvolumesource',
    ],
  ],
  [
    'rbac.authorization.orch.io/v1/clusterroles',
    { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] },
    { rules: [{ verbs: [], apiGroups: [''], resources: ['pods'] }] },
    ['metadata.labels', 'rules[0].verbs', 'metadata.labels', 'rules[0].verbs', 'metadata.labels'],
  ],
  [
    'rbac.authorization.orch.io/v1/clusterrolebindings',
    { roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'a' } },
    { roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: '' } },
    ['metadata.labels', 'roleRef.name', 'metadata.labels', 'roleRef.name', 'metadata.labels', 'roleRef'],
  ],
];

describe('kinds that release 1.20 checks as new and as changed', () => {
  let registry: TestRegistry;
  before(async () => {
    registry = await TestRegistry.open();
  });
  after(() => registry[Symbol.asyncDispose]());

  for (const [resource, spec, change, causes] of rows) {
    it(`tell each check with its metadata first: ${resource}`, async () => {
      const { kind } = registry.served(resource);
      const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
      const object = { apiVersion, kind: kind.kind, metadata: { name: 'a' }, ...spec };
      await registry.create(resource, object, { namespace: '' });
      const wrong = (live: JsonObject): void => {
        Object.assign(live, change);
        live.metadata.labels = labels;
      };
      const error = await failureOf(registry.change(resource, 'a', wrong, { namespace: '' }));
      if (!(error instanceof StatusError)) throw error;
      const told = error.status.details?.causes?.map(({ field }) => field) ?? [];
      // Labels of every kind are looked at twice before its own checks.
      expect(told).to.deep.equal(['metadata.labels', 'metadata.labels', ...causes]);
    });
  }
});
