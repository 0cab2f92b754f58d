import { expect } from 'chai';
import { conversionOf } from './fixture.ts';

const stored = 'autoscaling/v1.HorizontalPodAutoscaler';
const v1 = conversionOf(stored, stored);
const v2beta1 = conversionOf('autoscaling/v2beta1.HorizontalPodAutoscaler', stored);
const v2beta2 = conversionOf('autoscaling/v2beta2.HorizontalPodAutoscaler', stored);

// biome-ignore lint/suspicious/noExplicitAny: tests reach into objects freely; a wrong guess fails the test
type Loose = Record<string, any>;

const annotation = (name: string) => `autoscaling.alpha.orch.io/${name}`;
const scaleTargetRef = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };
const cpu = (percent: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } },
});
const scaler = (spec: Loose = {}, more: Loose = {}): Loose => ({
  metadata: { name: 'h', annotations: more.annotations },
  spec: { scaleTargetRef, maxReplicas: 5, ...spec },
  status: more.status,
});
const storedAnnotations = (object: Loose): Loose => object.metadata.annotations ?? {};
const parsed = (object: Loose, name: string): unknown => {
  const text = storedAnnotations(object)[annotation(name)];
  return text === undefined ? undefined : JSON.parse(text);
};

describe('autoscalers of v2beta2', () => {
  it('keep their CPU use in the field that the stored version has', () => {
    const object: Loose = v2beta2.toStored(scaler({ metrics: [cpu(60)] }));
    expect(object.spec).to.deep.equal({ scaleTargetRef, maxReplicas: 5, targetCPUUtilizationPercentage: 60 });
    expect(object.metadata).not.to.have.property('annotations');
  });

  const metric = { name: 'q', selector: { matchLabels: { a: 'b' } } };
  const describedObject = { kind: 'Ingress', name: 'main', apiVersion: 'networking.orch.io/v1' };
  const metrics: [name: string, newest: Loose, older: Loose][] = [
    [
      'memory by use',
      { resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 70 } } },
      { resource: { name: 'memory', targetAverageUtilization: 70 } },
    ],
    [
      'CPU by amount',
      { resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '500m' } } },
      { resource: { name: 'cpu', targetAverageValue: '500m' } },
    ],
    [
      'a container',
      {
        containerResource: {
          name: 'cpu',
          target: { type: 'Utilization', averageUtilization: 7 },
          container: 'main',
        },
      },
      { containerResource: { name: 'cpu', targetAverageUtilization: 7, container: 'main' } },
    ],
    [
      'pods',
      { pods: { metric, target: { type: 'AverageValue', averageValue: '10' } } },
      { pods: { metricName: 'q', targetAverageValue: '10', selector: metric.selector } },
    ],
    [
      'an object by value',
      { object: { describedObject, target: { type: 'Value', value: '2k' }, metric } },
      { object: { target: describedObject, metricName: 'q', targetValue: '2k', selector: metric.selector } },
    ],
    [
      'an object by average',
      {
        object: {
          describedObject,
          target: { type: 'AverageValue', value: '0', averageValue: '3' },
          metric: { name: 'q' },
        },
      },
      { object: { target: describedObject, metricName: 'q', targetValue: '0', averageValue: '3' } },
    ],
    [
      'something external by value',
      { external: { metric, target: { type: 'Value', value: '30' } } },
      { external: { metricName: 'q', metricSelector: metric.selector, targetValue: '30' } },
    ],
    [
      'something external by average',
      { external: { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '30' } } },
      { external: { metricName: 'q', targetAverageValue: '30' } },
    ],
  ];
  const typeOf = (source: Loose) => {
    const field = Object.keys(source)[0] ?? '';
    return field.charAt(0).toUpperCase() + field.slice(1);
  };
  for (const [name, newest, older] of metrics) {
    it(`keep a metric of ${name} in an annotation, in the older shape`, () => {
      const newestMetric = { type: typeOf(newest), ...newest };
      const object: Loose = v2beta2.toStored(scaler({ metrics: [newestMetric] }));
      expect(parsed(object, 'metrics')).to.deep.equal([{ type: typeOf(newest), ...older }]);
      expect((v2beta2.toServed(object) as Loose).spec.metrics).to.deep.equal([newestMetric]);
    });

    it(`show a metric of ${name} to v2beta1 in its field`, () => {
      const object = v2beta2.toStored(scaler({ metrics: [{ type: typeOf(newest), ...newest }] }));
      const served: Loose = v2beta1.toServed(object);
      expect(served.spec.metrics).to.deep.equal([{ type: typeOf(newest), ...older }]);
      expect(served.metadata).not.to.have.property('annotations');
      expect(v2beta1.toStored(served)).to.deep.equal(object);
    });
  }

  it('keep behavior in an annotation with the names of the reference’s own structures', () => {
    const scaleUp = { selectPolicy: 'Max', policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }] };
    const object: Loose = v2beta2.toStored(scaler({ metrics: [cpu(60)], behavior: { scaleUp } }));
    expect(storedAnnotations(object)[annotation('behavior')]).to.equal(
      '{"ScaleUp":{"StabilizationWindowSeconds":null,"SelectPolicy":"Max",' +
        '"Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15}]},"ScaleDown":null}',
    );
    expect((v2beta2.toServed(object) as Loose).spec.behavior).to.deep.equal({ scaleUp });
  });

  it('keep status in annotations and the last CPU use in its field too', () => {
    const current = (averageUtilization: number) => ({
      type: 'Resource',
      resource: { name: 'cpu', current: { averageValue: '1', averageUtilization } },
    });
    const conditions = [
      { type: 'AbleToScale', status: 'True', lastTransitionTime: '2021-01-01T00:00:00Z', reason: 'R' },
    ];
    const status = {
      currentReplicas: 1,
      desiredReplicas: 2,
      currentMetrics: [current(10), current(20)],
      conditions,
    };
    const object: Loose = v2beta2.toStored(scaler({ metrics: [cpu(60)] }, { status }));
    expect(object.status).to.deep.equal({
      currentReplicas: 1,
      desiredReplicas: 2,
      currentCPUUtilizationPercentage: 20,
    });
    expect(parsed(object, 'conditions')).to.deep.equal(conditions);
    expect((v2beta2.toServed(object) as Loose).status).to.deep.equal(status);
  });

  it('do not take the four annotations from clients', () => {
    const annotations = { [annotation('metrics')]: '[]', [annotation('behavior')]: '{}', mine: 'x' };
    const object: Loose = v2beta2.toStored(scaler({ metrics: [cpu(60)] }, { annotations }));
    expect(storedAnnotations(object)).to.deep.equal({ mine: 'x' });
  });

  it('escape in annotations what could end a script, as the reference does', () => {
    const selector = { matchExpressions: [{ key: '<&>\u2028', operator: 'Exists' }] };
    const pods = { metric: { name: 'q', selector }, target: { type: 'AverageValue', averageValue: '1' } };
    const object: Loose = v2beta2.toStored(scaler({ metrics: [{ type: 'Pods', pods }] }));
    const text: string = storedAnnotations(object)[annotation('metrics')];
    expect(text).to.contain('"\\u003c\\u0026\\u003e\\u2028"');
  });

  it('convert with holes where validation will find errors', () => {
    const metrics = [
      { type: 'Resource' },
      { type: 'Nope' },
      { type: 'Pods', pods: {} },
      { type: 'Object', object: {} },
    ];
    const object: Loose = v2beta2.toStored(scaler({ metrics }));
    expect(parsed(object, 'metrics')).to.deep.equal([
      { type: 'Resource' },
      { type: 'Nope' },
      { type: 'Pods', pods: { metricName: '', targetAverageValue: '0' } },
      { type: 'Object', object: { target: { kind: '', name: '' }, metricName: '', targetValue: '0' } },
    ]);
  });
});

