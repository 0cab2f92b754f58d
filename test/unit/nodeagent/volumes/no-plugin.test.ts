import { expect } from 'chai';
import { describe, it } from 'mocha';
import volumeSources from '../../../../src/apis/core/pod-spec/volume-sources.json' with { type: 'json' };
import { noPlugin } from '../../../../src/nodeagent/volumes/no-plugin.ts';

describe('noPlugin', () => {
  const what = 'failed to get Plugin from volumeSpec for volume "v" err=no volume plugin matched';
  const cases: readonly (readonly [source: object, advice: string])[] = [
    [
      { awsElasticBlockStore: { volumeID: 'x' } },
      ': awsElasticBlockStore is not built in, use the CSI driver ebs.csi.aws.com',
    ],
    [
      { capacity: {}, gcePersistentDisk: { pdName: 'x' } },
      ': gcePersistentDisk is not built in, use the CSI driver pd.csi.storage.gke.io',
    ],
    [{ cinder: { volumeID: 'x' } }, ': cinder is not built in, use the CSI driver cinder.csi.openstack.org'],
    [{ flocker: { datasetName: 'd' } }, ': flocker is not built in, its maker has ended'],
    [{ cinder: null, flexVolume: { driver: 'x' } }, ''],
    [{}, ''],
  ];
  for (const [source, advice] of cases) {
    it(`of ${JSON.stringify(source)} says ${advice || 'no more'}`, () =>
      expect(noPlugin('v', source).message).to.equal(`${what}${advice}`));
  }

  it('tells what serves of every kind of the API that the agent does not mount', () => {
    const isRefused = (kind: string): boolean =>
      noPlugin('v', { [kind]: {} }).message.includes(' is not built in, ');
    expect(volumeSources.order.filter((kind) => !isRefused(kind))).to.deep.equal([
      'emptyDir',
      'hostPath',
      'gitRepo',
      'secret',
      'nfs',
      'iscsi',
      'glusterfs',
      'persistentVolumeClaim',
      'rbd',
      'cephfs',
      'downwardAPI',
      'fc',
      'flexVolume',
      'configMap',
      'projected',
      'csi',
      'ephemeral',
    ]);
  });
});
