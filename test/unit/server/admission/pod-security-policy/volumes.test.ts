import { expect } from 'chai';
import { sourceNames } from '../../../../../src/apis/core/pod-spec/volume-sources.ts';
import volumeTypes from '../../../../../src/apis/policy/volume-types.json' with { type: 'json' };
import { measure } from './fixtures.ts';

const mounting = (volume: object, mounts: readonly object[] = []) => ({
  volumes: [{ name: 'v', ...volume }],
  containers: [{ name: 'c', image: 'i', resources: {}, volumeMounts: mounts }],
});
const hostPath = (path: string, ...mounts: object[]) => mounting({ hostPath: { path } }, mounts);
const allowed = (...allowedHostPaths: object[]) => ({ volumes: ['*'], allowedHostPaths });

/** What is wrong; '' for what is let in. */
async function errorsOf(policySpec: object, podSpec: object): Promise<string> {
  const measured = await measure(policySpec, podSpec);
  return typeof measured === 'string' ? measured : '';
}

const refusedPath = (path: string) =>
  `spec.volumes[0].hostPath.pathPrefix: Invalid value: "${path}": is not allowed to be used`;

describe('volumes under a pod security policy', () => {
  it('are named as policies name them, and refused unless listed', async () => {
    for (const source of sourceNames) {
      const kind = source === 'cephfs' ? 'cephFS' : source;
      expect(volumeTypes).to.include(kind);
      const podSpec = mounting({ [source]: {} });
      const refusal = `spec.volumes[0]: Invalid value: "${kind}": ${kind} volumes are not allowed to be used`;
      expect(await errorsOf({ volumes: ['none'] }, podSpec)).to.equal(refusal);
      if (kind !== 'hostPath') expect(await errorsOf({ volumes: [kind] }, podSpec)).to.equal('');
      expect(await errorsOf({}, podSpec)).to.equal(refusal);
    }
  });

  const paths: readonly (readonly [policy: object, pod: object, errors: string])[] = [
    [allowed(), hostPath('/x'), ''],
    [allowed({ pathPrefix: '/a' }), hostPath('/a'), ''],
    [allowed({ pathPrefix: '/a/' }), hostPath('/a/b'), ''],
    [allowed({ pathPrefix: '/a' }), hostPath('/ab'), refusedPath('/ab')],
    [allowed({ pathPrefix: '/' }), hostPath('/ab'), ''],
    [allowed({ pathPrefix: '/b' }), hostPath('/a/b'), refusedPath('/a/b')],
    [allowed({ pathPrefix: '/a', readOnly: true }), hostPath('/a', { name: 'v', readOnly: true }), ''],
    [
      allowed({ pathPrefix: '/a', readOnly: true }),
      hostPath('/a', { name: 'w' }, { name: 'v' }),
      'spec.containers[0].volumeMounts[1].readOnly: Invalid value: false: must be read-only',
    ],
    [
      allowed({ pathPrefix: '/a', readOnly: true }, { pathPrefix: '/a/b' }),
      hostPath('/a/b', { name: 'v' }),
      '',
    ],
  ];
  for (const [policySpec, podSpec, errors] of paths) {
    it(`${JSON.stringify(podSpec.valueOf())} under ${JSON.stringify(policySpec)}`, async () => {
      expect(await errorsOf(policySpec, podSpec)).to.equal(errors);
    });
  }

  it('of drivers are bounded by lists of drivers', async () => {
    const policySpec = {
      volumes: ['*'],
      allowedFlexVolumes: [{ driver: 'a' }],
      allowedCSIDrivers: [{ name: 'a' }],
    };
    for (const source of ['flexVolume', 'csi']) {
      expect(await errorsOf(policySpec, mounting({ [source]: { driver: 'a' } }))).to.equal('');
      expect(await errorsOf({ volumes: ['*'] }, mounting({ [source]: { driver: 'b' } }))).to.equal('');
    }
    expect(await errorsOf(policySpec, mounting({ flexVolume: { driver: 'b' } }))).to.equal(
      'spec.volumes[0].driver: Invalid value: "b": Flexvolume driver is not allowed to be used',
    );
    expect(await errorsOf(policySpec, mounting({ csi: { driver: 'b' } }))).to.equal(
      'spec.volumes[0].csi.driver: Invalid value: "b": Inline CSI driver is not allowed to be used',
    );
  });

  it('of service account tokens count as secrets', async () => {
    const token = { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } };
    const root = { configMap: { name: 'orch-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } };
    const namespace = {
      downwardAPI: {
        items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
      },
    };
    const projected = (...sources: object[]) => mounting({ projected: { sources } });
    const policySpec = { volumes: ['secret'] };
    const refusal =
      'spec.volumes[0]: Invalid value: "projected": projected volumes are not allowed to be used';
    expect(await errorsOf(policySpec, projected(token, root, namespace))).to.equal('');
    expect(await errorsOf({ volumes: ['emptyDir'] }, projected(token, root, namespace))).to.equal(refusal);
    for (const other of [
      { secret: { name: 's' } },
      { serviceAccountToken: { path: 'token', audience: 'x' } },
      { serviceAccountToken: { path: 'other' } },
      { configMap: { name: 'other' } },
      {
        downwardAPI: {
          items: [{ path: 'name', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }],
        },
      },
    ]) {
      expect(await errorsOf(policySpec, projected(token, other))).to.equal(refusal);
    }
  });
});
