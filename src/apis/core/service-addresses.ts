import {
  duplicate,
  type FieldError,
  fieldPath,
  invalidValue,
  notSupported,
  quoteGo,
  required,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import { wasGivenEmpty } from '../../machinery/schema/index.ts';
import { isEmptyText, reportInvalid } from '../reporting.ts';
import type { Service, ServiceSpec } from '../types/core-v1.ts';
import { asIpv4, goList, goStringList, isValidIp, parseIp } from '../validation/index.ts';
import { headlessAddress, isHeadless } from './service-fields.ts';

const addressesPath = fieldPath('spec', 'clusterIPs');
const familiesPath = fieldPath('spec', 'ipFamilies');
const policyPath = fieldPath('spec', 'ipFamilyPolicy');
const families: readonly string[] = ['IPv4', 'IPv6'];
const policies: readonly string[] = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** Adds the errors of `clusterIP`, `clusterIPs`, `ipFamilies` and `ipFamilyPolicy`, which depend on one another. */
export function validateClusterIps(errors: FieldError[], service: Service): void {
  const { type, clusterIPs: addresses = [] } = service.spec;
  if (type === 'ExternalName') return;
  validatePair(errors, service);
  validateFamilies(errors, service);
  const hasBadAddress = validateAddressForms(errors, addresses);
  if (addresses.length > 2) {
    errors.push(invalidValue(addressesPath, goStringList(addresses), 'may only hold up to 2 values'));
  }
  if (hasBadAddress) return;
  if (addresses.length > 1 && !hasBothFamilies(addresses)) {
    const detail = 'may specify no more than one IP for each IP family';
    errors.push(invalidValue(addressesPath, goStringList(addresses), detail));
  }
  if (!isHeadless(service)) validateFamilyMatch(errors, service);
}

/** The single field must be the first entry of the list. */
function validatePair(errors: FieldError[], service: Service): void {
  const { clusterIP, clusterIPs } = service.spec;
  if (isEmptyText(clusterIP)) {
    if (!clusterIPs?.length) return;
    errors.push(
      invalidValue(addressesPath, goStringList(clusterIPs), 'must be empty when clusterIP is empty'),
    );
  } else if (!clusterIPs?.length) errors.push(required(addressesPath));
  else if (clusterIPs[0] !== clusterIP) {
    errors.push(invalidValue(addressesPath, goStringList(clusterIPs), 'element [0] must match clusterIP'));
  }
}

function validateFamilies(errors: FieldError[], service: Service): void {
  const { ipFamilies, ipFamilyPolicy } = service.spec;
  const seen = new Set<string>();
  for (const [at, family] of (ipFamilies ?? []).entries()) {
    if (!families.includes(family)) errors.push(notSupported(familiesPath.index(at), family, families));
    if (seen.has(family)) errors.push(duplicate(familiesPath.index(at), family));
    seen.add(family);
  }
  if (ipFamilyPolicy !== undefined && !policies.includes(ipFamilyPolicy)) {
    errors.push(notSupported(policyPath, ipFamilyPolicy, policies));
  }
}

/** True when an entry is no address, or `None` is not alone; other checks would then only confuse. */
function validateAddressForms(errors: FieldError[], addresses: readonly string[]): boolean {
  let isBad = false;
  for (const [at, address] of addresses.entries()) {
    if (at === 0 && address === headlessAddress) {
      if (addresses.length === 1) continue;
      isBad = true;
      const detail = "'None' must be the first and only value";
      errors.push(invalidValue(addressesPath, goStringList(addresses), detail));
      continue;
    }
    const problems = isValidIp(address);
    if (problems.length > 0) isBad = true;
    reportInvalid(errors, addressesPath.index(at), address, problems);
  }
  return isBad;
}

/** The family of an address; undefined for text that is none. */
export function familyOf(address: string): 'IPv4' | 'IPv6' | undefined {
  const ip = parseIp(address);
  if (ip === undefined) return undefined;
  return asIpv4(ip) === undefined ? 'IPv6' : 'IPv4';
}

function hasBothFamilies(addresses: readonly string[]): boolean {
  const found = new Set(addresses.map(familyOf));
  return found.has('IPv4') && found.has('IPv6');
}

function validateFamilyMatch(errors: FieldError[], service: Service): void {
  const { clusterIPs = [], ipFamilies = [] } = service.spec;
  for (const [at, address] of clusterIPs.entries()) {
    const family = ipFamilies[at];
    // A family that there is not is refused by itself.
    if ((family !== 'IPv4' && family !== 'IPv6') || familyOf(address) === family) continue;
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${at}]\``;
    errors.push(invalidValue(addressesPath.index(at), address, detail));
  }
}

