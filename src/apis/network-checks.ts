import { type FieldError, type FieldPath, fieldPath, invalidValue } from '../machinery/errors/index.ts';
import { reportInvalid } from './reporting.ts';
import {
  asIpv4,
  isDns1123Subdomain,
  isIpText,
  isValidPortName,
  isValidPortNumber,
  parseIp,
} from './validation/index.ts';

/** Errors of a port that is a number or the name of a container's port. */
export function validatePortNumberOrName(port: number | string, path: FieldPath): FieldError[] {
  const problems = typeof port === 'number' ? isValidPortNumber(port) : isValidPortName(port);
  return problems.length === 0 ? [] : problems.map((problem) => invalidValue(path, port, problem));
}

/** Errors of an address that traffic may not be sent to: unspecified, loopback, link-local. */
export function validateNonSpecialIp(text: string, path: FieldPath): FieldError[] {
  const address = parseIp(text);
  if (address === undefined) return [invalidValue(path, text, 'must be a valid IP address')];
  const ipv4 = asIpv4(address);
  const problems = ipv4 === undefined ? specialIpv6(address.bytes) : specialIpv4(ipv4);
  return problems.map((problem) => invalidValue(path, text, problem));
}

function specialIpv4(bytes: Uint8Array): string[] {
  const [a = 0, b = 0, c = 0] = bytes;
  if (bytes.every((byte) => byte === 0)) return ['may not be unspecified (0.0.0.0)'];
  if (a === 127) return ['may not be in the loopback range (127.0.0.0/8)'];
  if (a === 169 && b === 254) return ['may not be in the link-local range (169.254.0.0/16)'];
  if (a === 224 && b === 0 && c === 0) return ['may not be in the link-local multicast range (224.0.0.0/24)'];
  return [];
}

/** Release 1.20 knows the IPv6 forms too, but words them as it does the IPv4 ones. */
function specialIpv6(bytes: Uint8Array): string[] {
  const isZeroUntilLast = bytes.subarray(0, 15).every((byte) => byte === 0);
  const [a = 0, b = 0] = bytes;
  if (isZeroUntilLast && bytes[15] === 0) return ['may not be unspecified (0.0.0.0)'];
  if (isZeroUntilLast && bytes[15] === 1) return ['may not be in the loopback range (127.0.0.0/8)'];
  if (a === 0xfe && (b & 0xc0) === 0x80) return ['may not be in the link-local range (169.254.0.0/16)'];
  if (a === 0xff && (b & 0x0f) === 2) return ['may not be in the link-local multicast range (224.0.0.0/24)'];
  return [];
}

/** One entry of `status.loadBalancer.ingress`, as far as it is checked. */
interface LoadBalancerPoint {
  readonly ip?: string | undefined;
  readonly hostname?: string | undefined;
}

/** Errors of `status.loadBalancer`, which services and ingresses share. */
export function validateLoadBalancerStatus(points: readonly LoadBalancerPoint[] | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const listPath = fieldPath('status', 'loadBalancer', 'ingress');
  for (const [at, { ip, hostname }] of (points ?? []).entries()) {
    const path = listPath.index(at);
    if (ip && !isIpText(ip)) errors.push(invalidValue(path.child('ip'), ip, 'must be a valid IP address'));
    if (!hostname) continue;
    reportInvalid(errors, path.child('hostname'), hostname, isDns1123Subdomain(hostname));
    if (isIpText(hostname)) {
      errors.push(invalidValue(path.child('hostname'), hostname, 'must be a DNS name, not an IP address'));
    }
  }
  return errors;
}
