import { expect } from 'chai';
import { applyScale, type Scalable, toScale, validateScale } from '../../../../src/apis/apps/index.ts';

const scalable = (fields: Partial<Scalable> & { spec: Scalable['spec'] }): Scalable => ({
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  metadata: {
    name: 'd',
    namespace: 'n',
    uid: 'u',
    resourceVersion: '7',
    creationTimestamp: 't',
    labels: { a: 'b' },
  },
  status: { replicas: 1 },
  ...fields,
});

describe('toScale', () => {
  it('tells numbers and the selector, with the identity of the object', () => {
    expect(
      toScale(scalable({ spec: { replicas: 2, selector: { matchLabels: { b: 'c', a: 'b' } } } })),
    ).to.deep.equal({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'd', namespace: 'n', uid: 'u', resourceVersion: '7', creationTimestamp: 't' },
      spec: { replicas: 2 },
      status: { replicas: 1, selector: 'a=b,b=c' },
    });
  });

  it('leaves out a number that is zero', () => {
    expect(toScale(scalable({ spec: { replicas: 0 } })).spec).to.deep.equal({});
  });

  it('reads the bare labels of replication controllers', () => {
    const object = scalable({ kind: 'ReplicationController', spec: { selector: { a: 'b' } } });
    expect(toScale(object).status.selector).to.equal('a=b');
  });

  it('writes expressions', () => {
    const matchExpressions = [{ key: 'a', operator: 'In', values: ['y', 'x'] }];
    expect(toScale(scalable({ spec: { selector: { matchExpressions } } })).status.selector).to.equal(
      'a in (x,y)',
    );
  });
});

describe('applyScale', () => {
  it('sets the number; none is zero', () => {
    const object = scalable({ spec: { replicas: 2 } });
    const scale = toScale(object);
    applyScale(object, { ...scale, spec: { replicas: 5 } });
    expect(object.spec.replicas).to.equal(5);
    applyScale(object, { ...scale, spec: {} });
    expect(object.spec.replicas).to.equal(0);
  });
});

describe('validateScale', () => {
  it('wants metadata and a number from zero', () => {
    const scale = toScale(scalable({ spec: { replicas: -1 } }));
    delete scale.metadata.namespace;
    expect(validateScale(scale).map(String)).to.deep.equal([
      'metadata.namespace: Required value',
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });
});
