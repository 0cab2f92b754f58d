import { expect } from 'chai';
import { migratedKinds } from '../../../src/apis/csi-migration/index.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../src/apis/types/core-v1.ts';
import { decideExpansion } from '../../../src/controllers/volume-expander.ts';
import { orchDialect as dialect } from '../../../src/machinery/dialect.ts';

const claim = (wanted: string, storage = '1Gi', phase = 'Bound') =>
  ({
    metadata: { name: 'c', uid: 'u' },
    spec: { resources: { requests: { storage: wanted } } },
    status: { phase, capacity: { storage } },
  }) as unknown as PersistentVolumeClaim; // what claims have that is looked at
const volume = (source: object, uid = 'u') =>
  ({ spec: { claimRef: { uid }, ...source } }) as unknown as PersistentVolume; // what volumes have that is looked at

describe('what is told of claims that are to grow', () => {
  const csi = { csi: { driver: 'x', volumeHandle: 'h' } };
  const disk = { awsElasticBlockStore: { volumeID: 'v' } };
  const waits =
    "Warning: Ignoring the PVC: didn't find a plugin capable of expanding the volume; waiting for an external controller to process this PVC.";
  const cases: readonly (readonly [
    string,
    PersistentVolumeClaim,
    PersistentVolume | undefined,
    string | undefined,
  ])[] = [
    ['that it is done elsewhere', claim('2Gi'), volume(csi), waits],
    ['nothing when they have all', claim('1024Mi'), volume(csi), undefined],
    ['nothing before they are bound', claim('2Gi', '1Gi', 'Pending'), volume(csi), undefined],
    ['nothing of the volume of another claim', claim('2Gi'), volume(csi, 'other'), undefined],
    ['nothing without a volume', claim('2Gi'), undefined, undefined],
    [
      'which driver is waited for',
      claim('2Gi'),
      volume(disk),
      'Normal ebs.csi.aws.com: CSI migration enabled for orch.io/aws-ebs; waiting for external resizer to expand the pvc',
    ],
  ];
  for (const [what, of, on, expected] of cases) {
    it(what, () => {
      const found = decideExpansion(of, on, { dialect, migratedKinds });
      const shown = found && `${[found.type, found.driver ?? []].flat().join(' ')}: ${found.message}`;
      expect(shown).to.equal(expected);
    });
  }
});
