import { addAll } from '../../base/index.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  notSupported,
  required,
  tooMany,
} from '../../machinery/errors/index.ts';
import type { KindRules } from '../kind-rules.ts';
import { reportInvalid, requireOneOf } from '../reporting.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../types/discovery-v1beta1.ts';
import {
  asIpv4,
  isDns1123Label,
  isDns1123Subdomain,
  isQualifiedName,
  nameIsDnsSubdomain,
  parseIp,
  validateImmutableField,
  validateLabels,
} from '../validation/index.ts';

const addressTypes: readonly string[] = ['FQDN', 'IPv4', 'IPv6'];
const protocols: readonly string[] = ['SCTP', 'TCP', 'UDP'];
const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 100;
const maxTopologyLabels = 16;
const typePath = fieldPath('addressType');

/** Endpoint slices. */
export const endpointSliceRules: KindRules<EndpointSlice> = {
  validateName: nameIsDnsSubdomain,
  hasGeneration: true,
  countsDroppedFields: true,
  prepareForCreate: (slice, { gates }) => dropGatedFields(slice, undefined, gates),
  prepareForUpdate: (slice, old, { gates }) => dropGatedFields(slice, old, gates),
  validate: validateSlice,
  validateUpdate: (slice, old) => [
    ...validateSlice(slice),
    ...validateImmutableField(slice.addressType, old.addressType, typePath),
  ],
};

function dropGatedFields(
  { endpoints }: EndpointSlice,
  old: EndpointSlice | undefined,
  gates: ReadonlySet<string>,
): void {
  const oldEndpoints = old?.endpoints ?? [];
  const dropsNode =
    !gates.has('EndpointSliceNodeName') && !oldEndpoints.some(({ nodeName }) => nodeName !== undefined);
  const dropsConditions =
    !gates.has('EndpointSliceTerminatingCondition') &&
    !oldEndpoints.some(
      ({ conditions }) => conditions.serving !== undefined || conditions.terminating !== undefined,
    );
  if (!dropsNode && !dropsConditions) return;
  for (const endpoint of endpoints ?? []) {
    if (dropsNode) delete endpoint.nodeName;
    if (!dropsConditions) continue;
    delete endpoint.conditions.serving;
    delete endpoint.conditions.terminating;
  }
}

function validateSlice({ addressType, endpoints, ports }: EndpointSlice): FieldError[] {
  const errors: FieldError[] = [];
  requireOneOf(errors, typePath, addressType, addressTypes);
  const endpointsPath = fieldPath('endpoints');
  const count = endpoints?.length ?? 0;
  if (count > maxEndpoints) errors.push(tooMany(endpointsPath, count, maxEndpoints));
  else {
    for (const [at, endpoint] of (endpoints ?? []).entries()) {
      validateEndpoint(errors, endpoint, addressType, endpointsPath.index(at));
    }
  }
  validatePorts(errors, ports ?? []);
  return errors;
}

function validateEndpoint(errors: FieldError[], endpoint: Endpoint, type: string, path: FieldPath): void {
  const addresses = endpoint.addresses ?? [];
  const addressesPath = path.child('addresses');
  if (addresses.length === 0) errors.push(required(addressesPath, 'must contain at least 1 address'));
  else if (addresses.length > maxAddresses) {
    errors.push(tooMany(addressesPath, addresses.length, maxAddresses));
  }
  for (const [at, address] of addresses.entries()) {
    validateAddress(errors, address, type, addressesPath.index(at));
  }
  const { nodeName, topology, hostname } = endpoint;
  if (nodeName !== undefined) {
    reportInvalid(errors, path.child('nodeName'), nodeName, isDns1123Subdomain(nodeName));
  }
  const labelCount = Object.keys(topology ?? {}).length;
  if (labelCount > maxTopologyLabels) {
    errors.push(tooMany(path.child('topology'), labelCount, maxTopologyLabels));
  }
  addAll(errors, validateLabels(topology, path.child('topology')));
  if (hostname !== undefined) {
    reportInvalid(errors, path.child('hostname'), hostname, isDns1123Label(hostname));
  }
}

function validateAddress(errors: FieldError[], address: string, type: string, path: FieldPath): void {
  if (type === 'FQDN') {
    validateDomainName(errors, address, path);
    return;
  }
  if (type !== 'IPv4' && type !== 'IPv6') return;
  const ip = parseIp(address);
  const family = ip === undefined ? undefined : asIpv4(ip) === undefined ? 'IPv6' : 'IPv4';
  if (family !== type) errors.push(invalidValue(path, address, `must be a valid ${type} address`));
}

function validateDomainName(errors: FieldError[], name: string, path: FieldPath): void {
  if (name === '') {
    errors.push(required(path));
    return;
  }
  const relative = name.endsWith('.') ? name.slice(0, -1) : name;
  const problems = isDns1123Subdomain(relative);
  const labels = relative.split('.');
  if (problems.length > 0) errors.push(invalidValue(path, relative, problems.join(',')));
  else if (labels.length < 2) {
    const detail = 'should be a domain with at least two segments separated by dots';
    errors.push(invalidValue(path, relative, detail));
  } else {
    const bad = labels.find((label) => isDns1123Label(label).length > 0);
    if (bad !== undefined) errors.push(invalidValue(path, bad, isDns1123Label(bad).join(',')));
  }
}

function validatePorts(errors: FieldError[], ports: readonly EndpointPort[]): void {
  const portsPath = fieldPath('ports');
  if (ports.length > maxPorts) {
    errors.push(tooMany(portsPath, ports.length, maxPorts));
    return;
  }
  const names = new Set<string>();
  for (const [at, { name = '', protocol, appProtocol }] of ports.entries()) {
    const path = portsPath.index(at);
    if (name !== '') reportInvalid(errors, path.child('name'), name, isDns1123Label(name));
    if (names.has(name)) errors.push(duplicate(path.child('name'), name));
    names.add(name);
    if (protocol === undefined) errors.push(required(path.child('protocol')));
    else if (!protocols.includes(protocol)) {
      errors.push(notSupported(path.child('protocol'), protocol, protocols));
    }
    if (appProtocol !== undefined) {
      reportInvalid(errors, path.child('appProtocol'), appProtocol, isQualifiedName(appProtocol));
    }
  }
}
