import { expect } from 'chai';
import fc from 'fast-check';
import { type RankedPod, type RankOptions, rankPods } from '../../../../src/nodeagent/eviction/index.ts';
import { container, disk, pod, usage } from './pods.ts';

const mebi = 1024 * 1024;

describe('rankPods', () => {
  const names = (pods: readonly RankedPod[], options: Partial<RankOptions> = {}) =>
    rankPods(pods, { signal: 'memory.available', hasImageFs: false, ...options }).map(
      ({ metadata }) => metadata.name,
    );
  const asks = (name: string, memory: string, priority = 0) =>
    pod(name, { containers: [container('c', { memory })], priority });

  it('begins with pods that use more memory than they asked for', () => {
    const within = { pod: asks('within', '100Mi'), usage: usage({ memoryBytes: 90 * mebi }) };
    const beyond = { pod: asks('beyond', '10Mi'), usage: usage({ memoryBytes: 11 * mebi }) };
    expect(names([within, beyond])).to.deep.equal(['beyond', 'within']);
  });

  it('then looks at the priority, and then at how much is beyond', () => {
    const used = usage({ memoryBytes: 50 * mebi });
    const pods = [
      { pod: asks('high', '1Mi', 1000), usage: used },
      { pod: asks('low-small', '40Mi', 0), usage: used },
      { pod: asks('low-large', '20Mi', 0), usage: used },
    ];
    expect(names(pods)).to.deep.equal(['low-large', 'low-small', 'high']);
  });

  it('puts pods of which nothing is known first', () => {
    const known = { pod: pod('known'), usage: usage({ memoryBytes: mebi }) };
    expect(names([known, { pod: pod('unknown'), usage: undefined }])).to.deep.equal(['unknown', 'known']);
  });

  it('counts what init containers ask for, and the overhead', () => {
    const spec = {
      initContainers: [container('i', { memory: '30Mi' })],
      containers: [container('c', { memory: '10Mi' })],
      overhead: { memory: '5Mi' },
    };
    const pods = [
      { pod: asks('beyond', '33Mi'), usage: usage({ memoryBytes: 34 * mebi }) },
      { pod: pod('within', spec), usage: usage({ memoryBytes: 34 * mebi }) },
    ];
    expect(names(pods)).to.deep.equal(['beyond', 'within']);
  });

  it('looks at processes after the priority only', () => {
    const pods = [
      { pod: asks('few', '1Mi'), usage: usage({ processes: 3 }) },
      { pod: asks('many', '1Mi'), usage: usage({ processes: 30 }) },
      { pod: asks('more-but-high', '1Mi', 5), usage: usage({ processes: 300 }) },
    ];
    expect(names(pods, { signal: 'pid.available' })).to.deep.equal(['many', 'few', 'more-but-high']);
  });

  describe('of disks', () => {
    const volumes = [{ name: 'e', emptyDir: {} }];
    const pods = [
      { pod: pod('layer'), usage: usage({ writableLayer: disk(90, 1), logs: disk(0) }) },
      { pod: pod('logs'), usage: usage({ writableLayer: disk(0), logs: disk(50, 9) }) },
      { pod: pod('volume', { volumes }), usage: usage({ volumes: { e: 70 } }) },
    ];

    it('adds everything up where there is one file system', () => {
      const options = { signal: 'nodefs.available' } as const;
      expect(names(pods, options)).to.deep.equal(['layer', 'volume', 'logs']);
    });

    it('leaves writable layers out where images have their own', () => {
      const options = { signal: 'nodefs.available', hasImageFs: true } as const;
      expect(names(pods, options)).to.deep.equal(['volume', 'logs', 'layer']);
    });

    it('looks at nothing else for the file system of images', () => {
      const options = { signal: 'imagefs.available', hasImageFs: true } as const;
      expect(names(pods, options)[0]).to.equal('layer');
    });

    it('counts inodes', () => {
      expect(names(pods, { signal: 'nodefs.inodesFree' })[0]).to.equal('logs');
    });

    it('does not count memory and volumes that outlive the pod', () => {
      const others = [
        { name: 'e', emptyDir: { medium: 'Memory' } },
        { name: 'h', hostPath: { path: '/' } },
      ];
      const kept = { pod: pod('kept', { volumes: others }), usage: usage({ volumes: { e: 900, h: 900 } }) };
      expect(names([kept, ...pods], { signal: 'nodefs.available' }).at(-1)).to.equal('kept');
    });
  });

  it('keeps every pod, whatever they use', () => {
    const anyPod = fc.record({
      memoryBytes: fc.option(fc.nat(), { nil: undefined }),
      priority: fc.integer(),
      isKnown: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(anyPod, { maxLength: 20 }), (drawn) => {
        const pods = drawn.map(({ memoryBytes, priority, isKnown }, index) => ({
          pod: pod(`p${index}`, { priority }),
          usage: isKnown ? usage({ memoryBytes }) : undefined,
        }));
        expect(names(pods)).to.have.members(pods.map((one) => one.pod.metadata.name));
      }),
    );
  });
});
