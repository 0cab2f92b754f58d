import { expect } from 'chai';
import {
  type ChargedQuota,
  type ChargeRules,
  chargeQuotas,
  evaluatorFor,
  formatAmounts,
  type LimitedResource,
  parseAmounts,
} from '../../../../src/apis/quota/index.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';

const nowMs = () => Date.parse('2026-01-01T00:01:00Z');
const sources = { dialect: orchDialect, nowMs };
type Texts = Record<string, string>;

/** A quota of which nothing is used, unless told otherwise. */
function quota(hard: Texts, used: Texts = {}, spec: object = {}): ChargedQuota {
  const zeros = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
  return { name: 'q', spec, hard: parseAmounts(hard), used: parseAmounts({ ...zeros, ...used }) };
}

const objectOf = (parts: object): ApiObject =>
  ({ metadata: { name: 'o', namespace: 'n' }, ...parts }) as unknown as ApiObject;
const container = (requests: Texts = {}, limits: Texts = {}) => ({
  name: 'c',
  image: 'i',
  resources: { requests, limits },
});
const pod = (spec: object = {}, status: object = {}) =>
  objectOf({ spec: { containers: [container()], ...spec }, status });

function rulesOf(resourceName: string, limits: readonly LimitedResource[] = []): ChargeRules {
  const [name = '', group = ''] = resourceName.split(/\.(.*)/);
  const resource = { group, resource: name };
  return { evaluator: evaluatorFor(resource, sources), resource, limits };
}

/** What is used after a creation, or why it is refused. */
function charge(resourceName: string, object: ApiObject, bounds: ChargedQuota, oldObject?: ApiObject) {
  const result = chargeQuotas([bounds], { object, oldObject }, rulesOf(resourceName));
  if (result.kind !== 'charged') return result.detail;
  return formatAmounts(result.quotas[0]?.used ?? new Map());
}

describe('what a pod is charged', () => {
  const big = { requests: { cpu: '2' }, limits: {} };
  const cases: [string, object, Texts, Texts][] = [
    [
      'the sum of its containers',
      { containers: [container({ cpu: '100m' }), container({ cpu: '200m' })] },
      { cpu: '9', 'requests.cpu': '9', pods: '5', 'count/pods': '5' },
      { cpu: '300m', 'requests.cpu': '300m', pods: '1', 'count/pods': '1' },
    ],
    [
      'its largest init container, if that is more',
      {
        containers: [container({ cpu: '100m' }), container({ cpu: '200m' })],
        initContainers: [{ ...container(), resources: big }],
      },
      { 'requests.cpu': '9' },
      { 'requests.cpu': '2' },
    ],
    [
      'no overhead of its sandbox',
      { containers: [container({ memory: '1Gi' }, { memory: '2Gi' })], overhead: { memory: '1Gi' } },
      { memory: '9Gi', 'limits.memory': '9Gi' },
      { memory: '1Gi', 'limits.memory': '2Gi' },
    ],
    [
      'huge pages under both names',
      { containers: [container({ 'hugepages-2Mi': '4Mi' }, { 'hugepages-2Mi': '4Mi' })] },
      { 'hugepages-2Mi': '8Mi', 'requests.hugepages-2Mi': '8Mi' },
      { 'hugepages-2Mi': '4Mi', 'requests.hugepages-2Mi': '4Mi' },
    ],
    [
      'requests of extended resources',
      { containers: [container({ 'example.com/gpu': '2' }, { 'example.com/gpu': '2' })] },
      { 'requests.example.com/gpu': '4' },
      { 'requests.example.com/gpu': '2' },
    ],
    [
      'temporary storage, which it need not state',
      {},
      { 'requests.ephemeral-storage': '1Gi', pods: '1' },
      { 'requests.ephemeral-storage': '0', pods: '1' },
    ],
  ];
  for (const [what, spec, hard, used] of cases)
    it(what, () => expect(charge('pods', pod(spec), quota(hard))).to.deep.equal(used));

  const counts = { pods: '5', 'count/pods': '5' };
  it('is the object only, once it has ended', () => {
    for (const phase of ['Failed', 'Succeeded'])
      expect(charge('pods', pod({}, { phase }), quota(counts))).to.deep.equal({
        pods: '0',
        'count/pods': '1',
      });
  });

  it('is the object only, once it should be gone', () => {
    const leaving = (deletionTimestamp: string) => ({
      ...pod(),
      metadata: { name: 'o', deletionTimestamp, deletionGracePeriodSeconds: 30 },
    });
    expect(charge('pods', leaving('2026-01-01T00:00:29Z'), quota(counts))).to.deep.equal({
      pods: '0',
      'count/pods': '1',
    });
    expect(charge('pods', leaving('2026-01-01T00:00:30Z'), quota(counts))).to.deep.equal({
      pods: '1',
      'count/pods': '1',
    });
  });

  it('must be stated by every container where the quota bounds CPU or memory', () => {
    const bounds = quota({ cpu: '1', 'limits.memory': '1Gi', 'requests.ephemeral-storage': '1' });
    const partly = pod({ containers: [container({ cpu: '1' }, { memory: '1' }), container({ cpu: '1' })] });
    expect(charge('pods', pod(), bounds)).to.equal('failed quota: q: must specify cpu,limits.memory');
    expect(charge('pods', partly, bounds)).to.equal('failed quota: q: must specify limits.memory');
  });
});

