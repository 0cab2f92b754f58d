import { expect } from 'chai';
import { describe, it } from 'mocha';
import { kindOf, kindsOfGates } from '../../../../src/apis/csi-migration/index.ts';

const driversOf = (...gates: string[]): string[] =>
  kindsOfGates((gate) => gates.includes(gate)).map(({ driver }) => driver);

describe('kindsOfGates', () => {
  it('are those whose gates are on beside that of all of them', () => {
    expect(driversOf('CSIMigration')).to.deep.equal([]);
    expect(driversOf('CSIMigrationProvider1')).to.deep.equal([]);
    expect(driversOf('CSIMigration', 'CSIMigrationProvider1')).to.deep.equal(['ebs.csi.aws.com']);
    expect(driversOf('CSIMigration', 'CSIMigrationProvider6', 'CSIMigrationProvider2')).to.deep.equal([
      'disk.csi.azure.com',
      'csi.vsphere.vmware.com',
    ]);
  });
});

describe('kindOf', () => {
  it('is that of the source, among the given ones', () => {
    expect(kindOf({ cinder: { volumeID: 'c' } })?.driver).to.equal('cinder.csi.openstack.org');
    expect(kindOf({ cinder: { volumeID: 'c' } }, [])).to.equal(undefined);
    expect(kindOf({})).to.equal(undefined);
  });
});