/** Errors of an update that changes an address or family which, once given, stays with the service. */
export function validateAddressChanges(service: Service, old: Service): FieldError[] {
  const errors: FieldError[] = [];
  if (service.spec.type === 'ExternalName' || old.spec.type === 'ExternalName') return errors;
  const isNowHeadless = isHeadless(service);
  const wasHeadless = isHeadless(old);
  if (!(isNowHeadless && wasHeadless)) checkAddressChange(errors, service.spec, old.spec);
  if (!isNowHeadless && !wasHeadless) checkFamilyChange(errors, service.spec, old.spec);
  return errors;
}

const changed = 'may not change once set';

/** The first address is for good; the second may come, and go when the policy says `SingleStack`. */
function checkAddressChange(errors: FieldError[], spec: ServiceSpec, old: ServiceSpec): void {
  const [before, after] = [old.clusterIPs ?? [], spec.clusterIPs ?? []];
  const isGivenEmpty = after.length === 0 && wasGivenEmpty(spec, 'clusterIPs');
  const shown = isGivenEmpty ? new VerbatimValue('[]string{}') : goStringList(after);
  if (before.length === after.length) {
    for (const [at, value] of before.entries()) {
      if (value !== after[at]) errors.push(invalidValue(addressesPath.index(at), shown, changed));
    }
    return;
  }
  const first = addressesPath.index(0);
  if (after.length === 0) errors.push(invalidValue(first, shown, 'primary clusterIP can not be unset'));
  else if (before.length > 0 && before[0] !== after[0]) errors.push(invalidValue(first, shown, changed));
  checkRelease(errors, spec, { before, after, noun: 'clusterIP' });
}

/** The same of families. Release 1.20 reports all at the first one, and mostly shows the addresses. */
function checkFamilyChange(errors: FieldError[], spec: ServiceSpec, old: ServiceSpec): void {
  const [before, after] = [old.ipFamilies ?? [], spec.ipFamilies ?? []];
  const first = familiesPath.index(0);
  const isGivenEmpty = after.length === 0 && wasGivenEmpty(spec, 'ipFamilies');
  const shown = new VerbatimValue(
    isGivenEmpty ? '[]core.IPFamily{}' : goList('core.IPFamily', after.map(quoteGo)),
  );
  if (before.length === after.length) {
    for (const [at, value] of before.entries()) {
      if (value !== after[at]) errors.push(invalidValue(first, shown, changed));
    }
    return;
  }
  if (before.length > after.length && !spec.clusterIPs?.length) {
    errors.push(invalidValue(first, shown, 'primary ipFamily can not be unset'));
  }
  if (before.length > 0 && after.length > 0 && before[0] !== after[0]) {
    errors.push(invalidValue(first, goStringList(spec.clusterIPs), changed));
  }
  checkRelease(errors, spec, { before, after, noun: 'ipFamily' });
}

interface Release {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly noun: string;
}

function checkRelease(errors: FieldError[], spec: ServiceSpec, { before, after, noun }: Release): void {
  if (after.length !== 1 || before.length < 2 || spec.ipFamilyPolicy === 'SingleStack') return;
  const detail = `\`ipFamilyPolicy\` must be set to 'SingleStack' when releasing the secondary ${noun}`;
  errors.push(invalidValue(addressesPath.index(0), goStringList(spec.clusterIPs), detail));
}
