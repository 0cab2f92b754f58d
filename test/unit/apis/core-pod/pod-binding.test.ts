import { expect } from 'chai';
import { assertUsableBinding, bindPod, setPodCondition } from '../../../../src/apis/core/pod-index.ts';
import type { Binding } from '../../../../src/apis/types/core-v1.ts';
import { StatusError } from '../../../../src/machinery/errors/index.ts';
import { makePod, ruleContext } from './rule-bench.ts';

const binding = (metadata: object = {}, target: object = {}): Binding => ({
  kind: 'Binding',
  apiVersion: 'v1',
  metadata: { name: 'p', ...metadata },
  target: { kind: 'Node', name: 'n1', ...target },
});

/** Code, reason and message of what `action` throws. */
function failureOf(action: () => void): readonly [number, string, string] {
  try {
    action();
  } catch (error) {
    if (error instanceof StatusError) return [error.code, error.reason, error.message];
    throw error;
  }
  throw new Error('expected an error');
}

describe('assertUsableBinding', () => {
  it('accepts a node as the target, also without saying so', () => {
    expect(() => assertUsableBinding(binding(), 'p')).not.to.throw();
    expect(() => assertUsableBinding(binding({}, { kind: '' }), 'p')).not.to.throw();
  });

  it('refuses another pod and other targets', () => {
    expect(failureOf(() => assertUsableBinding(binding(), 'q'))).to.deep.equal([
      400,
      'BadRequest',
      'name in URL does not match name in Binding object',
    ]);
    expect(failureOf(() => assertUsableBinding(binding({}, { kind: 'Zoo', name: '' }), 'p'))).to.deep.equal([
      500,
      '',
      '[target.kind: Unsupported value: "Zoo": supported values: "Node", "<empty>", target.name: Required value]',
    ]);
  });
});

describe('bindPod', () => {
  it('sets the node, the annotations of the binding and the condition', () => {
    const pod = makePod({}, { annotations: { a: '1' } });
    bindPod(pod, binding({ annotations: { b: '2' } }), ruleContext);
    expect(pod.spec.nodeName).to.equal('n1');
    expect(pod.metadata.annotations).to.deep.equal({ a: '1', b: '2' });
    expect(pod.status.conditions).to.deep.equal([
      { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: ruleContext.now },
    ]);
  });

  it('refuses a pod that has a node or goes away', () => {
    const text = 'Operation cannot be fulfilled on';
    const bind = (spec: object, metadata: object) =>
      failureOf(() => bindPod(makePod(spec, metadata), binding(), ruleContext));
    expect(bind({ nodeName: 'n0' }, {})).to.deep.equal([
      409,
      'Conflict',
      `${text} pods/binding "p": pod p is already assigned to node "n0"`,
    ]);
    expect(bind({}, { deletionTimestamp: '2020-01-01T00:00:00Z' })).to.deep.equal([
      409,
      'Conflict',
      `${text} pods/binding "p": pod p is being deleted, cannot be assigned to a host`,
    ]);
  });

  it('takes the pod of that name, whatever uid and version the binding has', () => {
    const pod = makePod({}, { resourceVersion: '5' });
    bindPod(pod, binding({ uid: 'other', resourceVersion: '4' }), ruleContext);
    expect(pod.spec.nodeName).to.equal('n1');
  });
});

describe('setPodCondition', () => {
  it('keeps the time of transition while the status stays', () => {
    const pod = makePod();
    setPodCondition(pod, { type: 'A', status: 'True' }, 't1');
    setPodCondition(pod, { type: 'B', status: 'True' }, 't1');
    setPodCondition(pod, { type: 'A', status: 'True', reason: 'r' }, 't2');
    setPodCondition(pod, { type: 'B', status: 'False' }, 't2');
    expect(
      pod.status.conditions?.map((c) => [c.type, c.status, c.reason, c.lastTransitionTime]),
    ).to.deep.equal([
      ['A', 'True', 'r', 't1'],
      ['B', 'False', undefined, 't2'],
    ]);
  });
});
