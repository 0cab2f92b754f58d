import { expect } from 'chai';
import fc from 'fast-check';
import {
  addressProblem,
  addressRefused,
  contains,
  nodePortRefused,
  nthAddress,
  offsetOf,
  parseCidr,
  parsePortRange,
  planServiceCreate,
  planServiceDelete,
  planServiceUpdate,
} from '../../../../src/apis/core/index.ts';
import type { Service } from '../../../../src/apis/types/core-v1.ts';
import { makeObject } from '../rule-fixture.ts';

// The catalog's decoder made it of this type.
const makeService = (spec: object) => makeObject('v1.Service', { spec }) as unknown as Service;

function range(text: string) {
  const parsed = parseCidr(text);
  if (parsed === undefined) throw new RangeError(text);
  return parsed;
}

describe('parseCidr', () => {
  it('leaves out the first address, and in IPv4 the last', () => {
    const small = range('10.0.0.0/24');
    expect(small.usableCount).to.equal(254);
    expect(contains(small, '10.0.0.0')).to.equal(false);
    expect(contains(small, '10.0.0.1')).to.equal(true);
    expect(contains(small, '10.0.0.255')).to.equal(false);
    expect(contains(small, '::1')).to.equal(false);
  });
  it('writes IPv6 in its short form and bounds its size', () => {
    const big = range('fd00:0:0:1::/64');
    expect(big.text).to.equal('fd00:0:0:1::/64');
    expect(big.usableCount).to.equal(65_535);
    expect(nthAddress(big, 0x1_0001)).to.equal('fd00::1:0:0:1:1');
  });
  it('finds every address where it was counted', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 65_535 }),
        fc.constantFrom('10.1.0.0/16', 'fd00::/112'),
        (at, text) => {
          const whole = range(text);
          return offsetOf(whole, nthAddress(whole, at)) === at;
        },
      ),
    );
  });
  it('knows what is no range', () => {
    for (const text of ['', '10.0.0.0', '10.0.0.0/33', 'x/8']) expect(parseCidr(text)).to.equal(undefined);
  });
});

describe('planServiceCreate', () => {
  it('asks for any address and any port', () => {
    const plan = planServiceCreate(makeService({ type: 'NodePort', ports: [{ port: 80 }] }));
    expect(plan.clusterIp).to.deep.equal({ kind: 'any' });
    expect(plan.nodePorts).to.deep.equal([{ positions: [0], requested: undefined }]);
  });
  it('gives one node port to one number over two protocols', () => {
    const ports = [{ port: 53 }, { port: 53, protocol: 'UDP', nodePort: 30053 }];
    const plan = planServiceCreate(makeService({ type: 'NodePort', ports }));
    expect(plan.nodePorts).to.deep.equal([{ positions: [0, 1], requested: 30053 }]);
  });
  it('asks for a health-check port of a local load balancer', () => {
    const plan = planServiceCreate(makeService({ type: 'LoadBalancer', externalTrafficPolicy: 'Local' }));
    expect(plan.healthCheckNodePort).to.deep.equal({ kind: 'any' });
  });
  it('asks nothing for a headless service', () => {
    const plan = planServiceCreate(makeService({ type: 'ClusterIP', clusterIP: 'None' }));
    expect(plan.clusterIp).to.deep.equal({ kind: 'none' });
  });
});

describe('planServiceUpdate', () => {
  it('gives back what the new type does not use', () => {
    const old = makeService({
      type: 'NodePort',
      clusterIP: '10.0.0.5',
      ports: [{ port: 80, nodePort: 30001 }],
    });
    const plan = planServiceUpdate(makeService({ type: 'ExternalName', ports: [{ port: 80 }] }), old);
    expect(plan.releasedAddresses).to.deep.equal(['10.0.0.5']);
    expect(plan.releasedPorts).to.deep.equal([30001]);
  });
  it('takes only ports that are new', () => {
    const old = makeService({
      type: 'NodePort',
      clusterIP: '10.0.0.5',
      ports: [{ port: 80, nodePort: 30001 }],
    });
    const ports = [
      { port: 80, nodePort: 30001 },
      { port: 81, nodePort: 30002 },
    ];
    const plan = planServiceUpdate(makeService({ type: 'NodePort', clusterIP: '10.0.0.5', ports }), old);
    expect(plan.nodePorts).to.deep.equal([{ positions: [1], requested: 30002 }]);
    expect(plan.releasedPorts).to.deep.equal([]);
    expect(plan.clusterIp).to.deep.equal({ kind: 'none' });
  });
});

