import { expect } from 'chai';
import { describe, it } from 'mocha';
import { memoryBound } from '../../../../src/nodeagent/volumes/empty-dir.ts';
import { nestedMountPoints } from '../../../../src/nodeagent/volumes/nested-mount-points.ts';
import { createPodQueues } from '../../../../src/nodeagent/volumes/pod-queues.ts';
import { usedVolumes } from '../../../../src/nodeagent/volumes/used-volumes.ts';
import { containerOf, podOf } from '../container-config/pods.ts';

const mountsOf = (...mounts: string[]) =>
  podOf({
    containers: [
      containerOf({
        volumeMounts: mounts.map((text) => {
          const [name = '', mountPath = ''] = text.split(':');
          return { name, mountPath };
        }),
      }),
    ],
  });

describe('nestedMountPoints', () => {
  for (const [mounts, expected] of [
    [['v:/a', 'w:/b'], []],
    [['v:/a', 'w:/a/b/c', 'x:/a/b/c/d', 'y:/a/b'], ['b']],
    [
      ['v:/a/', 'w:/a/x', 'y:/a/xy'],
      ['x', 'xy'],
    ],
    [['v:/a', 'v:/z', 'w:/z/1'], ['1']],
    [['v:/', 'w:/etc'], ['etc']],
  ] as const) {
    it(`of ${mounts.join(' ')} are [${expected.join(' ')}]`, () => {
      expect(nestedMountPoints(mountsOf(...mounts), 'v')).to.deep.equal(expected);
    });
  }

  it('refuses paths that lead out of the container', () => {
    expect(() => nestedMountPoints(mountsOf('v:../a'), 'v')).to.throw('Invalid container mount point ../a');
  });
});

describe('usedVolumes', () => {
  it('knows mounts and devices of all containers', () => {
    const pod = podOf({
      initContainers: [containerOf({ volumeMounts: [{ name: 'i', mountPath: '/i' }] })],
      containers: [
        containerOf({
          volumeMounts: [{ name: 'v', mountPath: '/v' }],
          volumeDevices: [{ name: 'd', devicePath: '/d' }],
        }),
      ],
      volumes: [{ name: 'unused', emptyDir: {} }],
    });
    expect(Object.fromEntries(usedVolumes(pod))).to.deep.equal({
      i: { isMounted: true, isDevice: false },
      v: { isMounted: true, isDevice: false },
      d: { isMounted: false, isDevice: true },
    });
  });
});

describe('memoryBound', () => {
  const limited = podOf({
    containers: [containerOf({ resources: { limits: { memory: '64Mi' }, requests: { memory: '64Mi' } } })],
  });
  const mebibyte = 1024 * 1024;

  for (const [about, pod, sizeLimit, allocatable, mebibytes] of [
    ['what the node has', podOf(), undefined, { memory: '1Gi' }, 1024],
    ['what the pod may use', limited, undefined, { memory: '1Gi' }, 64],
    ['what it asks for', limited, '16Mi', { memory: '1Gi' }, 16],
    ['what the pod may use when it asks for more', limited, '1Gi', { memory: '2Gi' }, 64],
  ] as const) {
    it(`is ${about}`, () => {
      expect(memoryBound({ pod, sizeLimit, allocatable })).to.equal(mebibytes * mebibyte);
    });
  }

  it('is none when nothing is known', () => {
    expect(memoryBound({ pod: podOf(), sizeLimit: undefined, allocatable: {} })).to.equal(undefined);
  });
});

describe('createPodQueues', () => {
  it('runs tasks of one pod in order, also after a failure, and of several side by side', async () => {
    const queues = createPodQueues();
    const log: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = queues.run('a', async () => {
      await gate.promise;
      log.push('a1');
      throw new Error('broken');
    });
    const second = queues.run('a', async () => void log.push('a2'));
    await queues.run('b', async () => void log.push('b1'));
    gate.resolve();
    expect(await first.catch((error: Error) => error.message)).to.equal('broken');
    await second;
    expect(log).to.deep.equal(['b1', 'a1', 'a2']);
  });
});
