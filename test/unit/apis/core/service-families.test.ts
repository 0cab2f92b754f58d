import { expect } from 'chai';
import { type IpFamily, neededFamilies, settleFamilies } from '../../../../src/apis/core/index.ts';
import type { Service } from '../../../../src/apis/types/core-v1.ts';
import { StatusError } from '../../../../src/machinery/errors/index.ts';
import { canonical } from '../core-pod/rule-bench.ts';

type Spec = Partial<Service['spec']>;

const selector = { app: 'x' };
const headless = { clusterIP: 'None', clusterIPs: ['None'] };
const clusters: Record<string, readonly IpFamily[]> = {
  '4': ['IPv4'],
  '6': ['IPv6'],
  '46': ['IPv4', 'IPv6'],
  '64': ['IPv6', 'IPv4'],
};
const service = (spec: Spec): Service =>
  canonical<Service>('v1.Service', { metadata: { name: 's' }, spec: { ports: [{ port: 1 }], ...spec } });

/** The policy and families that a service gets, or what is wrong with it. */
function settle(cluster: string, spec: Spec): string {
  const given = service({ selector, ...spec });
  try {
    settleFamilies(given, clusters[cluster] ?? []);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return (error.status.details?.causes ?? [])
      .map(({ field, message }) => `${field}: ${message}`)
      .join('; ');
  }
  const { ipFamilyPolicy, ipFamilies } = given.spec;
  return `${ipFamilyPolicy} ${ipFamilies?.join()}`;
}

const one = { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] };
const six = { clusterIP: 'fd00::1', clusterIPs: ['fd00::1'] };
const both = { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', 'fd00::1'] };
const cases: readonly (readonly [cluster: string, spec: Spec, outcome: string])[] = [
  ['4', {}, 'SingleStack IPv4'],
  ['64', {}, 'SingleStack IPv6'],
  ['4', { ipFamilyPolicy: 'PreferDualStack' }, 'PreferDualStack IPv4'],
  ['46', { ipFamilyPolicy: 'PreferDualStack' }, 'PreferDualStack IPv4,IPv6'],
  ['46', { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv6'] }, 'PreferDualStack IPv6,IPv4'],
  ['64', { ipFamilyPolicy: 'RequireDualStack' }, 'RequireDualStack IPv6,IPv4'],
  [
    '4',
    { ipFamilyPolicy: 'RequireDualStack' },
    'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": Cluster is not configured for dual stack services',
  ],
  [
    '4',
    { ipFamilies: ['IPv6'] },
    'spec.ipFamilies[0]: Invalid value: []string(nil): ipfamily IPv6 is not configured on cluster',
  ],
  ['46', { ipFamilies: ['IPv6'] }, 'SingleStack IPv6'],
  ['46', one, 'SingleStack IPv4'],
  ['46', six, 'SingleStack IPv6'],
  ['46', both, 'RequireDualStack IPv4,IPv6'],
  [
    '4',
    six,
    'spec.clusterIPs[0]: Invalid value: []string{"fd00::1"}: may not use IPv6 on a cluster which is not configured for it',
  ],
  [
    '6',
    one,
    'spec.clusterIPs[0]: Invalid value: []string{"10.0.0.1"}: may not use IPv4 on a cluster which is not configured for it',
  ],
  [
    '46',
    { ...both, ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'SingleStack' },
    `spec.ipFamilyPolicy: Invalid value: "SingleStack": must be RequireDualStack or PreferDualStack when multiple 'clusterIPs' are specified; spec.ipFamilyPolicy: Invalid value: "SingleStack": must be RequireDualStack or PreferDualStack when multiple 'ipFamilies' are specified`,
  ],
  ['46', headless, 'SingleStack IPv4'],
  ['46', { ...headless, ipFamilyPolicy: 'PreferDualStack' }, 'PreferDualStack IPv4,IPv6'],
  ['4', { ...headless, selector: undefined }, 'RequireDualStack IPv4,IPv6'],
  ['6', { ...headless, selector: undefined }, 'RequireDualStack IPv6,IPv4'],
  ['4', { ...headless, selector: undefined, ipFamilies: ['IPv6'] }, 'RequireDualStack IPv6,IPv4'],
  ['4', { ...headless, selector: undefined, ipFamilyPolicy: 'SingleStack' }, 'SingleStack IPv4'],
  ['4', { ...headless, selector: undefined, ipFamilyPolicy: 'PreferDualStack' }, 'PreferDualStack IPv4'],
  [
    '64',
    { ...headless, selector: undefined, ipFamilyPolicy: 'PreferDualStack' },
    'PreferDualStack IPv6,IPv4',
  ],
  [
    '4',
    { ...headless, selector: undefined, ipFamilyPolicy: 'RequireDualStack' },
    'RequireDualStack IPv4,IPv6',
  ],
  ['46', { type: 'ExternalName', externalName: 'e.example.com' }, 'undefined undefined'],
];

describe('settleFamilies', () => {
  for (const [cluster, spec, outcome] of cases) {
    it(`${JSON.stringify(spec)} in a cluster of ${clusters[cluster]}`, () => {
      // The default for two addresses is set before, by the defaults of the kind.
      const given = spec.clusterIPs?.length === 2 ? { ipFamilyPolicy: 'RequireDualStack', ...spec } : spec;
      expect(settle(cluster, given)).to.equal(outcome);
    });
  }
});

describe('neededFamilies', () => {
  const dual = { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' };
  const single = { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack', ...one };
  const needs = (spec: Spec, old?: Spec) =>
    neededFamilies(service(spec), old && service(old)).map(
      ({ family, position, address }) => `${position} ${family} ${address}`,
    );

  it('are all of a new service, and of one that had a name elsewhere', () => {
    expect(needs(dual)).to.deep.equal(['0 IPv4 ', '1 IPv6 ']);
    expect(needs({ ...dual, ...both })).to.deep.equal(['0 IPv4 10.0.0.1', '1 IPv6 fd00::1']);
    expect(needs(dual, { type: 'ExternalName', externalName: 'e.example.com' })).to.have.lengthOf(2);
  });

  it('are those of a second family that comes', () => {
    expect(needs({ ...dual, ...one }, single)).to.deep.equal(['1 IPv6 ']);
    expect(needs({ ...dual, ...both }, single)).to.deep.equal(['1 IPv6 fd00::1']);
    expect(needs({ ...dual, ...one }, one)).to.deep.equal(['1 IPv6 ']);
  });

  it('are none where nothing comes, and of services without an address', () => {
    expect(needs(single, single)).to.deep.equal([]);
    expect(needs({ ...dual, ...both }, { ...dual, ...both })).to.deep.equal([]);
    expect(needs({ ...dual, ...headless })).to.deep.equal([]);
  });
});
