import { type KeyPair, makeCertificateKey, type SigningKey } from './key-pair.ts';
import { loadX509 } from './x509-library.ts';

/** Whom a certificate is for. In client certificates the common name is the user, organizations are groups. */
export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

/** What `issueCertificate` makes. */
export interface CertificateRequest {
  readonly authority: KeyPair;
  readonly subject: Subject;
  readonly usage: 'server' | 'client';
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly nowMs: number;
  readonly lifetimeMs: number;
}

/** Certificates start this long before now, for peers whose clocks are behind. */
const clockSkewMs = 3_600_000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A new self-signed authority (ECDSA P-256) that may sign certificates but no further authorities. */
export async function makeAuthority(options: {
  readonly commonName: string;
  readonly nowMs: number;
  readonly lifetimeMs: number;
}): Promise<KeyPair> {
  const x509 = await loadX509();
  const key = await makeCertificateKey();
  const { privateKey, publicKey } = await importKey(key);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: nameOf({ commonName: options.commonName }),
    ...validity(options),
    signingAlgorithm: algorithm,
    keys: { privateKey, publicKey },
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign | x509.KeyUsageFlags.digitalSignature,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
    ],
  });
  return { certificatePem: `${certificate.toString('pem')}\n`, privateKeyPem: key.privateKeyPem };
}

/** A new key with a certificate from the authority. */
export async function issueCertificate(request: CertificateRequest): Promise<KeyPair> {
  const x509 = await loadX509();
  const key = await makeCertificateKey();
  const { publicKey } = await importKey(key);
  const issuer = new x509.X509Certificate(request.authority.certificatePem);
  const names = [
    ...(request.dnsNames ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(request.ipAddresses ?? []).map((value) => ({ type: 'ip' as const, value })),
  ];
  const certificate = await x509.X509CertificateGenerator.create({
    subject: nameOf(request.subject),
    issuer: issuer.subjectName,
    ...validity(request),
    signingAlgorithm: algorithm,
    publicKey,
    signingKey: await importPrivateKey(request.authority.privateKeyPem),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([
        x509.ExtendedKeyUsage[request.usage === 'server' ? 'serverAuth' : 'clientAuth'],
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
    ],
  });
  return { certificatePem: `${certificate.toString('pem')}\n`, privateKeyPem: key.privateKeyPem };
}

function validity({ nowMs, lifetimeMs }: { readonly nowMs: number; readonly lifetimeMs: number }) {
  return { notBefore: new Date(nowMs - clockSkewMs), notAfter: new Date(nowMs + lifetimeMs) };
}

/** The structured form of a name: values need no escaping there. */
function nameOf({ commonName, organizations = [] }: Subject): Record<string, string[]>[] {
  return [...organizations.map((organization) => ({ O: [organization] })), { CN: [commonName] }];
}

async function importKey({ privateKeyPem, publicKeyPem }: SigningKey) {
  const publicKey = await crypto.subtle.importKey('spki', derOf(publicKeyPem), algorithm, true, ['verify']);
  return { privateKey: await importPrivateKey(privateKeyPem), publicKey };
}

function importPrivateKey(pem: string) {
  return crypto.subtle.importKey('pkcs8', derOf(pem), algorithm, false, ['sign']);
}

function derOf(pem: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64'));
}
