import { expect } from 'chai';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import { run, specOf, write } from './fixtures.ts';

const provisionedBy = { 'pv.orch.io/provisioned-by': 'someone' };
const zone = 'topology.orch.io/zone';
const region = 'topology.orch.io/region';
const oldZone = 'failure-domain.beta.orch.io/zone';
const oldRegion = 'failure-domain.beta.orch.io/region';

const inValues = (key: string, ...values: string[]) => ({ key, operator: 'In', values });
const ebs = { awsElasticBlockStore: { volumeID: 'vol-1' } };

async function label(spec: object, metadata: object = {}) {
  const object = {
    kind: 'PersistentVolume',
    apiVersion: 'v1',
    metadata: { name: 'v', ...metadata },
    spec,
  } as ApiObject;
  const refusal = await run(write({ resourceName: 'persistentvolumes', object }), {
    plugins: ['PersistentVolumeLabel'],
  });
  return { message: refusal?.message, code: refusal?.code, affinity: specOf(object).nodeAffinity };
}

describe('PersistentVolumeLabel', () => {
  const refused: readonly (readonly [object, string])[] = [
    [ebs, 'error querying AWS EBS volume vol-1: unable to build AWS cloud provider for EBS'],
    [
      { gcePersistentDisk: { pdName: 'd' } },
      'error querying GCE PD volume d: unable to build GCE cloud provider for PD',
    ],
    [
      { azureDisk: { diskName: 'd', diskURI: 'u' } },
      'error querying AzureDisk volume d: unable to build Azure cloud provider for AzureDisk',
    ],
    [
      { cinder: { volumeID: 'd' } },
      'error querying Cinder volume d: unable to build OpenStack cloud provider for Cinder disk',
    ],
    [
      { vsphereVolume: { volumePath: 'p' } },
      'error querying vSphere Volume p: unable to build vSphere cloud provider',
    ],
    [
      { vsphereVolume: { volumePath: 'placeholder-for-provisioning' } },
      'error querying vSphere Volume placeholder-for-provisioning: unable to build vSphere cloud provider',
    ],
  ];
  for (const [spec, problem] of refused) {
    it(`refuses a volume of a cloud that nobody asks: ${JSON.stringify(spec)}`, async () => {
      const { code, message } = await label(spec);
      expect([code, message]).to.deep.equal([403, `persistentvolumes "v" is forbidden: ${problem}`]);
    });
  }

  const untouched: readonly (readonly [string, object])[] = [
    ['is of no cloud', { hostPath: { path: '/x' } }],
    ['is being provisioned', { awsElasticBlockStore: { volumeID: 'placeholder-for-provisioning' } }],
  ];
  for (const [what, spec] of untouched) {
    it(`lets through a volume that ${what}`, async () => {
      expect(await label(spec)).to.deep.equal({ message: undefined, code: undefined, affinity: undefined });
    });
  }

  const terms = (...nodeSelectorTerms: object[]) => ({ required: { nodeSelectorTerms } });
  const labelled: readonly (readonly [string, object, object, object])[] = [
    [
      'zone and region of a provisioned volume become its affinity',
      { [zone]: 'b__ a', [region]: 'r' },
      {},
      terms({ matchExpressions: [inValues(zone, 'a', 'b'), inValues(region, 'r')] }),
    ],
    [
      'so do those of earlier releases',
      { [oldZone]: 'a', [oldRegion]: 'r', [zone]: 'x' },
      {},
      terms({ matchExpressions: [inValues(oldZone, 'a'), inValues(oldRegion, 'r')] }),
    ],
    [
      'they are added to each term',
      { [zone]: 'a', [region]: 'r' },
      { nodeAffinity: terms({ matchExpressions: [inValues('x', 'y')] }, {}) },
      terms(
        { matchExpressions: [inValues('x', 'y'), inValues(zone, 'a'), inValues(region, 'r')] },
        { matchExpressions: [inValues(zone, 'a'), inValues(region, 'r')] },
      ),
    ],
    [
      'but not where a term speaks of them',
      { [zone]: 'a', [region]: 'r' },
      { nodeAffinity: terms({ matchExpressions: [inValues(zone, 'z')] }, {}) },
      terms({ matchExpressions: [inValues(zone, 'z')] }, {}),
    ],
  ];
  for (const [what, labels, spec, expected] of labelled) {
    it(what, async () => {
      const { message, affinity } = await label({ ...ebs, ...spec }, { annotations: provisionedBy, labels });
      expect([message, affinity]).to.deep.equal([undefined, expected]);
    });
  }

  it('does not believe labels of a volume that nobody provisioned', async () => {
    expect(await label(ebs, { labels: { [zone]: 'a', [region]: 'r' } })).to.have.property('code', 403);
  });

  it('refuses zones without a name', async () => {
    const metadata = { annotations: provisionedBy, labels: { [zone]: 'a__', [region]: 'r' } };
    expect(await label(ebs, metadata)).to.have.property(
      'message',
      'persistentvolumes "v" is forbidden: failed to convert label string for Zone: a__ to a Set',
    );
  });
});
