import { expect } from 'chai';
import { podGracePeriodSeconds, podRules } from '../../../../src/apis/core/pod.ts';
import { podQosClass } from '../../../../src/apis/core/pod-index.ts';
import { makeContainerPod, makePod, ruleContext } from './rule-bench.ts';

const podAnnotation = 'seccomp.security.alpha.orch.io/pod';
const containerAnnotation = 'container.seccomp.security.alpha.orch.io/c';

describe('podRules.prepareForCreate', () => {
  it('gives a new pod its first status', () => {
    const pod = makePod();
    podRules.prepareForCreate?.(pod, ruleContext);
    expect(pod.status).to.deep.equal({ phase: 'Pending', qosClass: 'BestEffort' });
  });

  it('makes seccomp annotations from fields', () => {
    const localhost = { type: 'Localhost', localhostProfile: 'a' };
    const pod = makeContainerPod(
      { securityContext: { seccompProfile: localhost } },
      { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } },
    );
    podRules.prepareForCreate?.(pod, ruleContext);
    expect(pod.metadata.annotations).to.deep.equal({
      [podAnnotation]: 'runtime/default',
      [containerAnnotation]: 'localhost/a',
    });
  });

  it('makes seccomp fields from annotations', () => {
    const pod = makePod(
      {},
      { annotations: { [podAnnotation]: 'docker/default', [containerAnnotation]: 'unconfined' } },
    );
    podRules.prepareForCreate?.(pod, ruleContext);
    expect(pod.spec.securityContext).to.deep.equal({ seccompProfile: { type: 'RuntimeDefault' } });
    expect(pod.spec.containers?.[0]?.securityContext).to.deep.equal({
      seccompProfile: { type: 'Unconfined' },
    });
  });

  it('makes nothing of annotations that mean nothing', () => {
    const pod = makePod({}, { annotations: { [podAnnotation]: 'localhost/' } });
    podRules.prepareForCreate?.(pod, ruleContext);
    expect(pod.spec.securityContext).to.deep.equal({});
  });
});

describe('podQosClass', () => {
  const cases: readonly (readonly [requests: object, limits: object, expected: string])[] = [
    [{}, {}, 'BestEffort'],
    [{ cpu: '0' }, {}, 'BestEffort'],
    [{ 'example.com/gpu': '1' }, { 'example.com/gpu': '1' }, 'BestEffort'],
    [{ cpu: '1' }, {}, 'Burstable'],
    [{ cpu: '1', memory: '1Gi' }, { cpu: '1', memory: '1Gi' }, 'Guaranteed'],
    [{ cpu: '1000m', memory: '1024Mi' }, { cpu: '1', memory: '1Gi' }, 'Guaranteed'],
    [{ cpu: '500m', memory: '1Gi' }, { cpu: '1', memory: '1Gi' }, 'Burstable'],
    [{}, { cpu: '1' }, 'Burstable'],
  ];
  for (const [requests, limits, expected] of cases) {
    it(`is ${expected} for ${JSON.stringify(requests)} of ${JSON.stringify(limits)}`, () => {
      expect(podQosClass(makeContainerPod({ resources: { requests, limits } }).spec)).to.equal(expected);
    });
  }

  it('counts init containers too', () => {
    const resources = { limits: { cpu: '1', memory: '1Gi' } };
    const spec = { initContainers: [{ name: 'i', image: 'x' }] };
    expect(podQosClass(makeContainerPod({ resources }, spec).spec)).to.equal('Burstable');
  });
});

describe('podGracePeriodSeconds', () => {
  it('is what was asked for, else what the pod says', () => {
    const pod = makePod({ nodeName: 'n', terminationGracePeriodSeconds: 7 });
    expect(podGracePeriodSeconds(pod, 4)).to.equal(4);
    expect(podGracePeriodSeconds(pod, 0)).to.equal(0);
    expect(podGracePeriodSeconds(pod, undefined)).to.equal(7);
  });

  it('is nothing when no agent has work left', () => {
    expect(podGracePeriodSeconds(makePod(), 9)).to.equal(0);
    for (const phase of ['Succeeded', 'Failed']) {
      const pod = makePod({ nodeName: 'n' });
      pod.status = { phase };
      expect(podGracePeriodSeconds(pod, undefined)).to.equal(0);
    }
  });
});
