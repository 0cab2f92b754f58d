import { expect } from 'chai';
import { evaluatorFor, resourcesOfNames } from '../../../../src/apis/quota/index.ts';
import type { ResourceQuota } from '../../../../src/apis/types/core-v1.ts';
import { decideQuotaStatus, needsStatus } from '../../../../src/controllers/resource-quota/decide.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import { formatGroupResource, type GroupResource } from '../../../../src/machinery/schema/index.ts';

type Texts = Record<string, string>;
const evaluatorOf = (resource: GroupResource) =>
  evaluatorFor(resource, { dialect: orchDialect, nowMs: () => 0 });
const object = (parts: object = {}): ApiObject => ({ metadata: {}, ...parts }) as unknown as ApiObject;
const pod = (cpu: string, parts: object = {}, spec: object = {}) =>
  object({ spec: { containers: [{ name: 'c', resources: { requests: { cpu } } }], ...spec }, ...parts });
const quota = (hard: Texts, status: ResourceQuota['status'] = {}, spec: object = {}) => ({
  spec: { hard, ...spec },
  status,
});

describe('the status of a quota', () => {
  const deadline = { activeDeadlineSeconds: 5 };
  const cases: [string, ReturnType<typeof quota>, Record<string, ApiObject[]>, Texts | undefined][] = [
    ['counts objects', quota({ secrets: '5' }), { secrets: [object(), object()] }, { secrets: '2' }],
    ['is zero of what there is none of', quota({ 'count/pods': '5' }), { pods: [] }, { 'count/pods': '0' }],
    [
      'sums what pods ask for',
      quota({ 'requests.cpu': '5', pods: '5' }),
      { pods: [pod('250m'), pod('1')] },
      { 'requests.cpu': '1250m', pods: '2' },
    ],
    [
      'leaves out pods that have ended, but for their number as objects',
      quota({ pods: '5', 'count/pods': '5' }),
      { pods: [pod('1'), pod('1', { status: { phase: 'Failed' } })] },
      { pods: '1', 'count/pods': '2' },
    ],
    [
      'counts what is in all its scopes',
      quota({ pods: '5' }, {}, { scopes: ['Terminating', 'NotBestEffort'] }),
      { pods: [pod('1'), pod('1', {}, deadline), object({ spec: { containers: [], ...deadline } })] },
      { pods: '1' },
    ],
    [
      'counts objects of other groups',
      quota({ 'count/widgets.example.com': '1' }),
      { 'widgets.example.com': [object()] },
      { 'count/widgets.example.com': '1' },
    ],
    [
      'keeps what is not known now, and forgets what is not bounded any more',
      quota({ secrets: '5', pods: '1' }, { used: { secrets: '3', services: '1' } }),
      { pods: [] },
      { secrets: '3', pods: '0' },
    ],
    ['has no names that nobody counts', quota({ 'count/nothing.here': '5' }), {}, {}],
    [
      'stays as it is when it is right, however it is written',
      quota(
        { pods: '5', 'requests.cpu': '1' },
        { hard: { pods: '5', 'requests.cpu': '1000m' }, used: { pods: '1', 'requests.cpu': '1000m' } },
      ),
      { pods: [pod('1')] },
      undefined,
    ],
  ];
  for (const [what, given, objects, used] of cases) {
    it(what, () => {
      const status = decideQuotaStatus(given, {
        evaluatorOf,
        objectsOf: (resource) => objects[formatGroupResource(resource)],
      });
      expect(status).to.deep.equal(used && { hard: given.spec.hard, used });
    });
  }

  it('is right after one recalculation', () => {
    const sources = { evaluatorOf, objectsOf: () => [pod('100m')] };
    const given = quota({ pods: '5', 'requests.cpu': '1', secrets: '2' });
    const status = decideQuotaStatus(given, sources);
    expect(decideQuotaStatus({ ...given, ...(status && { status }) }, sources)).to.equal(undefined);
  });
});

describe('a quota that comes first', () => {
  const cases: [string, ResourceQuota['status'], boolean][] = [
    ['has no status', {}, true],
    ['has other bounds in its status', { hard: { pods: '1' }, used: { pods: '0' } }, true],
    ['does not know all that is used', { hard: { pods: '2' }, used: {} }, true],
    ['is not one that has it all', { hard: { pods: '2' }, used: { pods: '9' } }, false],
  ];
  for (const [what, status, isFirst] of cases) {
    it(what, () => {
      expect(needsStatus(quota({ pods: '2' }, status))).to.equal(isFirst);
    });
  }
});

describe('the resources that a quota counts', () => {
  const cases: [string[], string[]][] = [
    [['pods', 'requests.cpu', 'hugepages-2Mi'], ['pods']],
    [['requests.example.com/gpu'], ['pods']],
    [
      ['services.nodeports', 'secrets'],
      ['services', 'secrets'],
    ],
    [['gold.storageclass.storage.orch.io/requests.storage'], ['persistentvolumeclaims']],
    [
      ['count/pods', 'count/secrets'],
      ['pods', 'secrets'],
    ],
    [
      ['count/deployments.apps', 'count/a.b.c'],
      ['deployments.apps', 'a.b.c'],
    ],
    [['count/events', 'count/events.events.orch.io', 'count/', 'count'], []],
    [['count/bindings', 'count/localsubjectaccessreviews.authorization.orch.io'], []],
    [['count/events.example.com'], ['events.example.com']],
  ];
  for (const [names, resources] of cases) {
    it(`of ${names.join(', ')} are ${resources.join(', ') || 'none'}`, () => {
      expect(resourcesOfNames(names, evaluatorOf).map(formatGroupResource)).to.deep.equal(resources);
    });
  }
});
