import { expect } from 'chai';
import { selectorOf } from '../../../../src/ctl/pods/selector-of.ts';

const object = (apiVersion: string, kind: string, selector?: unknown) => ({
  apiVersion,
  kind,
  metadata: { name: 'x' },
  spec: { selector },
});

describe('selectorOf', () => {
  const wanted = {
    matchLabels: { b: '2', a: '1' },
    matchExpressions: [{ key: 'c', operator: 'In', values: ['y', 'x'] }],
  };
  for (const [version, kind] of [
    ['apps/v1', 'Deployment'],
    ['apps/v1', 'ReplicaSet'],
    ['apps/v1', 'StatefulSet'],
    ['apps/v1', 'DaemonSet'],
    ['batch/v1', 'Job'],
  ] as const) {
    it(`reads the selector object of a ${kind}`, () => {
      expect(selectorOf(object(version, kind, wanted)).toString()).to.equal('a=1,b=2,c in (x,y)');
    });
  }
  for (const kind of ['Service', 'ReplicationController']) {
    it(`reads the labels of a ${kind}`, () => {
      expect(selectorOf(object('v1', kind, { b: '2', a: '1' })).toString()).to.equal('a=1,b=2');
    });
  }

  const refused: readonly (readonly [string, string, unknown, string])[] = [
    ['v1', 'Service', undefined, "invalid service 'x': Service is defined without a selector"],
    ['v1', 'ConfigMap', undefined, 'selector for *v1.ConfigMap not implemented'],
    ['batch/v1beta1', 'CronJob', undefined, 'selector for *v1beta1.CronJob not implemented'],
    ['example.com/v1', 'Deployment', wanted, 'selector for *v1.Deployment not implemented'],
    [
      'apps/v1',
      'Deployment',
      { matchExpressions: [{ key: 'a', operator: 'Odd' }] },
      'invalid label selector: "Odd" is not a valid pod selector operator',
    ],
  ];
  for (const [version, kind, selector, message] of refused) {
    it(`says: ${message}`, () => {
      expect(() => selectorOf(object(version, kind, selector))).to.throw(message);
    });
  }
});
