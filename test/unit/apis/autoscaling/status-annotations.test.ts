import { expect } from 'chai';
import { create, update } from '../rule-fixture.ts';

const kind = 'autoscaling/v1.HorizontalPodAutoscaler';
const key = (name: string) => `autoscaling.alpha.orch.io/${name}`;
const wanted = { [key('metrics')]: '[{"type":"Pods"}]', [key('behavior')]: '{}' };
const measured = { [key('conditions')]: '[]', [key('current-metrics')]: '[]' };
const scaler = (annotations: Record<string, string> | undefined) => ({
  metadata: { name: 'h', annotations },
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 5 },
});
const annotationsOf = (object: Record<string, unknown>) =>
  (object.metadata as { annotations?: Record<string, string> }).annotations;

describe('annotations of autoscalers that stand for fields', () => {
  it('are dropped from new objects when they tell of status', () => {
    const { object } = create(kind, scaler({ ...measured, ...wanted, mine: 'x' }));
    expect(annotationsOf(object)).to.deep.equal({ ...wanted, mine: 'x' });
  });

  it('go whole when nothing is left of them', () => {
    expect(annotationsOf(create(kind, scaler(measured)).object)).to.equal(undefined);
  });

  it('stay as they were on an update when they tell of status', () => {
    const { object } = update(kind, scaler(measured), scaler({ ...wanted, [key('conditions')]: '[{}]' }));
    expect(annotationsOf(object)).to.deep.equal({ ...wanted, ...measured });
  });

  it('stay as they were on a write of the status when they tell of what is wanted', () => {
    const { object } = update(kind, scaler(wanted), scaler({ ...measured, mine: 'x' }), { way: 'status' });
    expect(annotationsOf(object)).to.deep.equal({ ...wanted, ...measured, mine: 'x' });
  });
});