describe('scopes of a quota', () => {
  const deadline = { activeDeadlineSeconds: 5 };
  const stated = { containers: [container({ cpu: '1' })] };
  const classed = { priorityClassName: 'high' };
  const selector = (operator: string, ...values: string[]) => ({
    scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, values }] },
  });
  const cases: [object, object, boolean][] = [
    [{ scopes: ['Terminating'] }, deadline, true],
    [{ scopes: ['Terminating'] }, {}, false],
    [{ scopes: ['NotTerminating'] }, {}, true],
    [{ scopes: ['NotTerminating'] }, deadline, false],
    [{ scopes: ['BestEffort'] }, {}, true],
    [{ scopes: ['BestEffort'] }, stated, false],
    [{ scopes: ['NotBestEffort'] }, stated, true],
    [{ scopes: ['NotBestEffort', 'Terminating'] }, stated, false],
    [{ scopes: ['PriorityClass'] }, classed, true],
    [{ scopes: ['PriorityClass'] }, {}, false],
    [selector('In', 'high', 'higher'), classed, true],
    [selector('In', 'low'), classed, false],
    [selector('In', 'low'), {}, false],
    [selector('NotIn', 'low'), classed, true],
    [selector('NotIn', 'high'), classed, false],
    [selector('NotIn', 'high'), {}, true],
    [selector('Exists'), classed, true],
    [selector('DoesNotExist'), classed, false],
    [selector('DoesNotExist'), {}, true],
  ];
  for (const [spec, podSpec, isCharged] of cases) {
    it(`${JSON.stringify(spec)} ${isCharged ? 'has' : 'has not'} ${JSON.stringify(podSpec)}`, () => {
      const used = charge('pods', pod(podSpec), quota({ pods: '5' }, {}, spec));
      expect(used).to.deep.equal({ pods: isCharged ? '1' : '0' });
    });
  }

  it('keep everything else out', () => {
    const used = charge('secrets', objectOf({}), quota({ secrets: '1' }, {}, { scopes: ['NotTerminating'] }));
    expect(used).to.deep.equal({ secrets: '0' });
  });
});

