import { expect } from 'chai';
import type { PodTemplateSpec } from '../../../../src/apis/types/core-v1.ts';
import { podFromTemplate, startSlowly } from '../../../../src/controllers/workloads/pod-control.ts';

describe('startSlowly', () => {
  async function run(count: number, failsAt?: number) {
    const groups: number[] = [];
    let begun = 0;
    const { done, error } = await startSlowly(new Array(count).fill('pod'), async () => {
      const at = ++begun;
      if (at === 1 || at === groups.reduce((sum, size) => sum + size, 1)) groups.push(0);
      groups[groups.length - 1] = (groups.at(-1) ?? 0) + 1;
      await null;
      if (at === failsAt) throw new Error('no');
    });
    return { begun, done, failed: error !== undefined };
  }

  it('does all of it when nothing fails', async () => {
    expect(await run(10)).to.deep.equal({ begun: 10, done: 10, failed: false });
    expect(await run(0)).to.deep.equal({ begun: 0, done: 0, failed: false });
  });

  it('ends with the group in which something failed', async () => {
    expect(await run(100, 1)).to.deep.equal({ begun: 1, done: 0, failed: true });
    expect(await run(100, 2)).to.deep.equal({ begun: 3, done: 2, failed: true });
    expect(await run(100, 9)).to.deep.equal({ begun: 15, done: 14, failed: true });
  });
});

describe('a pod of a template', () => {
  const owner = (name: string) => ({
    ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet', namespace: 'n', name, uid: 'u' },
    isBeingDeleted: false,
  });
  const template = {
    metadata: { name: 'ignored', labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['e/f'] },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  } as unknown as PodTemplateSpec;

  it('has the labels, annotations, finalizers and the specification of the template, and its owner', () => {
    const pod = podFromTemplate(template, owner('s'));
    expect(pod.metadata).to.deep.equal({
      ...{ labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['e/f'], generateName: 's-' },
      ownerReferences: [
        {
          ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 's', uid: 'u' },
          ...{ controller: true, blockOwnerDeletion: true },
        },
      ],
    });
    expect(pod.spec).to.equal(template.spec);
  });

  it('has a name without a dash when there is no room for one', () => {
    for (const [length, suffix] of [
      [252, '-'],
      [253, ''],
    ] as const) {
      const name = 'x'.repeat(length);
      expect(podFromTemplate(template, owner(name)).metadata.generateName).to.equal(name + suffix);
    }
  });
});
