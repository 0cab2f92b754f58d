import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { VolumeMount } from '../../../../src/apis/types/core-v1.ts';
import {
  blockDevices,
  ContainerConfigError,
  type PodVolume,
  type VolumeMountsOptions,
  volumeMounts,
} from '../../../../src/nodeagent/container-config/index.ts';
import { containerOf } from './pods.ts';

const volumeOf = (changes: Partial<PodVolume> = {}): PodVolume => ({
  path: '/vols/v',
  isReadOnly: false,
  needsSelinuxLabel: false,
  ...changes,
});

const mountAll = (mounts: VolumeMount[], options: Partial<VolumeMountsOptions> = {}) =>
  volumeMounts(containerOf({ volumeMounts: mounts }), {
    podDir: '/pods/u',
    volumes: new Map([['v', volumeOf()]]),
    environment: [
      { name: 'PN', value: 'web' },
      { name: 'UP', value: '../x' },
      { name: 'EMPTY', value: '' },
    ],
    isSelinuxEnabled: true,
    ...options,
  });

const plain = { hostPath: '/vols/v', isReadOnly: false, relabelsSelinux: false, propagation: 'private' };

describe('volumeMounts', () => {
  it('mounts volumes in order, at absolute paths', () => {
    const { mounts, subPaths } = mountAll([
      { name: 'v', mountPath: '/a' },
      { name: 'v', mountPath: 'b', readOnly: true },
    ]);
    expect(mounts).to.deep.equal([
      { ...plain, containerPath: '/a' },
      { ...plain, containerPath: '/b', isReadOnly: true },
    ]);
    expect(subPaths).to.deep.equal([]);
  });

  it('writes to no volume that is read-only', () => {
    const volumes = new Map([['v', volumeOf({ isReadOnly: true })]]);
    expect(mountAll([{ name: 'v', mountPath: '/a' }], { volumes }).mounts[0]?.isReadOnly).to.equal(true);
  });

  it('labels a volume once, where labels mean something', () => {
    const volumes = new Map([['v', volumeOf({ needsSelinuxLabel: true })]]);
    const both = ['/a', '/b'].map((mountPath) => ({ name: 'v', mountPath }));
    const labelsOf = (isSelinuxEnabled: boolean) =>
      mountAll(both, { volumes, isSelinuxEnabled }).mounts.map(({ relabelsSelinux }) => relabelsSelinux);
    expect(labelsOf(true)).to.deep.equal([true, false]);
    expect(labelsOf(false)).to.deep.equal([false, false]);
  });

  it('propagates mounts as it is told', () => {
    const modes = [undefined, 'None', 'HostToContainer', 'Bidirectional'];
    const { mounts } = mountAll(
      modes.map((mountPropagation) => ({ name: 'v', mountPath: '/a', mountPropagation })),
    );
    expect(mounts.map(({ propagation }) => propagation)).to.deep.equal([
      'private',
      'private',
      'host-to-container',
      'bidirectional',
    ]);
    const wrong = { name: 'v', mountPath: '/a', mountPropagation: 'Up' };
    expect(() => mountAll([wrong])).to.throw('invalid MountPropagation mode: "Up"');
  });

  it('leads paths below volumes through a mount of their own', () => {
    const { mounts, subPaths } = mountAll([
      { name: 'v', mountPath: '/v' },
      { name: 'v', mountPath: '/s', subPathExpr: 'x/$(PN)' },
      { name: 'v', mountPath: '/t', subPath: 'a..b/$(PN)' },
    ]);
    expect(mounts.map(({ hostPath }) => hostPath)).to.deep.equal([
      '/vols/v',
      '/pods/u/volume-subpaths/v/c/1',
      '/pods/u/volume-subpaths/v/c/2',
    ]);
    expect(subPaths).to.deep.equal([
      {
        volumeName: 'v',
        volumePath: '/vols/v',
        subPath: 'x/web',
        index: 1,
        bindPath: '/pods/u/volume-subpaths/v/c/1',
      },
      {
        volumeName: 'v',
        volumePath: '/vols/v',
        subPath: 'a..b/$(PN)',
        index: 2,
        bindPath: '/pods/u/volume-subpaths/v/c/2',
      },
    ]);
  });

  const refused: readonly (readonly [string, Partial<VolumeMount>, string])[] = [
    ['a variable without a value, as recorded', { subPathExpr: 'x/$(NOPE)' }, 'missing value for NOPE'],
    ['several of them, sorted', { subPathExpr: '$(Z)$(EMPTY)$(Z)' }, 'missing value for EMPTY, Z'],
    ['a way up', { subPath: 'a/../..' }, "unable to provision SubPath `a/../..`: must not contain '..'"],
    [
      'a way up in a variable',
      { subPathExpr: 'a/$(UP)' },
      "unable to provision SubPath `a/../x`: must not contain '..'",
    ],
    ['an absolute path', { subPath: '/etc' }, 'error SubPath `/etc` must not be an absolute path'],
    ['a volume that is not there', { name: 'w' }, 'cannot find volume "w" to mount into container "c"'],
  ];
  for (const [name, fields, message] of refused) {
    it(`refuses ${name}`, () => {
      expect(() => mountAll([{ name: 'v', mountPath: '/s', ...fields }]))
        .to.throw(ContainerConfigError)
        .with.property('message', message);
    });
  }
});

describe('blockDevices', () => {
  const volumes = new Map([
    ['d', volumeOf({ path: undefined, devicePath: '/links/d' })],
    ['r', volumeOf({ path: undefined, devicePath: '/links/r', isReadOnly: true })],
    ['v', volumeOf()],
  ]);
  const devicesOf = (...volumeDevices: { name: string; devicePath: string }[]) =>
    blockDevices(containerOf({ volumeDevices }), volumes);

  it('passes links to devices on, with what may be done to them', () => {
    expect(devicesOf({ name: 'd', devicePath: '/dev/x' }, { name: 'r', devicePath: '/dev/y' })).to.deep.equal(
      [
        { containerPath: '/dev/x', hostPath: '/links/d', permissions: 'mrw' },
        { containerPath: '/dev/y', hostPath: '/links/r', permissions: 'r' },
      ],
    );
  });

  it('refuses volumes that are none, and relative paths', () => {
    expect(() => devicesOf({ name: 'v', devicePath: '/dev/x' })).to.throw(
      ContainerConfigError,
      'cannot find volume "v" to pass into container "c"',
    );
    expect(() => devicesOf({ name: 'd', devicePath: 'x' })).to.throw(
      ContainerConfigError,
      'error DevicePath `x` must be an absolute path',
    );
  });
});
