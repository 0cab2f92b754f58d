import { expect } from 'chai';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import { pod, run, specOf, write } from './fixtures.ts';

const range = (...limits: object[]) => ({
  kind: 'LimitRange',
  apiVersion: 'v1',
  metadata: { name: 'l', namespace: 'default' },
  spec: { limits },
});
const container = (resources: object, name = 'c') => ({ name, image: 'i', resources });
const setup = (...limits: object[]) => ({
  plugins: ['LimitRanger'],
  objects: { '/limitranges': [range(...limits)] },
});
const resourcesOf = (object: ApiObject, field = 'containers') =>
  (specOf(object)[field] as { resources: object }[])[0]?.resources;

describe('LimitRanger', () => {
  const defaults = {
    type: 'Container',
    default: { cpu: '500m', memory: '128Mi' },
    defaultRequest: { cpu: '100m', memory: '128Mi' },
  };

  it('fills in requests and limits, and says so in an annotation', async () => {
    const object = pod({ initContainers: [container({ limits: { cpu: '1' } }, 'i')] });
    await run(write({ object }), setup(defaults));
    expect(resourcesOf(object)).to.deep.equal({
      requests: { cpu: '100m', memory: '128Mi' },
      limits: { cpu: '500m', memory: '128Mi' },
    });
    expect(resourcesOf(object, 'initContainers')).to.deep.equal({
      requests: { cpu: '100m', memory: '128Mi' },
      limits: { cpu: '1', memory: '128Mi' },
    });
    expect(object.metadata.annotations).to.deep.equal({
      'orch.io/limit-ranger':
        'LimitRanger plugin set: cpu, memory request for container c; cpu, memory limit for container c; cpu, memory request for init container i; memory limit for init container i',
    });
  });

  it('adds no annotation when nothing is missing', async () => {
    const full = { requests: { cpu: '1', memory: '1' }, limits: { cpu: '1', memory: '1' } };
    const object = pod({ containers: [container(full)] });
    await run(write({ object }), setup(defaults));
    expect(object.metadata).not.to.have.property('annotations');
  });

  it('leaves updates of pods and other namespaces alone', async () => {
    const bound = { type: 'Container', max: { cpu: '1' }, default: { cpu: '1' } };
    const update = pod();
    await run(write({ operation: 'UPDATE', object: update, oldObject: pod() }), setup(bound));
    const elsewhere = pod({}, { name: 'p', namespace: 'other' });
    await run(write({ object: elsewhere }), setup(bound));
    expect([resourcesOf(update), resourcesOf(elsewhere)]).to.deep.equal([{}, {}]);
  });

  const bounds = {
    type: 'Container',
    min: { cpu: '100m' },
    max: { cpu: '1' },
    maxLimitRequestRatio: { cpu: '2' },
  };
  const podBound = { type: 'Pod', max: { memory: '100Mi' } };
  const half = { limits: { memory: '60Mi' } };
  const cases: [object, object, string | undefined][] = [
    [bounds, { containers: [container({ requests: { cpu: '500m' }, limits: { cpu: '1' } })] }, undefined],
    [
      bounds,
      { containers: [container({ requests: { cpu: '2' }, limits: { cpu: '2' } })] },
      'maximum cpu usage per Container is 1, but limit is 2',
    ],
    [
      { type: 'Container', max: { cpu: '1' } },
      { containers: ['a', 'b'].map((name) => container({ limits: { cpu: '2' } }, name)) },
      'maximum cpu usage per Container is 1, but limit is 2',
    ],
    [
      bounds,
      { containers: [container({ requests: { cpu: '50m' }, limits: { cpu: '80m' } })] },
      'minimum cpu usage per Container is 100m, but request is 50m',
    ],
    [
      bounds,
      { containers: [container({ requests: { cpu: '100m' }, limits: { cpu: '500m' } })] },
      'cpu max limit to request ratio per Container is 2, but provided ratio is 5.000000',
    ],
    [
      bounds,
      { containers: [container({})] },
      '[minimum cpu usage per Container is 100m.  No request is specified, maximum cpu usage per Container is 1.  No limit is specified, cpu max limit to request ratio per Container is 2, but no request is specified or request is 0]',
    ],
    [
      podBound,
      { containers: [container(half, 'a'), container(half, 'b')] },
      'maximum memory usage per Pod is 100Mi, but limit is 125829120',
    ],
    [
      podBound,
      { containers: [container(half, 'a'), container({}, 'b')] },
      'maximum memory usage per Pod is 100Mi.  No limit is specified',
    ],
    [podBound, { containers: [container(half)], initContainers: [container(half, 'i')] }, undefined],
    [
      podBound,
      { containers: [container(half)], initContainers: [container({ limits: { memory: '101Mi' } }, 'i')] },
      'maximum memory usage per Pod is 100Mi, but limit is 101Mi',
    ],
  ];
  for (const [item, spec, detail] of cases) {
    it(detail === undefined ? 'accepts what is within bounds' : `refuses: ${detail}`, async () => {
      const refused = await run(write({ object: pod(spec) }), setup(item));
      expect(refused?.message).to.equal(detail && `pods "p" is forbidden: ${detail}`);
    });
  }

  const claimBound = { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } };
  for (const [storage, detail] of [
    ['1Gi', undefined],
    ['5Gi', 'maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 5Gi'],
    ['500Mi', 'minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 500Mi'],
  ] as const) {
    it(`${detail === undefined ? 'accepts' : 'refuses'} a claim of ${storage}`, async () => {
      const claim = {
        kind: 'PersistentVolumeClaim',
        apiVersion: 'v1',
        metadata: { name: 'c', namespace: 'default' },
        spec: { resources: { requests: { storage } } },
        status: {},
      };
      const resourceName = 'persistentvolumeclaims';
      const refused = await run(write({ resourceName, object: claim }), setup(claimBound));
      expect(refused?.message).to.equal(detail && `persistentvolumeclaims "c" is forbidden: ${detail}`);
    });
  }
});
