import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { PersistentVolume } from '../../../../src/apis/types/core-v1.ts';
import { orchDialect as dialect } from '../../../../src/machinery/dialect.ts';
import { diskSourceOfClaim, diskSourceOfPod } from '../../../../src/nodeagent/volumes/disk-source.ts';

const iscsi = { targetPortal: '192.0.2.1', iqn: 'iqn.2026-01.test.example:a', lun: 0 };
const fc = { wwids: ['3600508b4'] };

describe('diskSourceOfPod', () => {
  it('has the secret of an iSCSI disk in the namespace of the pod', () => {
    const described = { ...iscsi, readOnly: true, fsType: 'xfs', secretRef: { name: 's' } };
    expect(diskSourceOfPod({ name: 'v', iscsi: described }, 'shop')).to.deep.equal({
      name: 'v',
      disk: { kind: 'iscsi', iscsi },
      fsType: 'xfs',
      isBlock: false,
      isReadOnly: true,
      mountOptions: [],
      secret: { namespace: 'shop', name: 's' },
    });
  });

  it('has no secret for disks of Fibre Channel', () => {
    expect(diskSourceOfPod({ name: 'v', fc }, 'shop')).to.deep.equal({
      name: 'v',
      disk: { kind: 'fc', fc },
      fsType: '',
      isBlock: false,
      isReadOnly: false,
      mountOptions: [],
      secret: undefined,
    });
  });

  it('is nothing for volumes of other kinds', () => {
    expect(diskSourceOfPod({ name: 'v', nfs: { server: 's', path: '/' } }, 'shop')).to.equal(undefined);
  });
});

describe('diskSourceOfClaim', () => {
  const of = (spec: PersistentVolume['spec'], isReadOnly = false) =>
    diskSourceOfClaim(
      { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'pv' }, spec, status: {} },
      { namespace: 'shop', isReadOnly, dialect },
    );

  it('has the secret where the persistent volume says, or else in the namespace of the claim', () => {
    const secretOf = (secretRef?: { name?: string; namespace?: string }) =>
      of({ iscsi: { ...iscsi, secretRef } })?.secret;
    expect([secretOf({ name: 's', namespace: 'infra' }), secretOf({ name: 's' }), secretOf()]).to.deep.equal([
      { namespace: 'infra', name: 's' },
      { namespace: 'shop', name: 's' },
      undefined,
    ]);
  });

  it('is read-only when the claim is, whatever the persistent volume says', () => {
    expect(of({ iscsi: { ...iscsi, readOnly: true } })?.isReadOnly).to.equal(false);
    expect(of({ iscsi }, true)?.isReadOnly).to.equal(true);
  });

  it('has options and mode of the persistent volume', () => {
    expect(of({ fc, volumeMode: 'Block', mountOptions: ['noatime'] })).to.deep.include({
      name: 'pv',
      isBlock: true,
      mountOptions: ['noatime'],
      disk: { kind: 'fc', fc },
    });
  });

  it('tells images that all nodes only read from others', () => {
    const rbd = { monitors: ['192.0.2.1'], image: 'data' };
    const isShared = (accessModes: string[]) => {
      const disk = of({ rbd, accessModes })?.disk;
      return disk?.kind === 'rbd' && disk.isShared;
    };
    expect([['ReadOnlyMany'], ['ReadWriteOnce', 'ReadOnlyMany'], []].map(isShared)).to.deep.equal([
      true,
      false,
      false,
    ]);
  });

  it('is nothing for volumes of other kinds', () => {
    expect(of({ nfs: { server: 's', path: '/' } })).to.equal(undefined);
  });
});
