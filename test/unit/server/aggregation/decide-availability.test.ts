import { expect } from 'chai';
import type { APIService } from '../../../../src/apis/types/apiregistration-v1.ts';
import type { Endpoints, Service } from '../../../../src/apis/types/core-v1.ts';
import {
  type Backend,
  decideConditions,
  findAvailability,
  findingOfCall,
} from '../../../../src/server/aggregation/index.ts';

const now = '2030-01-01T00:00:00Z';
const before = '2029-01-01T00:00:00Z';
const spec = { group: 'g', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 };
const remote = { ...spec, service: { namespace: 'ns', name: 's', port: 443 } };

// Only what is looked at.
const service = (type: string, ports: object[] = [{ name: 'api', port: 443 }]) =>
  ({ spec: { type, ports } }) as unknown as Service;
const endpoints = (...subsets: object[]) => ({ subsets }) as unknown as Endpoints;
const ready = endpoints({ addresses: [{ ip: '192.0.2.1' }], ports: [{ name: 'api', port: 8443 }] });
const noPort = endpoints({ addresses: [{ ip: '192.0.2.1' }], ports: [{ name: 'other', port: 8443 }] });
const notReady = endpoints({
  notReadyAddresses: [{ ip: '192.0.2.1' }],
  ports: [{ name: 'api', port: 8443 }],
});
const unnamed = endpoints({ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 8443 }] });

describe('availability of an API service', () => {
  const missing = 'endpoints for service/s in "ns" have no addresses with port name "api"';
  const cases: [what: string, backend: Partial<Backend>, reason: string, message: string][] = [
    ['no service', {}, 'ServiceNotFound', 'service/s in "ns" is not present'],
    [
      'a service without ports',
      { service: service('ClusterIP', []) },
      'ServicePortError',
      'service/s in "ns" is not listening on port 443',
    ],
    [
      'a service with another port',
      { service: service('ClusterIP', [{ port: 80 }]) },
      'ServicePortError',
      'service/s in "ns" is not listening on port 443',
    ],
    [
      'no endpoints',
      { service: service('ClusterIP') },
      'EndpointsNotFound',
      'cannot find endpoints for service/s in "ns"',
    ],
    [
      'empty endpoints',
      { service: service('ClusterIP'), endpoints: endpoints() },
      'MissingEndpoints',
      missing,
    ],
    ['no ready address', { service: service('ClusterIP'), endpoints: notReady }, 'MissingEndpoints', missing],
    [
      'no port of that name',
      { service: service('ClusterIP'), endpoints: noPort },
      'MissingEndpoints',
      missing,
    ],
    [
      'no port without a name',
      { service: service('ClusterIP', [{ port: 443 }]), endpoints: ready },
      'MissingEndpoints',
      'endpoints for service/s in "ns" have no addresses with port name ""',
    ],
  ];
  const find = (backend: Partial<Backend>, ofSpec: APIService['spec'] = remote) =>
    findAvailability(ofSpec, { service: undefined, endpoints: undefined, ...backend });
  const decide = (
    status: APIService['status'],
    backend: Partial<Backend>,
    ofSpec: APIService['spec'] = remote,
  ) =>
    decideConditions(status?.conditions ?? [], find(backend, ofSpec) ?? expect.fail('must be called'), now);

  for (const [what, backend, reason, message] of cases) {
    it(`is not available with ${what}`, () => {
      const condition = { type: 'Available', status: 'False', lastTransitionTime: now, reason, message };
      expect(decide({}, backend)).to.deep.equal([condition]);
      expect(decide({ conditions: [condition] }, backend)).to.equal(undefined);
    });
  }

  const reachable: [what: string, backend: Partial<Backend>][] = [
    ['a port without a name', { service: service('ClusterIP', [{ port: 443 }]), endpoints: unnamed }],
    ['a ready address', { service: service('ClusterIP'), endpoints: ready }],
    ['a service elsewhere', { service: service('ExternalName', []) }],
    ['a port of nodes', { service: service('NodePort', []) }],
  ];
  for (const [what, backend] of reachable) {
    it(`must be called to know, with ${what}`, () => expect(find(backend)).to.equal(undefined));
  }

  it('is available when its server answers, and tells what is wrong otherwise', () => {
    expect(findingOfCall(undefined)).to.deep.equal({
      status: 'True',
      reason: 'Passed',
      message: 'all checks passed',
    });
    expect(findingOfCall('no answer')).to.deep.equal({
      status: 'False',
      reason: 'FailedDiscoveryCheck',
      message: 'no answer',
    });
  });

  it('is available where this server serves it', () => {
    const condition = {
      type: 'Available',
      status: 'True',
      lastTransitionTime: now,
      reason: 'Local',
      message: 'Local APIServices are always available',
    };
    expect(decide({}, {}, spec)).to.deep.equal([condition]);
    expect(decide({ conditions: [condition] }, {}, spec)).to.equal(undefined);
  });

  it('listens on 443 where nothing is said', () => {
    const [condition] =
      decide({}, { service: service('ClusterIP', []) }, { ...spec, service: { name: 's' } }) ?? [];
    expect(condition?.message).to.equal('service/s in "" is not listening on port 443');
  });

  it('leaves other conditions alone, and moves the time with the status only', () => {
    const other = { type: 'Other', status: 'True', lastTransitionTime: before };
    const available = (status: string, reason: string) => ({
      type: 'Available',
      status,
      lastTransitionTime: before,
      reason,
      message: 'm',
    });
    const found = {
      type: 'Available',
      status: 'False',
      reason: 'ServiceNotFound',
      message: 'service/s in "ns" is not present',
    };
    expect(decide({ conditions: [available('False', 'MissingEndpoints'), other] }, {})).to.deep.equal([
      { ...found, lastTransitionTime: before },
      other,
    ]);
    expect(decide({ conditions: [other, available('True', 'Passed')] }, {})).to.deep.equal([
      other,
      { ...found, lastTransitionTime: now },
    ]);
  });
});
