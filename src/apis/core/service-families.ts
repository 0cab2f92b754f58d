import { type FieldError, fieldPath, invalid, invalidValue } from '../../machinery/errors/index.ts';
import type { Service } from '../types/core-v1.ts';
import { goStringList } from '../validation/index.ts';
import { familyOf } from './service-addresses.ts';
import { headlessAddress, isHeadless, needsClusterIp } from './service-fields.ts';

/** A family of addresses, as services name it. */
export type IpFamily = 'IPv4' | 'IPv6';

/** An address that a service with families takes: the one that the client names, or any free one where it is empty. */
export interface FamilyNeed {
  readonly family: IpFamily;
  /** Place in `spec.ipFamilies` and `spec.clusterIPs`. */
  readonly position: number;
  readonly address: string;
}

const specPath = fieldPath('spec');
const policyPath = specPath.child('ipFamilyPolicy');
const kind = { group: '', kind: 'Service' } as const;
const otherFamily = (family: string): IpFamily => (family === 'IPv4' ? 'IPv6' : 'IPv4');

/**
 * Gives a service its policy and families, by what it asks for and what the cluster has: `configured`, the first being
 * that of services which ask for nothing. Source: `tryDefaultValidateServiceClusterIPFields` of release 1.20.
 *
 * @throws StatusError 422 for families that the cluster does not have.
 */
export function settleFamilies(service: Service, configured: readonly IpFamily[]): void {
  if (!needsClusterIp(service)) return;
  const { spec } = service;
  refuse(service, policyErrors(service));
  refuse(service, familiesOfAddresses(service, configured));
  if (isHeadless(service) && Object.keys(spec.selector ?? {}).length === 0) {
    // Its endpoints are its owner's to write, in families of any kind.
    spec.ipFamilyPolicy ??= 'RequireDualStack';
    if (!spec.ipFamilies?.length) spec.ipFamilies = configured.slice(0, 1);
    const { ipFamilyPolicy: policy } = spec;
    const wantsBoth = policy === 'PreferDualStack' ? configured.length === 2 : policy === 'RequireDualStack';
    if (wantsBoth) addOther(service);
    return;
  }
  refuse(service, unconfiguredErrors(service, configured));
  spec.ipFamilyPolicy ??= 'SingleStack';
  if (!spec.ipFamilies?.length) spec.ipFamilies = configured.slice(0, 1);
  if (spec.ipFamilyPolicy !== 'SingleStack' && configured.length === 2) addOther(service);
}

/** The addresses that a write takes; on update only those of a family that is new. */
export function neededFamilies(service: Service, old: Service | undefined): FamilyNeed[] {
  if (!needsClusterIp(service) || isHeadless(service)) return [];
  const families = service.spec.ipFamilies ?? [];
  const isNew = old === undefined || !needsClusterIp(old);
  const first = isNew ? 0 : Math.max(1, old.spec.ipFamilies?.length ?? 0);
  return families.slice(first).map((family, index) => ({
    family: family === 'IPv6' ? 'IPv6' : 'IPv4',
    position: first + index,
    address: service.spec.clusterIPs?.[first + index] ?? '',
  }));
}

function policyErrors({ spec }: Service): FieldError[] {
  if (spec.ipFamilyPolicy !== 'SingleStack') return [];
  return (['clusterIPs', 'ipFamilies'] as const)
    .filter((name) => spec[name]?.length === 2)
    .map((name) =>
      invalidValue(
        policyPath,
        spec.ipFamilyPolicy,
        `must be RequireDualStack or PreferDualStack when multiple '${name}' are specified`,
      ),
    );
}

/** Addresses that the client names say their families; of the first that cannot be, the error. */
function familiesOfAddresses(service: Service, configured: readonly IpFamily[]): FieldError[] {
  const { clusterIPs = [] } = service.spec;
  for (const [at, address] of clusterIPs.entries()) {
    const families = service.spec.ipFamilies ?? [];
    if (address === headlessAddress || address === '') break;
    if (at < families.length) continue;
    const family = familyOf(address) ?? 'IPv4';
    if (!configured.includes(family)) {
      const detail = `may not use ${family} on a cluster which is not configured for it`;
      return [invalidValue(specPath.child('clusterIPs').index(at), goStringList(clusterIPs), detail)];
    }
    service.spec.ipFamilies = [...families, family];
  }
  return [];
}

function unconfiguredErrors({ spec }: Service, configured: readonly IpFamily[]): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.ipFamilyPolicy === 'RequireDualStack' && configured.length < 2) {
    errors.push(
      invalidValue(policyPath, spec.ipFamilyPolicy, 'Cluster is not configured for dual stack services'),
    );
  }
  for (const [at, family] of (spec.ipFamilies ?? []).entries()) {
    if (configured.some((known) => known === family)) continue;
    const path = specPath.child('ipFamilies').index(at);
    // Release 1.20 shows the addresses here, not the family.
    const detail = `ipfamily ${family} is not configured on cluster`;
    errors.push(invalidValue(path, goStringList(spec.clusterIPs), detail));
  }
  return errors;
}

function addOther({ spec }: Service): void {
  const [first] = spec.ipFamilies ?? [];
  if (first !== undefined && spec.ipFamilies?.length === 1) spec.ipFamilies = [first, otherFamily(first)];
}

function refuse(service: Service, errors: FieldError[]): void {
  if (errors.length > 0) throw invalid(kind, service.metadata.name ?? '', errors);
}
