import { createHash, generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';
import {
  derBits,
  derInteger,
  derNull,
  derOctets,
  derOid,
  derSequence,
  derSet,
  derTime,
  derTrue,
  derUtf8,
  derValue,
  generalName,
  toPem,
} from '../../certificates/index.ts';
import type { ServingPair } from '../agent-servers.ts';

const hourMs = 3_600_000;
const lifetimeMs = 365 * 24 * hourMs;
const keyBits = 2048;

const oids = {
  commonName: '2.5.4.3',
  sha256WithRsa: '1.2.840.113549.1.1.11',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const;

/** Bits of a key's usage (RFC 5280, section 4.2.1.3): with how many bits of the byte are unused. */
const leafUsage = { bits: 0xa0, unusedBits: 5 }; // digital signature, key encipherment
const authorityUsage = { bits: 0xa4, unusedBits: 2 }; // and signing certificates

/**
 * A serving certificate for a host with the authority that signed it behind it (RSA, a year), both made for this moment:
 * the authority's key is thrown away. Written by hand, since a library for it would be the largest of the agent.
 */
export async function makeSelfSignedPair(host: string, nowMs: number): Promise<ServingPair> {
  const makeKeys = () => promisify(generateKeyPair)('rsa', { modulusLength: keyBits });
  const [authority, leaf] = await Promise.all([makeKeys(), makeKeys()]);
  const stamp = Math.floor(nowMs / 1000);
  const issuer = `${host}-ca@${stamp}`;
  const common = { issuer, issuerKey: authority, nowMs };
  const authorityPem = makeCertificate({ ...common, subject: issuer, publicKey: authority.publicKey });
  const leafPem = makeCertificate({
    ...common,
    subject: `${host}@${stamp}`,
    publicKey: leaf.publicKey,
    host,
  });
  return {
    certificatePem: leafPem + authorityPem,
    privateKeyPem: leaf.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  };
}

interface CertificateParts {
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly issuer: string;
  readonly issuerKey: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly nowMs: number;
  /** Left out: the certificate is an authority's. */
  readonly host?: string;
}

function makeCertificate({ subject, publicKey, issuer, issuerKey, nowMs, host }: CertificateParts): string {
  const algorithm = derSequence(derOid(oids.sha256WithRsa), derNull);
  const extensions = host === undefined ? authorityExtensions(publicKey) : leafExtensions(host, issuerKey);
  const content = derSequence(
    derValue(0xa0, derInteger(Buffer.from([2]))), // version 3
    derInteger(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    nameOf(issuer),
    derSequence(derTime(nowMs - hourMs), derTime(nowMs + lifetimeMs)),
    nameOf(subject),
    spkiOf(publicKey),
    derValue(0xa3, derSequence(...extensions)),
  );
  const signature = sign('sha256', content, issuerKey.privateKey);
  return toPem('CERTIFICATE', derSequence(content, algorithm, derBits(signature)));
}

function authorityExtensions(publicKey: KeyObject): Buffer[] {
  return [
    extension(oids.keyUsage, usageOf(authorityUsage), { isCritical: true }),
    extension(oids.basicConstraints, derSequence(derTrue), { isCritical: true }),
    extension(oids.subjectKeyIdentifier, derOctets(keyIdentifier(publicKey))),
  ];
}

function leafExtensions(host: string, { publicKey }: CertificateParts['issuerKey']): Buffer[] {
  return [
    extension(oids.keyUsage, usageOf(leafUsage), { isCritical: true }),
    extension(oids.extendedKeyUsage, derSequence(derOid(oids.serverAuth))),
    extension(oids.basicConstraints, derSequence(), { isCritical: true }),
    extension(oids.authorityKeyIdentifier, derSequence(derValue(0x80, keyIdentifier(publicKey)))),
    extension(oids.subjectAltName, derSequence(generalName(host))),
  ];
}

function extension(oid: string, value: Buffer, { isCritical = false } = {}): Buffer {
  return derSequence(derOid(oid), ...(isCritical ? [derTrue] : []), derOctets(value));
}

const usageOf = ({ bits, unusedBits }: typeof leafUsage): Buffer => derBits(Buffer.from([bits]), unusedBits);

const nameOf = (commonName: string): Buffer =>
  derSequence(derSet(derSequence(derOid(oids.commonName), derUtf8(commonName))));

const spkiOf = (publicKey: KeyObject): Buffer => publicKey.export({ type: 'spki', format: 'der' });

/** RFC 5280, section 4.2.1.2, method 1, over the whole key information: it only has to be the same in both. */
const keyIdentifier = (publicKey: KeyObject): Buffer => createHash('sha1').update(spkiOf(publicKey)).digest();
