import { expect } from 'chai';
import { create } from '../write-bench.ts';

const supported = 'supported values: "ContainerResource", "External", "Object", "Pods", "Resource"';
const required = 'spec.metrics[0].type: Required value: must specify a metric source type';
const errorsOf = (type: string) =>
  create({
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'a', annotations: { 'autoscaling.alpha.orch.io/metrics': JSON.stringify([{ type }]) } },
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, minReplicas: 1, maxReplicas: 5 },
  }).errors;

describe('the type of a metric', () => {
  it('is named twice when it is unknown, as the reference has it', () => {
    const error = `spec.metrics[0].type: Unsupported value: "Nope": ${supported}`;
    expect(errorsOf('Nope')).to.deep.equal([error, error]);
  });

  it('is required and unknown when it is empty', () => {
    const error = `spec.metrics[0].type: Unsupported value: "": ${supported}`;
    expect(errorsOf('')).to.deep.equal([required, error, error]);
  });
});