describe('load balancers that want no node ports', () => {
  const ports = [{ port: 80 }, { port: 81, nodePort: 30002 }];
  const balancer = (spec: object = {}) =>
    makeService({ type: 'LoadBalancer', clusterIP: '10.0.0.5', ports, ...spec });
  const without = balancer({ allocateLoadBalancerNodePorts: false });
  const options = { hasPortControl: true };
  const counts = ({ nodePorts, releasedPorts }: ReturnType<typeof planServiceUpdate>) => [
    nodePorts.length,
    ...releasedPorts,
  ];

  it('get none, and keep those that they name', () => {
    expect(counts(planServiceCreate(without, options))).to.deep.equal([0]);
    expect(counts(planServiceUpdate(without, without, options))).to.deep.equal([0]);
  });
  it('get them without the gate, or when they say nothing', () => {
    expect(counts(planServiceCreate(without))).to.deep.equal([2]);
    expect(counts(planServiceCreate(balancer(), options))).to.deep.equal([2]);
  });
  it('keep what they had, until they are of a type without', () => {
    const old = balancer({ ports: [{ port: 80, nodePort: 30001 }] });
    expect(counts(planServiceUpdate(without, old, options))).to.deep.equal([0]);
    expect(counts(planServiceUpdate(without, old))).to.deep.equal([2, 30001]);
    const inside = makeService({ type: 'ClusterIP', clusterIP: '10.0.0.5', ports: [{ port: 80 }] });
    expect(counts(planServiceUpdate(inside, without, options))).to.deep.equal([0, 30002]);
  });
  it('are as they say only where they are load balancers', () => {
    const open = makeService({ type: 'NodePort', allocateLoadBalancerNodePorts: false, ports });
    expect(counts(planServiceCreate(open, options))).to.deep.equal([2]);
  });
});

describe('planServiceDelete', () => {
  it('gives back everything', () => {
    const service = makeService({
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 30009,
      clusterIP: '10.0.0.5',
      ports: [{ port: 80, nodePort: 30001 }],
    });
    const plan = planServiceDelete(service);
    expect(plan).to.deep.equal({ releasedAddresses: ['10.0.0.5'], releasedPorts: [30001, 30009] });
  });
});

describe('refusals', () => {
  const service = makeService({ clusterIP: '192.168.7.7', clusterIPs: ['192.168.7.7'] });
  it('names the range of an address outside', () => {
    const whole = range('10.0.0.0/24');
    const problem = addressProblem(whole, '192.168.7.7', () => false);
    expect(problem).to.equal('outside');
    const error = addressRefused(service, { address: '192.168.7.7', problem: 'outside', range: whole });
    expect(error.message).to.equal(
      'Service "x" is invalid: spec.clusterIPs: Invalid value: []string{"192.168.7.7"}: failed to allocated ip:192.168.7.7 with error:provided IP is not in the valid range. The range of valid IPs is 10.0.0.0/24',
    );
  });
  it('says that a port is taken, or names the range', () => {
    const ports = parsePortRange('30000-32767');
    if (ports === undefined) throw new RangeError('no range');
    const refuse = (problem: 'taken' | 'outside') =>
      nodePortRefused(service, { position: 0, port: 80, problem, range: ports }).message;
    const head = 'Service "x" is invalid: spec.ports[0].nodePort: Invalid value: 80: ';
    expect(refuse('taken')).to.equal(`${head}provided port is already allocated`);
    expect(refuse('outside')).to.equal(
      `${head}provided port is not in the valid range. The range of valid ports is 30000-32767`,
    );
  });
});
