import { isIP } from 'node:net';
import { isDns1123Subdomain } from '../../machinery/formats/index.ts';
import { readCertificate } from './key-pair.ts';

/**
 * The host names that a certificate is for: its common name, if it may be one, and its DNS names. Addresses are not
 * asked for by name.
 */
export function certificateNames(pem: string): string[] {
  const certificate = readCertificate(pem, 'to serve');
  const commonName = certificate.subject
    .split('\n')
    .find((line) => line.startsWith('CN='))
    ?.slice(3);
  const dnsNames = (certificate.subjectAltName ?? '')
    .split(', ')
    .filter((part) => part.startsWith('DNS:'))
    .map((part) => part.slice(4));
  return commonName !== undefined && isHostName(commonName) ? [commonName, ...dnsNames] : dnsNames;
}

function isHostName(name: string): boolean {
  if (isIP(name) !== 0) return false;
  return name === '*' || isDns1123Subdomain(name.replace(/^\*\./, '')).length === 0;
}
