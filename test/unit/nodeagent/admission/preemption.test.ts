import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { admit, asking, podNamed } from './subject.ts';

const wanting = (name: string, requests: Record<string, string>): Pod =>
  podNamed(name, { containers: [asking(requests)] });

/** Of class Guaranteed. */
const guaranteed = (name: string, cpu: string): Pod => {
  const amounts = { cpu, memory: '1Mi' };
  const resources = { requests: amounts, limits: amounts };
  return podNamed(name, { containers: [asking({}, { resources })] });
};

function preemptedFor(pod: Pod, others: readonly Pod[], statics: readonly string[] = []): string[] {
  const admission = admit(pod, { others, statics: [pod.metadata.name ?? '', ...statics] });
  if (admission.kind === 'refused') throw new Error(admission.message);
  return admission.preempts.map(({ metadata }) => metadata.name ?? '');
}

describe('admitPod, for a critical pod without room', () => {
  it('ends the pod that leaves least missing', () => {
    const others = [
      wanting('tiny', { cpu: '100m' }),
      wanting('half', { cpu: '1' }),
      wanting('other', { cpu: '500m' }),
    ];
    expect(preemptedFor(wanting('p', { cpu: '1400m' }), others)).to.deep.equal(['half']);
  });

  it('ends the smaller one of two that free enough', () => {
    const others = [
      wanting('large', { cpu: '1', memory: '2Gi' }),
      wanting('small', { cpu: '1', memory: '1Gi' }),
    ];
    expect(preemptedFor(wanting('p', { cpu: '1' }), others)).to.deep.equal(['small']);
  });

  it('ends guaranteed pods only when burstable ones do not do', () => {
    const others = [guaranteed('safe', '1'), wanting('burst', { cpu: '1' })];
    expect(preemptedFor(wanting('p', { cpu: '1' }), others)).to.deep.equal(['burst']);
    expect(preemptedFor(wanting('p', { cpu: '2' }), others)).to.deep.equal(['burst', 'safe']);
  });

  it('ends a pod when there are too many', () => {
    const others = Array.from({ length: 10 }, (_, index) =>
      index === 3 ? podNamed('free') : guaranteed(`g${index}`, '1m'),
    );
    expect(preemptedFor(podNamed('p'), others)).to.deep.equal(['free']);
  });

  it('leaves other critical pods alone, and says so in the words of the reference', () => {
    const others = [wanting('static', { cpu: '1500m' }), wanting('burst', { cpu: '100m' })];
    const admission = admit(wanting('p', { cpu: '100' }), { others, statics: ['p', 'static'] });
    expect(admission).to.deep.include({
      kind: 'refused',
      reason: 'UnexpectedAdmissionError',
      message:
        'Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [(res: cpu, q: 99500), ]',
    });
  });

  it('ends pods of lower priority, critical ones too', () => {
    const high = { ...wanting('p', { cpu: '2' }) };
    high.spec.priority = 2_000_001_000;
    const low = wanting('low', { cpu: '1' });
    low.spec.priority = 2_000_000_000;
    expect(preemptedFor(high, [low])).to.deep.equal(['low']);
    expect(() => preemptedFor(low, [high])).to.throw('no set of running pods');
  });

  it('refuses it for other reasons, and ends nothing then', () => {
    const pod = wanting('p', { cpu: '2' });
    pod.spec.nodeSelector = { disk: 'hdd' };
    const admission = admit(pod, { others: [wanting('burst', { cpu: '1' })], statics: ['p'] });
    expect(admission).to.include({ kind: 'refused', reason: 'NodeAffinity' });
  });
});
