import { expect } from 'chai';
import type { Service } from '../../../../src/apis/types/core-v1.ts';
import { defaultGates } from '../../../support/default-gates.ts';
import { create, update } from '../rule-fixture.ts';

const base = {
  type: 'ClusterIP',
  sessionAffinity: 'None',
  ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
};
const makeService = (spec: Record<string, unknown>) => ({ spec: { ...base, ...spec } });
const port = (fields: Record<string, unknown>) => ({ port: 80, protocol: 'TCP', targetPort: 80, ...fields });

describe('serviceRules', () => {
  const cases: readonly (readonly [
    what: string,
    spec: Record<string, unknown>,
    errors: readonly string[],
  ])[] = [
    ['accepts a plain service', {}, []],
    ['wants ports', { ports: [] }, ['spec.ports: Required value']],
    ['lets headless services do without ports', { ports: [], clusterIP: 'None' }, []],
    [
      'refuses a headless load balancer',
      { type: 'LoadBalancer', clusterIP: 'None' },
      [`spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for LoadBalancer services`],
    ],
    [
      "keeps the agent's port from load balancers",
      { type: 'LoadBalancer', ports: [port({ port: 10250 })] },
      [
        'spec.ports[0]: Invalid value: 10250: may not expose port 10250 externally since it is used by nodeagent',
      ],
    ],
    [
      'wants a name of an external service',
      { type: 'ExternalName', clusterIP: '10.0.0.1' },
      [
        'spec.clusterIPs: Forbidden: may not be set for ExternalName services',
        'spec.externalName: Required value',
      ],
    ],
    [
      'wants names of several ports, each once',
      { ports: [port({}), port({ name: 'a', port: 81 }), port({ name: 'a', port: 82 })] },
      ['spec.ports[0].name: Required value', 'spec.ports[2].name: Duplicate value: "a"'],
    ],
    [
      'refuses a port twice',
      { ports: [port({ name: 'a' }), port({ name: 'b' })] },
      [
        'spec.ports[1]: Duplicate value: core.ServicePort{Name:"", Protocol:"TCP", AppProtocol:(*string)(nil), Port:80, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}',
      ],
    ],
    [
      'knows three protocols',
      { ports: [port({ protocol: 'ICMP' })] },
      ['spec.ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"'],
    ],
    [
      'bounds the affinity timeout',
      { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86401 } } },
      [
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400',
      ],
    ],
    [
      'forbids node ports of cluster addresses',
      { ports: [port({ nodePort: 31000 })] },
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    [
      'refuses loopback external addresses',
      { externalIPs: ['127.0.0.1', 'x'] },
      [
        'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8)',
        'spec.externalIPs[1]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    ],
    [
      'keeps source ranges to load balancers',
      { loadBalancerSourceRanges: ['nope'] },
      [
        "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
        'spec.LoadBalancerSourceRanges: Invalid value: "[nope]": must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ',
      ],
    ],
    [
      'refuses mixed protocols of a load balancer',
      { type: 'LoadBalancer', ports: [port({ name: 'a' }), port({ name: 'b', protocol: 'UDP' })] },
      ["spec.ports: Invalid value: <any>: may not contain more than 1 protocol when type is 'LoadBalancer'"],
    ],
    [
      'looks at the traffic policy last',
      { externalTrafficPolicy: 'Local', healthCheckNodePort: 31000 },
      [
        'spec.externalTrafficPolicy: Invalid value: "Local": ExternalTrafficPolicy can only be set on NodePort and LoadBalancer service',
        'spec.healthCheckNodePort: Invalid value: 31000: HealthCheckNodePort can only be set on LoadBalancer service with ExternalTrafficPolicy=Local',
      ],
    ],
    [
      'wants the single address with the list',
      { clusterIPs: ['10.0.0.9'] },
      ['spec.clusterIPs: Invalid value: []string{"10.0.0.9"}: must be empty when clusterIP is empty'],
    ],
  ];
  for (const [what, spec, errors] of cases) {
    it(what, () => {
      const found = create('v1.Service', makeService(spec)).errors;
      // Structures of many fields are not spelled out here.
      expect(found.map((text) => text.replace(/\[\]core\..*\}\}/, '<any>'))).to.deep.equal(errors);
    });
  }

  const stored = makeService({ clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.5'] });
  it('refuses another address', () => {
    const changed = makeService({ clusterIP: '10.0.0.77', clusterIPs: ['10.0.0.5'] });
    const text = 'spec.clusterIPs[0]: Invalid value: []string{"10.0.0.77"}: may not change once set';
    expect(update('v1.Service', stored, changed).errors).to.deep.equal([text]);
  });
  it('refuses to unset the address alone', () => {
    const text = 'spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset';
    const changed = makeService({ clusterIPs: ['10.0.0.5'] });
    expect(update('v1.Service', stored, changed).errors).to.deep.equal([text]);
  });

  describe('with two families', () => {
    const gates = defaultGates({ IPv6DualStack: true });
    const addresses = (...clusterIPs: string[]) => ({ clusterIP: clusterIPs[0], clusterIPs });
    const both = {
      ...addresses('10.0.0.5', 'fd00::5'),
      ipFamilies: ['IPv4', 'IPv6'],
      ipFamilyPolicy: 'RequireDualStack',
    };
    const changes: readonly (readonly [what: string, spec: Record<string, unknown>, ...errors: string[]])[] =
      [
        ['one of each stays', {}],
        ['the second may go when the policy says so', { ipFamilyPolicy: 'SingleStack' }],
        [
          'another second is given up just so',
          { ...addresses('10.0.0.5', 'fd00::6'), ipFamilyPolicy: 'SingleStack' },
        ],
        [
          'the second may not go else',
          { ...addresses('10.0.0.5'), ipFamilies: ['IPv4'] },
          'spec.clusterIPs[0]: Invalid value: []string{"10.0.0.5"}: `ipFamilyPolicy` must be set to \'SingleStack\' when releasing the secondary clusterIP',
          'spec.clusterIPs[0]: Invalid value: []string{"10.0.0.5"}: `ipFamilyPolicy` must be set to \'SingleStack\' when releasing the secondary ipFamily',
        ],
        [
          'families that change are reported at the first',
          { ipFamilies: ['IPv6', 'IPv4'] },
          'spec.ipFamilies[0]: Invalid value: []core.IPFamily{"IPv6", "IPv4"}: may not change once set',
          'spec.ipFamilies[0]: Invalid value: []core.IPFamily{"IPv6", "IPv4"}: may not change once set',
          'spec.clusterIPs[0]: Invalid value: "10.0.0.5": expected an IPv6 value as indicated by `ipFamilies[0]`',
          'spec.clusterIPs[1]: Invalid value: "fd00::5": expected an IPv4 value as indicated by `ipFamilies[1]`',
        ],
        [
          'addresses are compared to no family that there is not',
          { ipFamilies: ['x', 'IPv6'] },
          'spec.ipFamilies[0]: Invalid value: []core.IPFamily{"x", "IPv6"}: may not change once set',
          'spec.ipFamilies[0]: Unsupported value: "x": supported values: "IPv4", "IPv6"',
        ],
        [
          'the first family may not change when the second goes',
          { ...addresses('fd00::5'), ipFamilies: ['IPv6'], ipFamilyPolicy: 'SingleStack' },
          'spec.clusterIPs[0]: Invalid value: []string{"fd00::5"}: may not change once set',
          'spec.ipFamilies[0]: Invalid value: []string{"fd00::5"}: may not change once set',
        ],
        [
          'three addresses are too many, though of both families',
          addresses('10.0.0.5', 'fd00::5', 'fd00::6'),
          'spec.clusterIPs: Invalid value: []string{"10.0.0.5", "fd00::5", "fd00::6"}: may only hold up to 2 values',
        ],
        [
          'families are compared beside a policy that does not exist',
          { ...addresses('10.0.0.5', '10.0.0.6'), ipFamilyPolicy: 'Q' },
          'spec.clusterIPs[1]: Invalid value: []string{"10.0.0.5", "10.0.0.6"}: may not change once set',
          'spec.ipFamilyPolicy: Unsupported value: "Q": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
          'spec.clusterIPs: Invalid value: []string{"10.0.0.5", "10.0.0.6"}: may specify no more than one IP for each IP family',
          'spec.clusterIPs[1]: Invalid value: "10.0.0.6": expected an IPv6 value as indicated by `ipFamilies[1]`',
        ],
      ];
    for (const [what, spec, ...errors] of changes) {
      it(what, () => {
        const changed = makeService({ ...both, ...spec });
        expect(update('v1.Service', makeService(both), changed, { gates }).errors).to.deep.equal(errors);
      });
    }
  });

  it('wants an update to repeat what was allocated', () => {
    const old = makeService({ type: 'NodePort', clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.5'] });
    const { object, errors } = update('v1.Service', old, makeService({ type: 'NodePort' }));
    expect(errors).to.deep.equal([
      'spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset',
    ]);
    expect(object).to.not.have.nested.property('spec.ports[0].nodePort');
  });
  it('drops address and node ports with the type that needed them', () => {
    const spec = { clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.5'], ports: [port({ nodePort: 31000 })] };
    const old = makeService({ ...spec, type: 'NodePort', externalTrafficPolicy: 'Cluster' });
    const changed = { ...old.spec, type: 'ExternalName', externalName: 'x.example.com' };
    const { object, errors } = update('v1.Service', old, { spec: changed });
    expect(errors).to.deep.equal([]);
    expect(object).to.not.have.nested.property('spec.clusterIP');
    expect(object).to.not.have.nested.property('spec.ports[0].nodePort');
    expect(object).to.not.have.nested.property('spec.externalTrafficPolicy');
  });
  it('drops node ports also when some are gone already, and none beside a new one', () => {
    const [one, other] = [port({ nodePort: 31_000 }), port({ name: 'b', port: 81, nodePort: 31_001 })];
    const address = { clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.5'] };
    const old = makeService({ ...address, type: 'NodePort', ports: [one, other] });
    const change = (ports: object[]) =>
      update('v1.Service', old, makeService({ ...address, type: 'ClusterIP', ports }));
    const fewer = change([port(one)]);
    expect(fewer.errors).to.deep.equal([]);
    expect(fewer.object).to.not.have.nested.property('spec.ports[0].nodePort');
    expect(change([port({ nodePort: 31_002 })]).errors).to.have.lengthOf(1);
  });
  describe('of families that becomes a name outside', () => {
    const gates = new Set(['IPv6DualStack']);
    const old = makeService({
      type: 'ClusterIP',
      ...{ clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.5'] },
      ...{ ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    });
    const change = (spec: Record<string, unknown>) => {
      const changed = { ...old.spec, type: 'ExternalName', externalName: 'x.example.com', ...spec };
      return update('v1.Service', old, makeService(changed), { gates });
    };

    for (const [what, spec] of [
      ['with its address', {}],
      ['without it', { clusterIP: '' }],
      ['without addresses', { clusterIP: undefined, clusterIPs: undefined }],
      [
        'without anything',
        { clusterIP: '', clusterIPs: undefined, ipFamilies: undefined, ipFamilyPolicy: undefined },
      ],
    ] as const) {
      it(`loses them, sent ${what}`, () => {
        const { object, errors } = change(spec);
        expect(errors).to.deep.equal([]);
        const { spec: left } = object as unknown as Service; // the rules are those of services
        expect([left.clusterIP ?? '', left.clusterIPs, left.ipFamilies, left.ipFamilyPolicy]).to.deep.equal([
          ...['', undefined, undefined, undefined],
        ]);
      });
    }
    it('may not set them anew', () => {
      expect(change({ ipFamilies: ['IPv6'], ipFamilyPolicy: 'PreferDualStack' }).errors).to.have.lengthOf(2);
    });
  });
  describe('changed from a balancer of local traffic', () => {
    const local = {
      type: 'LoadBalancer',
      clusterIP: '10.0.0.1',
      clusterIPs: ['10.0.0.1'],
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 30_100,
    };
    const change = (spec: Record<string, unknown>) =>
      update('v1.Service', makeService(local), makeService({ ...local, ...spec }));

    for (const [what, spec, policy] of [
      ['to one of all traffic', { externalTrafficPolicy: 'Cluster' }, 'Cluster'],
      ['to another type', { type: 'NodePort' }, 'Local'],
      ['to a type inside the cluster', { type: 'ClusterIP' }, undefined],
    ] as const) {
      it(`${what} loses what that does not use, even when the client names another port`, () => {
        for (const healthCheckNodePort of [30_100, 30_101]) {
          const { object, errors } = change({ ...spec, healthCheckNodePort });
          expect(errors).to.deep.equal([]);
          const { spec: left } = object as unknown as Service; // the rules are those of services
          expect([left.healthCheckNodePort, left.externalTrafficPolicy]).to.deep.equal([undefined, policy]);
        }
      });
    }
    it('must be right even where it loses it', () => {
      const { errors } = change({
        type: 'ClusterIP',
        externalTrafficPolicy: 'Near',
        healthCheckNodePort: -1,
      });
      expect(errors).to.deep.equal([
        'spec.externalTrafficPolicy: Invalid value: "Near": ExternalTrafficPolicy must be empty, Cluster or Local',
        'spec.healthCheckNodePort: Invalid value: -1: HealthCheckNodePort must be not less than 0',
      ]);
    });
  });

  it('checks addresses in the status', () => {
    const changed = {
      ...stored,
      status: { loadBalancer: { ingress: [{ ip: 'bad' }, { hostname: '1.2.3.4' }] } },
    };
    expect(update('v1.Service', stored, changed, { way: 'status' }).errors).to.deep.equal([
      'status.loadBalancer.ingress[0].ip: Invalid value: "bad": must be a valid IP address',
      'status.loadBalancer.ingress[1].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
    ]);
  });
});
