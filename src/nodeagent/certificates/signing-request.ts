import { type KeyObject, sign } from 'node:crypto';
import { derBits, derInteger, derOctets, derOid, derSequence, derSet, derUtf8, derValue } from './der.ts';
import { generalName } from './general-name.ts';
import { toPem } from './pem.ts';

const oids = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  subjectAltName: '2.5.29.17',
  extensionRequest: '1.2.840.113549.1.9.14',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const;

/** The subject that a certificate is requested for. */
export interface CertificateSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

/**
 * A request for a certificate (PKCS #10, RFC 2986) as PEM, signed with the elliptic-curve key that it is for. Written by
 * hand, since a library for it would be the largest of the agent.
 */
export function makeSigningRequest(
  subject: CertificateSubject,
  keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
): string {
  const content = derSequence(
    derInteger(Buffer.from([0])), // version 1
    nameOf(subject),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    derValue(0xa0, ...attributesOf(subject)),
  );
  const signature = sign('sha256', content, keys.privateKey);
  const algorithm = derSequence(derOid(oids.ecdsaWithSha256));
  return toPem('CERTIFICATE REQUEST', derSequence(content, algorithm, derBits(signature)));
}

function nameOf({ commonName, organizations }: CertificateSubject): Buffer {
  const part = (oid: string, value: string): Buffer => derSet(derSequence(derOid(oid), derUtf8(value)));
  return derSequence(
    ...organizations.map((organization) => part(oids.organization, organization)),
    part(oids.commonName, commonName),
  );
}

function attributesOf({ dnsNames, ipAddresses }: CertificateSubject): Buffer[] {
  const names = [...dnsNames, ...ipAddresses];
  if (names.length === 0) return [];
  const alternatives = derSequence(...names.map(generalName));
  const extension = derSequence(derOid(oids.subjectAltName), derOctets(alternatives));
  return [derSequence(derOid(oids.extensionRequest), derSet(derSequence(extension)))];
}
