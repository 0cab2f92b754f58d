import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  type IscsiDescription,
  type IscsiDisk,
  iscsiDiskOf,
  iscsiPath,
  isLinkOf,
  planDetach,
} from '../../../../src/nodeagent/disks/iscsi-disk.ts';

const iqn = 'iqn.2026-01.test.example:a';
const described = (more: Partial<IscsiDescription> = {}): IscsiDisk =>
  iscsiDiskOf('v', { targetPortal: '192.0.2.1', iqn, lun: 0, ...more });

describe('iscsiDiskOf', () => {
  for (const [portal, whole] of [
    ['192.0.2.1', '192.0.2.1:3260'],
    ['192.0.2.1:3261', '192.0.2.1:3261'],
    ['disks.test.example', 'disks.test.example:3260'],
    ['[2001:db8::1]:3261', '[2001:db8::1]:3261'],
    ['[2001:db8::1]', '[2001:db8::1]:3260'],
    ['2001:db8::1', '[2001:db8::1]:3260'],
  ] as const) {
    it(`knows the port of ${portal}`, () =>
      expect(described({ targetPortal: portal }).portals).to.deep.equal([whole]));
  }

  it('has each portal once', () => {
    const portals = ['192.0.2.2', '192.0.2.1:3260', '192.0.2.2:3260'];
    expect(described({ portals }).portals).to.deep.equal(['192.0.2.1:3260', '192.0.2.2:3260']);
  });

  it('is named as it is described', () => {
    expect(described().uniqueName).to.equal(`192.0.2.1:${iqn}:0`);
  });

  it('has an interface of its own when it names an initiator', () => {
    const initiatorName = 'iqn.2026-01.test.example:web';
    const { iface, copied } = described({ iscsiInterface: 'hardware', initiatorName });
    expect([iface, copied]).to.deep.equal(['192.0.2.1:3260:v', { from: 'hardware', initiatorName }]);
  });

  for (const more of [
    { targetPortal: '../x' },
    { portals: ['a/b'] },
    { iqn: 'iqn.2026-01.test.example:../../x' },
    { iscsiInterface: '../default' },
    { iqn: '' },
  ]) {
    it(`refuses ${JSON.stringify(more)}`, () =>
      expect(() => described(more)).to.throw('invalid iSCSI portal, target or interface: '));
  }
});

describe('iscsiPath', () => {
  it("is that of release 1.20's folders", () => {
    expect(iscsiPath(described({ lun: 3 }))).to.equal(`iface-default/192.0.2.1:3260-${iqn}-lun-3`);
  });
});

describe('isLinkOf', () => {
  const ends = (disk: IscsiDisk, portal: string, transport: string, names: readonly string[]): string[] =>
    names.filter(isLinkOf(disk, portal, transport));

  it('knows the link of a session in software, and no partition or other LUN', () => {
    const name = `ip-192.0.2.1:3260-iscsi-${iqn}-lun-1`;
    const names = [name, `${name}0`, `${name}-part1`, `pci-0000:04:00.2-${name}`];
    expect(ends(described({ lun: 1 }), '192.0.2.1:3260', 'tcp', names)).to.deep.equal([name]);
  });

  it('knows the link of a session in hardware', () => {
    const name = `ip-192.0.2.1:3260-iscsi-${iqn}-lun-0`;
    const names = [name, `pci-0000:04:00.2-${name}`, `pci-0000:04:00.2-${name}-part1`];
    expect(ends(described(), '192.0.2.1:3260', 'bnx2i', names)).to.deep.equal([`pci-0000:04:00.2-${name}`]);
  });

  it('knows addresses of IPv6 without brackets', () => {
    const name = `ip-2001:db8::1:3260-iscsi-${iqn}-lun-0`;
    expect(ends(described(), '[2001:db8::1]:3260', 'tcp', [name])).to.deep.equal([name]);
  });
});

describe('planDetach', () => {
  const disk = described({ portals: ['192.0.2.2'] });
  const [first, second] = ['192.0.2.1:3260', '192.0.2.2:3260'];
  const initiatorName = 'iqn.2026-01.test.example:web';

  it('ends all of a disk that is the last of its target', () => {
    const other = described({ iqn: 'iqn.2026-01.test.example:ab' });
    expect(planDetach(disk, [other])).to.deep.equal({
      removesDevices: true,
      portals: [first, second],
      removesIface: false,
    });
  });

  it('leaves sessions to other LUNs of the target', () => {
    expect(planDetach(disk, [described({ lun: 1 })])).to.deep.equal({
      removesDevices: true,
      portals: [second],
      removesIface: false,
    });
  });

  it('leaves devices to the same LUN that is described in another way', () => {
    const other = described({ targetPortal: '192.0.2.2' });
    expect(planDetach(disk, [other])).to.deep.equal({
      removesDevices: false,
      portals: [first],
      removesIface: false,
    });
  });

  it('does not care for sessions of other interfaces', () => {
    const own = described({ initiatorName });
    expect(planDetach(own, [described()])).to.deep.equal({
      removesDevices: true,
      portals: [first],
      removesIface: true,
    });
    expect(planDetach(own, [described({ initiatorName, lun: 1 })]).removesIface).to.equal(false);
  });
});
