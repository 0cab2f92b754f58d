import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { FCVolumeSource } from '../../../../src/apis/types/core-v1.ts';
import { fcDiskOf, fcLinks } from '../../../../src/nodeagent/disks/fc-disk.ts';
import { iscsiDiskOf } from '../../../../src/nodeagent/disks/iscsi-disk.ts';
import {
  diskPath,
  joinDisks,
  type NetworkDisk,
  parseDisk,
} from '../../../../src/nodeagent/disks/network-disk.ts';
import { rbdDiskOf } from '../../../../src/nodeagent/disks/rbd-disk.ts';

const iqn = 'iqn.2026-01.test.example:a';
const iscsi = iscsiDiskOf('v', { targetPortal: '192.0.2.1', portals: ['192.0.2.2'], iqn, lun: 1 });
const copied = iscsiDiskOf('v', {
  targetPortal: '192.0.2.1',
  iqn,
  lun: 1,
  initiatorName: 'iqn.2026-01.test:w',
});
const rbd = rbdDiskOf({ image: 'data' });
const wwns = fcDiskOf({ targetWWNs: ['50060e801049cfd1', '50060e801049cfd2'], lun: 2 });
const wwids = fcDiskOf({ wwids: ['3600508b400105e210000900000490000', 'ACME disk 7'] });

describe('fcDiskOf', () => {
  it('is named by ports and LUN, or by its own names', () => {
    expect([wwns, wwids].map(({ uniqueName }) => uniqueName)).to.deep.equal([
      '[50060e801049cfd1 50060e801049cfd2]:2',
      '[3600508b400105e210000900000490000 ACME disk 7]',
    ]);
    expect([wwns, wwids].map(diskPath)).to.deep.equal([
      '50060e801049cfd1-lun-2',
      '3600508b400105e210000900000490000',
    ]);
  });

  const cases: readonly (readonly [FCVolumeSource, string])[] = [
    [{}, 'fc: no fc disk information found. failed to make a new mounter'],
    [{ targetWWNs: ['50060e801049cfd1'] }, 'fc: no fc disk information found. failed to make a new mounter'],
    [{ wwids: ['../x'] }, 'fc: invalid name of a disk: ../x'],
    [{ wwids: ['..'] }, 'fc: invalid name of a disk: ..'],
    [{ targetWWNs: ['a/b'], lun: 0 }, 'fc: invalid name of a disk: a/b'],
  ];
  for (const [source, message] of cases) {
    it(`refuses ${JSON.stringify(source)}`, () => expect(() => fcDiskOf(source)).to.throw(message));
  }
});

describe('fcLinks', () => {
  it('knows links by ports, but no partitions and no other LUNs', () => {
    const { folder, isLink } = fcLinks(wwns);
    const name = 'pci-0000:41:00.0-fc-0x50060e801049cfd1-lun-2';
    const names = [
      name,
      `${name}0`,
      `${name}-part1`,
      name.replace('cfd1', 'cfd2'),
      name.replace('cfd1', 'cfd3'),
    ];
    expect([folder, names.filter(isLink)]).to.deep.equal([
      'disk/by-path',
      [name, name.replace('cfd1', 'cfd2')],
    ]);
  });

  it('knows links by its own names, in which no spaces are', () => {
    const { folder, isLink } = fcLinks(wwids);
    const names = ['scsi-3600508b400105e210000900000490000', 'scsi-ACME_disk_7', 'scsi-ACME_disk_7-part1'];
    expect([folder, names.filter(isLink)]).to.deep.equal(['disk/by-id', names.slice(0, 2)]);
  });
});

describe('parseDisk', () => {
  for (const disk of [iscsi, copied, wwns, wwids, rbd]) {
    it(`reads what was written of ${disk.uniqueName}`, () => {
      expect(parseDisk(JSON.parse(JSON.stringify(disk)))).to.deep.equal(disk);
    });
  }

  for (const value of [
    undefined,
    [],
    'text',
    { ...iscsi, kind: 'nfs' },
    { ...iscsi, portals: [] },
    { ...iscsi, portals: [1] },
    { ...iscsi, iqn: undefined },
    { ...iscsi, lun: '1' },
    { ...wwns, wwns: [] },
    { ...rbd, image: undefined },
    { ...wwns, wwids: undefined },
  ]) {
    it(`does not take ${JSON.stringify(value)} for one`, () => expect(parseDisk(value)).to.equal(undefined));
  }
});

describe('joinDisks', () => {
  it('has the ways of both', () => {
    const one = iscsiDiskOf('v', { targetPortal: '192.0.2.1', portals: ['192.0.2.3'], iqn, lun: 1 });
    const portals = ['192.0.2.1:3260', '192.0.2.3:3260', '192.0.2.2:3260'];
    expect(joinDisks(one, iscsi)).to.deep.equal({ ...one, portals });
    const less: NetworkDisk = { ...wwns, wwns: wwns.wwns.slice(0, 1) };
    expect(joinDisks(less, wwns)).to.deep.equal(wwns);
  });
});
