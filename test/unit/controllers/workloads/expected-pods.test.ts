import { expect } from 'chai';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { Expectations } from '../../../../src/controllers/workloads/expectations.ts';
import { ExpectedPods } from '../../../../src/controllers/workloads/expected-pods.ts';
import type { PodControl } from '../../../../src/controllers/workloads/pod-control.ts';
import { notFound } from '../../../../src/machinery/errors/index.ts';

const owner = {
  ...{ apiVersion: 'apps/v1', kind: 'DaemonSet', namespace: 'n', name: 'd', uid: 'u' },
  isBeingDeleted: false,
};
const pod = (name: string) => ({ metadata: { name, uid: name } }) as unknown as Pod;

/** Writes nothing; what is named `fails` or `gone` is refused. */
function setUp() {
  const done: string[] = [];
  const write = (verb: string) => async (name: string) => {
    done.push(`${verb} ${name}`);
    if (name.startsWith('fails')) throw new Error('refused');
    if (name.startsWith('gone')) throw notFound({ group: '', resource: 'pods' }, name);
  };
  const control = {
    create: ({ metadata }: Pod) => write('create')(metadata.name ?? ''),
    delete: write('delete'),
  } as unknown as PodControl;
  const expectations = new Expectations({ nowMs: () => 0 });
  return { done, expectations, pods: new ExpectedPods(control, expectations) };
}

describe('ExpectedPods', () => {
  it('expects creations and deletions of one round together', async () => {
    const { done, expectations, pods } = setUp();
    const result = await pods.replace(owner, { creations: [pod('a'), pod('b')], deletions: [pod('c')] });
    expect(done).to.deep.equal(['create a', 'create b', 'delete c']);
    expect(result).to.deep.equal({ done: 3, error: undefined });
    expectations.deletionObserved('n/d', 'c');
    expectations.creationObserved('n/d');
    expect(expectations.isFulfilled('n/d')).to.equal(false);
    expectations.creationObserved('n/d');
    expect(expectations.isFulfilled('n/d')).to.equal(true);
  });

  it('does not wait for what was refused, or is gone already', async () => {
    const { done, expectations, pods } = setUp();
    const creations = [pod('fails'), pod('a'), pod('b')];
    const result = await pods.replace(owner, { creations, deletions: [pod('gone'), pod('fails')] });
    expect(done).to.deep.equal(['create fails', 'delete gone', 'delete fails']);
    expect(result.done).to.equal(1);
    expect(result.error).to.be.an('error');
    expect(expectations.isFulfilled('n/d')).to.equal(true);
  });

  it('expects nothing new when there is nothing to do', async () => {
    const { expectations, pods } = setUp();
    expectations.expect('n/d', { creations: 1 });
    await pods.replace(owner, { creations: [], deletions: [] });
    await pods.delete([], owner);
    expect(expectations.isFulfilled('n/d')).to.equal(false);
  });
});
