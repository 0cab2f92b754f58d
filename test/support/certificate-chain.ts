import { X509Certificate } from 'node:crypto';
import type { KeyPair } from '../../src/server/pki/index.ts';
import { loadX509 } from '../../src/server/pki/x509-library.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const hourMs = 3_600_000;
const nameConstraints = '2.5.29.30';

/** A certificate of a test. An authority unless `isLeaf`; signed by itself without an issuer. */
export interface ChainLink {
  readonly name: string;
  readonly issuer?: KeyPair;
  readonly isLeaf?: boolean;
  /** Ended an hour ago. */
  readonly isExpired?: boolean;
  /** For what it may be used, as the extension says; left out: for anything. */
  readonly usages?: readonly ('clientAuth' | 'serverAuth')[];
  /** Authorities that may follow. */
  readonly pathLength?: number;
  /** The domain that names of certificates below must be in. */
  readonly domain?: string;
  /** Names of the subject. */
  readonly dnsNames?: readonly string[];
  /** The key of another certificate of the same subject. */
  readonly key?: KeyPair;
}

/** Makes a certificate, with a new key where none is given. */
export async function issueLink(link: ChainLink): Promise<KeyPair> {
  const { name, issuer, isLeaf = false, isExpired = false, usages = [], dnsNames = [] } = link;
  const x509 = await loadX509();
  const keys = link.key === undefined ? await makeKeys() : await keysOf(link.key);
  const signingKey = issuer === undefined ? keys.privateKey : (await keysOf(issuer)).privateKey;
  const issuerName =
    issuer === undefined ? `CN=${name}` : new x509.X509Certificate(issuer.certificatePem).subject;
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: issuerName,
    notBefore: new Date(Date.now() - 5 * hourMs),
    notAfter: new Date(Date.now() + (isExpired ? -hourMs : hourMs)),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(!isLeaf, link.pathLength, true),
      new x509.KeyUsagesExtension(
        isLeaf ? x509.KeyUsageFlags.digitalSignature : x509.KeyUsageFlags.keyCertSign,
        true,
      ),
      ...(usages.length === 0
        ? []
        : [new x509.ExtendedKeyUsageExtension(usages.map((usage) => x509.ExtendedKeyUsage[usage]))]),
      ...(dnsNames.length === 0
        ? []
        : [new x509.SubjectAlternativeNameExtension(dnsNames.map((value) => ({ type: 'dns', value })))]),
      ...(link.domain === undefined
        ? []
        : [new x509.Extension(nameConstraints, true, permittedDomain(link.domain))]),
    ],
  });
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    certificatePem: `${certificate.toString('pem')}\n`,
    privateKeyPem: `-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----\n`,
  };
}

/** What a client shows: its own certificate, and those of authorities behind it. */
export const chainOf = (leaf: KeyPair, ...authorities: readonly KeyPair[]): KeyPair => ({
  certificatePem: [leaf, ...authorities].map(({ certificatePem }) => certificatePem).join(''),
  privateKeyPem: leaf.privateKeyPem,
});

/** `NameConstraints` (RFC 5280, section 4.2.1.10) with one permitted domain. */
function permittedDomain(domain: string): Uint8Array<ArrayBuffer> {
  const wrap = (tag: number, content: Buffer): Buffer =>
    Buffer.concat([Buffer.from([tag, content.length]), content]);
  return Uint8Array.from(wrap(0x30, wrap(0xa0, wrap(0x30, wrap(0x82, Buffer.from(domain))))));
}

const makeKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

async function keysOf({ certificatePem, privateKeyPem }: KeyPair) {
  const der = Buffer.from(privateKeyPem.replace(/-----[^-]+-----/g, ''), 'base64');
  const spki = new X509Certificate(certificatePem).publicKey.export({ type: 'spki', format: 'der' });
  return {
    privateKey: await crypto.subtle.importKey('pkcs8', Uint8Array.from(der), algorithm, true, ['sign']),
    publicKey: await crypto.subtle.importKey('spki', Uint8Array.from(spki), algorithm, true, ['verify']),
  };
}