describe('what services and claims are charged', () => {
  const service = (type: string, ports = 2) =>
    objectOf({ spec: { type, ports: Array.from({ length: ports }, (_, port) => ({ port })) } });
  const hard = {
    services: '5',
    'services.nodeports': '3',
    'services.loadbalancers': '1',
    'count/services': '9',
  };
  const services: [string, string, string][] = [
    ['ClusterIP', '0', '0'],
    ['ExternalName', '0', '0'],
    ['NodePort', '2', '0'],
    ['LoadBalancer', '2', '1'],
  ];
  for (const [type, nodePorts, balancers] of services) {
    it(type, () => {
      expect(charge('services', service(type), quota(hard))).to.deep.equal({
        services: '1',
        'services.nodeports': nodePorts,
        'services.loadbalancers': balancers,
        'count/services': '1',
      });
    });
  }

  it('is the difference where a service changes', () => {
    const before = quota(hard, { services: '1', 'count/services': '1', 'services.nodeports': '1' });
    expect(charge('services', service('LoadBalancer', 3), before, service('NodePort', 1))).to.deep.equal({
      services: '1',
      'services.nodeports': '3',
      'services.loadbalancers': '1',
      'count/services': '1',
    });
    expect(charge('services', service('NodePort', 4), before, service('NodePort', 1))).to.equal(
      'exceeded quota: q, requested: services.nodeports=3, used: services.nodeports=1, limited: services.nodeports=3',
    );
  });

  const claim = (storage: string, spec: object = {}, annotations: Texts = {}) => ({
    ...objectOf({ spec: { resources: { requests: { storage } }, ...spec } }),
    metadata: { name: 'o', annotations },
  });
  const gold = 'gold.storageclass.storage.orch.io';
  const ofGold = { [`${gold}/requests.storage`]: '9Gi', [`${gold}/persistentvolumeclaims`]: '2' };
  it('is the storage of a claim in whole bytes, in all and by class', () => {
    const bounds = quota({ 'requests.storage': '9Gi', persistentvolumeclaims: '2', ...ofGold });
    const used = {
      'requests.storage': '1Gi',
      persistentvolumeclaims: '1',
      [`${gold}/requests.storage`]: '1Gi',
      [`${gold}/persistentvolumeclaims`]: '1',
    };
    const annotated = { 'volume.beta.orch.io/storage-class': 'gold' };
    expect(
      charge('persistentvolumeclaims', claim('1Gi', { storageClassName: 'gold' }), bounds),
    ).to.deep.equal(used);
    expect(
      charge('persistentvolumeclaims', claim('1Gi', { storageClassName: 'tin' }, annotated), bounds),
    ).to.deep.equal(used);
    expect(
      charge('persistentvolumeclaims', claim('1500m'), quota({ 'requests.storage': '9' })),
    ).to.deep.equal({
      'requests.storage': '2',
    });
  });

  it('has the class under the name of the dialect', () => {
    const name = 'gold.storageclass.storage.k8s.io/requests.storage';
    const evaluator = evaluatorFor(
      { group: '', resource: 'persistentvolumeclaims' },
      { dialect: createDialect('kubernetes'), nowMs },
    );
    expect(evaluator.usage(claim('1Gi', { storageClassName: 'gold' })).has(name)).to.equal(true);
  });
});

describe('objects that are counted', () => {
  const cases: [string, Texts][] = [
    ['secrets', { secrets: '1', 'count/secrets': '1' }],
    ['configmaps', { configmaps: '1', 'count/configmaps': '1' }],
    ['replicationcontrollers', { replicationcontrollers: '1', 'count/replicationcontrollers': '1' }],
    ['resourcequotas', { resourcequotas: '1', 'count/resourcequotas': '1' }],
    ['deployments.apps', { 'count/deployments.apps': '1' }],
    ['widgets.example.com', { 'count/widgets.example.com': '1' }],
    ['events.example.com', { 'count/events.example.com': '1' }],
  ];
  for (const [resource, used] of cases) {
    it(resource, () => {
      const hard = Object.fromEntries(Object.keys(used).map((name) => [name, '1']));
      expect(charge(resource, objectOf({}), quota(hard))).to.deep.equal(used);
      const [name = ''] = Object.keys(used).sort();
      const full = charge(resource, objectOf({}), quota({ [name]: '1' }, { [name]: '1' }));
      expect(full).to.equal(`exceeded quota: q, requested: ${name}=1, used: ${name}=1, limited: ${name}=1`);
    });
  }

  it('are refused while nobody has counted them', () => {
    const bounds = { ...quota({ secrets: '1' }), used: new Map() };
    expect(charge('secrets', objectOf({}), bounds)).to.equal(
      'status unknown for quota: q, resources: secrets',
    );
  });

  it('cost nothing where no bound is of their resource', () => {
    expect(charge('secrets', objectOf({}), quota({ pods: '0' }))).to.deep.equal({ pods: '0' });
  });
});

