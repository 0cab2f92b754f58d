import type { NodeAddress } from '../../apis/types/core-v1.ts';
import { clientSubject } from './client-subject.ts';
import type { CertificateSubject } from './signing-request.ts';

const nameTypes: ReadonlySet<string> = new Set(['Hostname', 'InternalDNS', 'ExternalDNS']);
const ipTypes: ReadonlySet<string> = new Set(['InternalIP', 'ExternalIP']);

/** What a node serves as: all its names and addresses; undefined while it has none, and nothing can be asked for. */
export function servingSubject(
  nodeName: string,
  addresses: readonly NodeAddress[],
): CertificateSubject | undefined {
  const pick = (types: ReadonlySet<string>): string[] =>
    [...new Set(addresses.filter(({ type }) => types.has(type)).map(({ address }) => address))].sort();
  const [dnsNames, ipAddresses] = [pick(nameTypes), pick(ipTypes)];
  if (dnsNames.length === 0 && ipAddresses.length === 0) return undefined;
  return { ...clientSubject(nodeName), dnsNames, ipAddresses };
}
