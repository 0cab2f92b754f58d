import { expect } from 'chai';
import type { PodSpec } from '../../../../src/apis/types/core-v1.ts';
import {
  explainEviction,
  type PodUsage,
  storageViolation,
} from '../../../../src/nodeagent/eviction/index.ts';
import { container, disk, pod, usage } from './pods.ts';

const mebi = 1024 * 1024;

describe('explainEviction', () => {
  it('names containers that use more than they asked for', () => {
    const spec = { containers: [container('c', { memory: '10Mi' }), container('d', { memory: '1Gi' })] };
    const { containers, ...rest } = usage({ memoryBytes: 20 * mebi });
    const both = { ...rest, containers: [...containers, { ...containers[0], name: 'd' }] } as PodUsage;
    expect(explainEviction(pod('p', spec), both, 'memory').message).to.equal(
      'The node was low on resource: memory. Container c was using 20Mi, which exceeds its request of 10Mi. ',
    );
  });

  it('takes no request for nothing', () => {
    const used = usage({ writableLayer: disk(1000), logs: disk(24) });
    expect(explainEviction(pod('p'), used, 'ephemeral-storage').message).to.equal(
      'The node was low on resource: ephemeral-storage. ' +
        'Container c was using 1Ki, which exceeds its request of 0. ',
    );
  });

  it('says no more of what is not measured by container', () => {
    expect(explainEviction(pod('p'), usage({ processes: 9 }), 'pids').message).to.equal(
      'The node was low on resource: pids. ',
    );
    expect(explainEviction(pod('p'), undefined, 'inodes')).to.deep.equal({
      message: 'The node was low on resource: inodes. ',
      annotations: {},
    });
  });

  it('tells programs which containers offend, and how much they use', () => {
    const containers = ['c', 'd', 'e'].map((name) => container(name, name === 'd' ? { memory: '1Gi' } : {}));
    const { containers: measured, ...rest } = usage({ memoryBytes: 20 * mebi });
    const all = {
      ...rest,
      containers: ['c', 'd', 'e'].map((name) => ({ ...measured[0], name })),
    } as PodUsage;
    expect(explainEviction(pod('p', { containers }), all, 'memory').annotations).to.deep.equal({
      offending_containers: 'c,e',
      offending_containers_usage: '20Mi,20Mi',
      starved_resource: 'memory',
    });
    expect(explainEviction(pod('p'), usage({ processes: 9 }), 'pids').annotations).to.deep.equal({
      offending_containers: '',
      offending_containers_usage: '',
      starved_resource: 'pids',
    });
  });
});

describe('storageViolation', () => {
  const limited = (limit: string): Partial<PodSpec> => ({
    containers: [container('c', {}, { 'ephemeral-storage': limit })],
  });
  const empty = (sizeLimit?: string): Partial<PodSpec> => ({
    volumes: [{ name: 'v', emptyDir: { sizeLimit } }],
  });
  const two = {
    containers: [
      container('c', {}, { 'ephemeral-storage': '1Mi' }),
      container('d', {}, { 'ephemeral-storage': '9Mi' }),
    ],
  };

  const cases: [what: string, spec: Partial<PodSpec>, used: PodUsage, message: string | undefined][] = [
    [
      'a volume over its limit',
      empty('2Mi'),
      usage({ volumes: { v: 8 * mebi } }),
      'Usage of EmptyDir volume "v" exceeds the limit "2Mi". ',
    ],
    ['a volume at its limit', empty('2Mi'), usage({ volumes: { v: 2 * mebi } }), undefined],
    ['a volume without limit', empty(), usage({ volumes: { v: 9 * mebi } }), undefined],
    ['a limit of nothing, which is none', empty('0'), usage({ volumes: { v: 1 } }), undefined],
    ['a volume that nobody measured', empty('2Mi'), usage(), undefined],
    [
      'a pod over the limits of its containers',
      limited('3Mi'),
      usage({ writableLayer: disk(8 * mebi) }),
      'Pod ephemeral local storage usage exceeds the total limit of containers 3Mi. ',
    ],
    [
      'a pod over its limits by volumes',
      { ...limited('3Mi'), ...empty() },
      usage({ volumes: { v: 4 * mebi } }),
      'Pod ephemeral local storage usage exceeds the total limit of containers 3Mi. ',
    ],
    [
      'a container over its limit in a pod that is not',
      two,
      usage({ writableLayer: disk(mebi), logs: disk(mebi) }),
      'Container c exceeded its local ephemeral storage limit "1Mi". ',
    ],
    ['a pod within its limits', limited('3Mi'), usage({ writableLayer: disk(3 * mebi) }), undefined],
    ['a pod without limits', {}, usage({ writableLayer: disk(999 * mebi) }), undefined],
  ];
  for (const [what, spec, used, message] of cases) {
    it(`looks at ${what}`, () => {
      expect(storageViolation(pod('p', spec), used, { hasImageFs: false })?.message).to.equal(message);
    });
  }

  it('says which limit it was, as metrics name it', () => {
    const signals = cases.map(
      ([, spec, used]) => storageViolation(pod('p', spec), used, { hasImageFs: false })?.signal,
    );
    expect(signals.filter((signal) => signal !== undefined)).to.deep.equal([
      'emptydirfs.limit',
      'ephemeralpodfs.limit',
      'ephemeralpodfs.limit',
      'ephemeralcontainerfs.limit',
    ]);
  });

  it('leaves the writable layer of a container out where images have a file system of their own', () => {
    const used = usage({ writableLayer: disk(2 * mebi), logs: disk(mebi) });
    expect(storageViolation(pod('p', two), used, { hasImageFs: true })).to.equal(undefined);
  });
});