describe('what may be used only where a quota bounds it', () => {
  const limit = (resource: string, parts: Partial<LimitedResource>): LimitedResource => {
    const [name = '', group = ''] = resource.split(/\.(.*)/);
    return { group, resource: name, matchContains: [], matchScopes: [], ...parts };
  };
  const classScope = (operator: string, ...values: string[]) => ({
    scopeName: 'PriorityClass',
    operator,
    values,
  });
  const high = limit('pods', { matchScopes: [classScope('In', 'high', 'higher')] });
  const cpu = limit('pods', { matchContains: ['cpu', 'nothing'] });
  const stated = pod({ containers: [container({ cpu: '1' })] });
  const classed = pod({ priorityClassName: 'high' });
  const inClass = { scopeSelector: { matchExpressions: [classScope('In', 'high')] } };

  /** Undefined when the creation is let in. */
  function problem(
    resource: string,
    object: ApiObject,
    limits: LimitedResource[],
    quotas: ChargedQuota[] = [],
  ) {
    const result = chargeQuotas(quotas, { object, oldObject: undefined }, rulesOf(resource, limits));
    return result.kind === 'charged' ? undefined : [result.kind, result.detail];
  }
  const consume = (names: string) => ['refused', `insufficient quota to consume: ${names}`];
  const match = (scopes: string) => ['failed', `insufficient quota to match these scopes: ${scopes}`];

  const claims = 'persistentvolumeclaims';
  const claim = objectOf({ spec: { storageClassName: 'gold', resources: { requests: { storage: '1' } } } });
  const gold = 'gold.storageclass.storage.orch.io/requests.storage';
  const cases: readonly [string, string, ApiObject, LimitedResource[], ChargedQuota[], unknown][] = [
    ['no quota at all', 'pods', stated, [cpu], [], consume('cpu,requests.cpu')],
    ['quotas of other names', 'pods', stated, [cpu], [quota({ pods: '9' })], consume('cpu,requests.cpu')],
    ['a quota of one name', 'pods', stated, [cpu], [quota({ cpu: '9' })], consume('requests.cpu')],
    [
      'quotas that together name all',
      'pods',
      stated,
      [cpu],
      [quota({ cpu: '9' }), quota({ 'requests.cpu': '9' })],
      undefined,
    ],
    ['what is not used', 'pods', pod(), [cpu], [], undefined],
    [
      'a quota for other pods',
      'pods',
      stated,
      [cpu],
      [quota({ cpu: '9', 'requests.cpu': '9' }, {}, { scopes: ['Terminating'] })],
      consume('cpu,requests.cpu'),
    ],
    ['another resource', 'services', objectOf({ spec: {} }), [cpu], [], undefined],
    [
      'a storage class',
      claims,
      claim,
      [limit(claims, { matchContains: ['gold.'] })],
      [],
      consume(`${gold},gold.storageclass.storage.orch.io/persistentvolumeclaims`.split(',').sort().join()),
    ],
    [
      'objects of a group',
      'deployments.apps',
      objectOf({}),
      [limit('deployments.apps', { matchContains: ['count/'] })],
      [],
      consume('count/deployments.apps'),
    ],
    [
      'the resource of another group',
      'deployments.apps',
      objectOf({}),
      [limit('deployments', { matchContains: ['count/'] })],
      [],
      undefined,
    ],
    ['a scope without a quota', 'pods', classed, [high], [], match('[{PriorityClass In [high higher]}]')],
    ['a scope that a quota has', 'pods', classed, [high], [quota({ pods: '9' }, {}, inClass)], undefined],
    [
      'a quota of that scope for other pods',
      'pods',
      pod({ priorityClassName: 'higher' }),
      [high],
      [quota({ pods: '9' }, {}, inClass)],
      match('[{PriorityClass In [high higher]}]'),
    ],
    ['pods outside the scope', 'pods', pod({ priorityClassName: 'low' }), [high], [], undefined],
    [
      'two scopes',
      'pods',
      classed,
      [high, limit('pods', { matchScopes: [{ scopeName: 'BestEffort', operator: 'Exists' }] })],
      [],
      match('[{PriorityClass In [high higher]} {BestEffort Exists []}]'),
    ],
    [
      'both, amounts first',
      'pods',
      classed,
      [limit('pods', { ...high, matchContains: ['pods'] })],
      [],
      consume('count/pods,pods'),
    ],
  ];
  for (const [what, resource, object, limits, quotas, expected] of cases) {
    it(what, () => expect(problem(resource, object, limits, quotas)).to.deep.equal(expected));
  }

  it('is not looked at by an update that uses no more', () => {
    const limits = [limit('services', { matchContains: ['services'] })];
    const service = objectOf({ spec: {} });
    const write = { object: service, oldObject: service };
    expect(chargeQuotas([], write, rulesOf('services', limits))).to.deep.equal({
      kind: 'charged',
      quotas: [],
    });
  });
});