describe('autoscalers of v1', () => {
  it('show newer versions an aim of 80 % CPU when they have no metric', () => {
    expect((v2beta2.toServed(scaler()) as Loose).spec.metrics).to.deep.equal([cpu(80)]);
    expect((v2beta1.toServed(scaler()) as Loose).spec.metrics).to.deep.equal([
      { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 80 } },
    ]);
  });

  it('show newer versions the CPU use after the metrics of the annotation', () => {
    const pods = { metricName: 'q', targetAverageValue: '1' };
    const annotations = { [annotation('metrics')]: JSON.stringify([{ type: 'Pods', pods }]) };
    const served: Loose = v2beta2.toServed(scaler({ targetCPUUtilizationPercentage: 5 }, { annotations }));
    expect(served.spec.metrics.map(({ type }: Loose) => type)).to.deep.equal(['Pods', 'Resource']);
  });

  it('show newer versions the CPU use in status, unless the annotation tells more', () => {
    const status = { currentReplicas: 0, desiredReplicas: 0, currentCPUUtilizationPercentage: 9 };
    const fromField: Loose = v2beta2.toServed(scaler({}, { status }));
    expect(fromField.status.currentMetrics).to.deep.equal([
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 9 } } },
    ]);
    const pods = { metricName: 'q', currentAverageValue: '1' };
    const annotations = { [annotation('current-metrics')]: JSON.stringify([{ type: 'Pods', pods }]) };
    const fromAnnotation: Loose = v2beta2.toServed(scaler({}, { status, annotations }));
    expect(fromAnnotation.status.currentMetrics.map(({ type }: Loose) => type)).to.deep.equal(['Pods']);
  });

  const malformed = ['', 'x', '{"a":', '{}', '7', '"x"', '[7]', '[{"type":7}]', '[[]]'];
  for (const text of malformed) {
    it(`lose an annotation that makes no sense: ${text || '(empty)'}`, () => {
      const annotations = Object.fromEntries(
        ['metrics', 'current-metrics', 'conditions'].map((name) => [annotation(name), text]),
      );
      const served: Loose = v2beta2.toServed(scaler({}, { annotations }));
      expect(served.metadata).not.to.have.property('annotations');
      expect(served.spec.metrics).to.deep.equal([cpu(80)]);
      expect(served.status).to.include({ currentMetrics: null, conditions: null });
      expect((v1.toStored(scaler({}, { annotations })) as Loose).metadata).not.to.have.property(
        'annotations',
      );
    });
  }

  for (const text of [
    '',
    '[]',
    '7',
    '{"ScaleUp":null,"ScaleDown":null}',
    '{"ScaleUp":7}',
    '{"ScaleUp":{"Policies":{}}}',
    '{"ScaleDown":{"SelectPolicy":7}}',
  ]) {
    it(`lose a behavior that makes no sense: ${text || '(empty)'}`, () => {
      const annotations = { [annotation('behavior')]: text };
      expect((v2beta2.toServed(scaler({}, { annotations })) as Loose).spec).not.to.have.property('behavior');
    });
  }

  it('read behavior in any case of letters', () => {
    const annotations = { [annotation('behavior')]: '{"scaleUP":{"stabilizationwindowSECONDS":3}}' };
    const served: Loose = v2beta2.toServed(scaler({}, { annotations }));
    expect(served.spec.behavior).to.deep.equal({ scaleUp: { stabilizationWindowSeconds: 3 } });
  });

  it('are stored with the CPU aim of the annotation in its field', () => {
    const resource = { name: 'cpu', targetAverageUtilization: 30 };
    const annotations = { [annotation('metrics')]: JSON.stringify([{ type: 'Resource', resource }]) };
    const object: Loose = v1.toStored(scaler({}, { annotations }));
    expect(object.spec.targetCPUUtilizationPercentage).to.equal(30);
    expect(object.metadata).not.to.have.property('annotations');
  });
});

describe('autoscalers of v2beta1', () => {
  it('carry behavior, which they have no field for, in the annotation', () => {
    const text =
      '{"ScaleUp":null,"ScaleDown":{"StabilizationWindowSeconds":5,"SelectPolicy":null,"Policies":null}}';
    const annotations = { [annotation('behavior')]: text };
    const object: Loose = v2beta1.toStored(scaler({ metrics: [] }, { annotations }));
    expect(storedAnnotations(object)).to.deep.equal(annotations);
    expect(storedAnnotations(v2beta1.toServed(object))).to.deep.equal(annotations);
  });
});

describe('autoscalers in the other dialect', () => {
  it('name their annotations as it does', () => {
    const conversion = conversionOf('autoscaling/v2beta2.HorizontalPodAutoscaler', stored, 'kubernetes');
    const pods = { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '1' } };
    const object: Loose = conversion.toStored(scaler({ metrics: [{ type: 'Pods', pods }] }));
    const [key = ''] = Object.keys(storedAnnotations(object));
    expect(key).to.match(/^autoscaling\.alpha\..+\/metrics$/);
    expect(key).not.to.contain('orch');
  });
});
