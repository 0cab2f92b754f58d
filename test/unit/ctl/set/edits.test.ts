import { expect } from 'chai';
import { parseImages, setImages } from '../../../../src/ctl/set/image.ts';
import { editPodSpec, matchesWildcard } from '../../../../src/ctl/set/pod-spec.ts';
import { setResources } from '../../../../src/ctl/set/resources.ts';
import { splitPairs } from '../../../../src/ctl/set/run-set.ts';
import { parseMapSelector } from '../../../../src/ctl/set/selector.ts';
import { addSubjects, makeSubjects } from '../../../../src/ctl/set/subject.ts';
import { createDialect } from '../../../../src/machinery/dialect.ts';

const spec = {
  initContainers: [{ name: 'init', image: 'i:1' }],
  containers: [
    { name: 'web', image: 'w:1', resources: { limits: { cpu: '1', memory: '1Gi' } } },
    { name: 'log', image: 'l:1' },
  ],
};

describe('editPodSpec', () => {
  for (const [apiVersion, kind, at] of [
    ['v1', 'Pod', (inner: object) => ({ spec: inner })],
    ['apps/v1', 'Deployment', (inner: object) => ({ spec: { replicas: 1, template: { spec: inner } } })],
    ['batch/v1', 'Job', (inner: object) => ({ spec: { template: { spec: inner } } })],
    [
      'batch/v1beta1',
      'CronJob',
      (inner: object) => ({ spec: { jobTemplate: { spec: { template: { spec: inner } } } } }),
    ],
  ] as const) {
    it(`finds the pods of a ${kind}, and leaves the rest alone`, () => {
      const object = { apiVersion, kind, metadata: { name: 'a' }, ...at({ a: 1 }) };
      const before = structuredClone(object);
      const changed = editPodSpec(object, (old) => ({ ...old, b: 2 }));
      expect(changed).to.deep.equal({ ...before, ...at({ a: 1, b: 2 }) });
      expect(object).to.deep.equal(before);
    });
  }
  for (const [apiVersion, kind] of [
    ['v1', 'ConfigMap'],
    ['other.io/v1', 'Deployment'],
    ['v1', 'constructor'],
  ] as const) {
    it(`refuses ${apiVersion} ${kind}`, () => {
      expect(() => editPodSpec({ apiVersion, kind, metadata: {} }, (old) => old)).to.throw(
        `the object is not a pod or does not have a pod template: *v1.${kind}`,
      );
    });
  }
});

describe('matchesWildcard', () => {
  for (const [pattern, name, isMatch] of [
    ['*', 'web', true],
    ['web', 'web', true],
    ['web', 'webs', false],
    ['w*', 'web', true],
    ['*b', 'web', true],
    ['w*w', 'w', false],
    ['a*b*c', 'axbyc', true],
    ['a*b*c', 'acb', false],
    ['a*bc*c', 'abc', false],
    ['a.c', 'abc', false],
    ['', 'a', false],
  ] as const) {
    it(`${pattern} ${isMatch ? 'takes' : 'does not take'} ${name}`, () => {
      expect(matchesWildcard(pattern, name)).to.equal(isMatch);
    });
  }
});

describe('setImages', () => {
  const images = (...pairs: string[]) => {
    const { spec: changed, missing } = setImages(spec, parseImages(pairs));
    return { init: changed.initContainers, containers: changed.containers, missing };
  };
  it('changes containers of both kinds by name, and says which are missing', () => {
    expect(images('web=w:2', 'init=i:2', 'no=x')).to.deep.equal({
      init: [{ name: 'init', image: 'i:2' }],
      containers: [{ ...spec.containers[0], image: 'w:2' }, spec.containers[1]],
      missing: ['no'],
    });
  });
  it('takes * for all', () => {
    const all = images('*=x');
    expect(all.init).to.deep.equal([{ name: 'init', image: 'x' }]);
    expect(all.containers).to.deep.equal([
      { ...spec.containers[0], image: 'x' },
      { name: 'log', image: 'x' },
    ]);
  });
  it('wants at least one, and no other beside *', () => {
    expect(() => parseImages(['*=x', 'log=l:2'])).to.throw(
      'all containers are already specified by *, but saw more than one container_name=container_image pairs',
    );
    expect(() => parseImages([])).to.throw('at least one image update is required');
    expect(() => parseImages(['web-'])).to.throw('invalid image format: web-');
  });
});

describe('setResources', () => {
  it('joins quantities with those that are there, in the containers that fit', () => {
    const change = { containers: 'w*', limits: { cpu: '2' }, requests: { cpu: '1' } };
    const { spec: changed, isFound } = setResources(spec, change);
    expect(isFound).to.equal(true);
    expect(changed).to.deep.equal({
      ...spec,
      containers: [
        { ...spec.containers[0], resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1' } } },
        spec.containers[1],
      ],
    });
  });
  it('says that no container fits', () => {
    expect(setResources(spec, { containers: 'no', limits: { cpu: '1' }, requests: {} })).to.deep.equal({
      spec,
      isFound: false,
    });
  });
});

describe('parseMapSelector', () => {
  it('takes labels that must be equal', () => {
    expect(parseMapSelector('a=b,c==d')).to.deep.equal({ a: 'b', c: 'd' });
  });
  for (const [text, message] of [
    ['a in (b)', 'match expression [{a In [b]}] not supported on this object'],
    ['a', 'match expression [{a Exists []}] not supported on this object'],
    ['a!=b', '"!=" is not a valid label selector operator'],
    ['=', `couldn't parse the selector string "="`],
  ] as const) {
    it(`refuses ${text}`, () => {
      expect(() => parseMapSelector(text)).to.throw(message);
    });
  }
});

describe('subjects of bindings', () => {
  const apiGroup = 'rbac.authorization.orch.io';
  const names = { users: ['u'], groups: ['g'], accounts: ['n:a', ':b'], namespace: 'default' };
  it('are made from flags', () => {
    expect(makeSubjects(createDialect('orch'), names)).to.deep.equal([
      { apiGroup, kind: 'User', name: 'u' },
      { apiGroup, kind: 'Group', name: 'g' },
      { kind: 'ServiceAccount', name: 'a', namespace: 'n' },
      { kind: 'ServiceAccount', name: 'b', namespace: 'default' },
    ]);
    for (const account of ['a', 'a:', 'a:b:c']) {
      expect(() => makeSubjects(createDialect('orch'), { ...names, accounts: [account] })).to.throw(
        'must be <namespace>:<name>',
      );
    }
  });
  it('are added once', () => {
    const ann = { apiGroup, kind: 'User', name: 'ann' };
    const bob = { apiGroup, kind: 'User', name: 'bob' };
    expect(addSubjects([ann], [bob, ann, bob])).to.deep.equal([ann, bob]);
  });
});

describe('splitPairs', () => {
  it('separates objects from changes', () => {
    expect(splitPairs(['deploy/web', 'a=b', 'c-'], 'image')).to.deep.equal({
      resources: ['deploy/web'],
      pairs: ['a=b', 'c-'],
    });
    expect(splitPairs(['deploy', 'web'], 'image')).to.deep.equal({ resources: ['deploy', 'web'], pairs: [] });
    expect(() => splitPairs(['a=b', 'deploy/web'], 'image')).to.throw(
      'all resources must be specified before image changes: deploy/web',
    );
  });
});
