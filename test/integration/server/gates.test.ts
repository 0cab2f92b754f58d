import { expect } from 'chai';
import type { ApiClient } from '../../support/api-client.ts';
import { configMap, inNamespace, pod, service } from '../../support/objects.ts';
import { startTestServer } from '../../support/test-server.ts';

const maps = inNamespace('default', 'configmaps');
const claims = inNamespace('default', 'persistentvolumeclaims');
const claim = {
  kind: 'PersistentVolumeClaim',
  apiVersion: 'v1',
  metadata: { name: 'c' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

/** A gate, and what a client sees of it: another thing when it is off. */
type Case = readonly [gate: string, seen: (admin: ApiClient) => Promise<unknown>, on: unknown, off: unknown];

const page = async (admin: ApiClient): Promise<{ items: unknown[]; metadata: Record<string, unknown> }> => {
  for (const name of ['a', 'b', 'c']) await admin.create(maps, configMap(name));
  const { body } = await admin.get(`${maps}?limit=2`);
  return { items: body.items, metadata: body.metadata };
};
const cases: readonly Case[] = [
  ['APIListChunking', async (admin) => (await page(admin)).items.length, 2, 3],
  ['RemainingItemCount', async (admin) => (await page(admin)).metadata.remainingItemCount, 1, undefined],
  [
    'StorageVersionHash',
    async (admin) => (await admin.get('/api/v1')).text.includes('storageVersionHash'),
    true,
    false,
  ],
  [
    'ServiceAccountIssuerDiscovery',
    async (admin) => (await admin.get('/.well-known/openid-configuration')).code,
    200,
    404,
  ],
  [
    'StorageObjectInUseProtection',
    async (admin) => (await admin.create(claims, claim)).metadata.finalizers,
    ['orch.io/pvc-protection'],
    undefined,
  ],
  [
    'NonPreemptingPriority',
    async (admin) => (await admin.create(inNamespace('default', 'pods'), pod('p'))).spec.preemptionPolicy,
    'PreemptLowerPriority',
    undefined,
  ],
  [
    'ServiceLBNodePortControl',
    async (admin) => {
      const spec = { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false };
      const { spec: made } = await admin.create(inNamespace('default', 'services'), service('s', spec));
      return made.ports[0].nodePort > 0;
    },
    false,
    true,
  ],
];

describe('feature gates of the server', () => {
  for (const [gate, seen, on, off] of cases) {
    for (const isOn of [true, false]) {
      it(`${gate}=${isOn}`, async () => {
        const server = await startTestServer({ flags: [`--feature-gates=${gate}=${isOn}`] });
        try {
          expect(await seen(server.admin)).to.deep.equal(isOn ? on : off);
        } finally {
          await server.stop();
        }
      });
    }
  }

  it('RootCAConfigMap=false: no namespace gets the certificate of the server', async () => {
    const flags = ['--controllers=*', '--feature-gates=RootCAConfigMap=false'];
    const server = await startTestServer({ flags });
    try {
      const accounts = await server.admin.watch('/api/v1/serviceaccounts');
      // The controller that makes it begins with the one that makes accounts.
      await accounts.until(() => accounts.events.length > 0, 'an account');
      accounts.close();
      const { body } = await server.admin.get('/api/v1/configmaps');
      const names = body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
      expect(names).not.to.include('orch-root-ca.crt');
    } finally {
      await server.stop();
    }
  });
});
