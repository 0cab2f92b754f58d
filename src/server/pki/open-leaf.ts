import type { X509Certificate } from 'node:crypto';
import { issueCertificate, type Subject } from './issue.ts';
import { type KeyPair, readCertificate, readPrivateKey } from './key-pair.ts';
import type { KeyStore } from './key-store.ts';
import type { ServingNames } from './serving-names.ts';

const leafLifetimeMs = 365 * 86_400_000;
/** A certificate is replaced when less than this is left of it. */
const renewBeforeMs = leafLifetimeMs / 3;

/** Where leaves are kept, and what time it is. */
export interface LeafSources {
  readonly store: KeyStore;
  readonly nowMs: () => number;
}

/** A certificate that this folder keeps: its file name and what it must be. */
export interface Leaf {
  readonly file: string;
  readonly subject: Subject;
  readonly usage: 'server' | 'client';
  readonly names?: ServingNames;
}

/** The pair of a leaf as it is kept, or a new one when it is missing, damaged, runs out or does not fit. */
export async function openLeaf(
  { store, nowMs }: LeafSources,
  authority: KeyPair,
  leaf: Leaf,
): Promise<KeyPair> {
  const [certificatePem, privateKeyPem] = await Promise.all([
    store.read(`${leaf.file}.crt`),
    store.read(`${leaf.file}.key`),
  ]);
  if (certificatePem !== undefined && privateKeyPem !== undefined) {
    const pair = { certificatePem, privateKeyPem };
    if (isGood(pair, authority, leaf, nowMs())) return pair;
  }
  const made = await issueCertificate({
    authority,
    subject: leaf.subject,
    usage: leaf.usage,
    ...leaf.names,
    nowMs: nowMs(),
    lifetimeMs: leafLifetimeMs,
  });
  // An interrupted start leaves a certificate of ours, which is known to be one, and made again with its key.
  await store.write(`${leaf.file}.crt`, made.certificatePem);
  await store.write(`${leaf.file}.key`, made.privateKeyPem);
  return made;
}

/** A damaged file counts as invalid: unlike the authority, these can be made again without loss. */
function isGood(pair: KeyPair, authority: KeyPair, leaf: Leaf, nowMs: number): boolean {
  try {
    const certificate = readCertificate(pair.certificatePem, leaf.file);
    return (
      isIssuedFor(certificate, authority, leaf) &&
      certificate.checkPrivateKey(readPrivateKey(pair.privateKeyPem, leaf.file)) &&
      certificate.validFromDate.getTime() <= nowMs &&
      certificate.validToDate.getTime() - nowMs > renewBeforeMs &&
      (leaf.names === undefined || coversExactly(certificate, leaf.names))
    );
  } catch {
    return false;
  }
}

/** Whether the authority has signed a certificate for the subject of a leaf. */
export function isIssuedFor(certificate: X509Certificate, authority: KeyPair, { subject }: Leaf): boolean {
  const issuer = readCertificate(authority.certificatePem, 'ca.crt');
  return (
    certificate.verify(issuer.publicKey) &&
    certificate.subject.split('\n').includes(`CN=${subject.commonName}`)
  );
}

function coversExactly(certificate: X509Certificate, names: ServingNames): boolean {
  const parts = (certificate.subjectAltName ?? '').split(', ');
  const held = (prefix: string) =>
    parts.filter((part) => part.startsWith(prefix)).map((part) => part.slice(prefix.length));
  const sameAddresses = new Set(held('IP Address:').map(canonicalAddress));
  const dnsNames = new Set(held('DNS:'));
  return (
    names.dnsNames.length === dnsNames.size &&
    names.ipAddresses.length === sameAddresses.size &&
    names.dnsNames.every((name) => dnsNames.has(name)) &&
    names.ipAddresses.every((address) => sameAddresses.has(canonicalAddress(address)))
  );
}

/** Certificates print IPv6 addresses uncompressed; a URL brings both forms together. */
function canonicalAddress(address: string): string {
  return address.includes(':') ? new URL(`http://[${address}]`).hostname : address;
}
