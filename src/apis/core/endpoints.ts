import { type FieldError, type FieldPath, fieldPath, required } from '../../machinery/errors/index.ts';
import type { KindRules } from '../kind-rules.ts';
import { validateNonSpecialIp } from '../network-checks.ts';
import { isEmptyText, reportInvalid, requireOneOf } from '../reporting.ts';
import type { EndpointAddress, EndpointPort, Endpoints } from '../types/core-v1.ts';
import {
  isDns1123Label,
  isDns1123Subdomain,
  isQualifiedName,
  isValidIp,
  isValidPortNumber,
  nameIsDnsSubdomain,
} from '../validation/index.ts';

const subsetsPath = fieldPath('subsets');
const protocols: readonly string[] = ['SCTP', 'TCP', 'UDP'];

/** Endpoints: the addresses behind a service. */
export const endpointsRules: KindRules<Endpoints> = {
  validateName: nameIsDnsSubdomain,
  allowsCreateOnUpdate: true,
  validate: validateEndpoints,
  validateUpdate: validateEndpoints,
};

function validateEndpoints({ subsets = [] }: Endpoints): FieldError[] {
  const errors: FieldError[] = [];
  for (const [at, subset] of subsets.entries()) {
    const path = subsetsPath.index(at);
    const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
    if (addresses.length === 0 && notReadyAddresses.length === 0) {
      errors.push(required(path, 'must specify `addresses` or `notReadyAddresses`'));
    }
    validateAddresses(errors, path.child('addresses'), addresses);
    validateAddresses(errors, path.child('notReadyAddresses'), notReadyAddresses);
    for (const [position, port] of ports.entries()) {
      validatePort(errors, path.child('ports').index(position), port, ports.length > 1);
    }
  }
  return errors;
}

function validateAddresses(
  errors: FieldError[],
  listPath: FieldPath,
  addresses: readonly EndpointAddress[],
): void {
  for (const [at, { ip, hostname, nodeName }] of addresses.entries()) {
    const path = listPath.index(at);
    reportInvalid(errors, path.child('ip'), ip, isValidIp(ip));
    if (hostname) reportInvalid(errors, path.child('hostname'), hostname, isDns1123Label(hostname));
    if (nodeName !== undefined) {
      reportInvalid(errors, path.child('nodeName'), nodeName, isDns1123Subdomain(nodeName));
    }
    errors.push(...validateNonSpecialIp(ip, path.child('ip')));
  }
}

function validatePort(
  errors: FieldError[],
  path: FieldPath,
  { name, port, protocol, appProtocol }: EndpointPort,
  requiresName: boolean,
): void {
  if (isEmptyText(name)) {
    if (requiresName) errors.push(required(path.child('name')));
  } else if (name !== undefined) reportInvalid(errors, path.child('name'), name, isDns1123Label(name));
  reportInvalid(errors, path.child('port'), port, isValidPortNumber(port));
  requireOneOf(errors, path.child('protocol'), protocol, protocols);
  if (appProtocol !== undefined) {
    reportInvalid(errors, path.child('appProtocol'), appProtocol, isQualifiedName(appProtocol));
  }
}
