import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import type { KeyPair } from './key-pair.ts';
import { PkiError } from './pki-error.ts';
import usageTable from './usages.json' with { type: 'json' };
import { loadX509 } from './x509-library.ts';

/** What a certificate is requested for: parts of the subject, and the alternative names by kind. */
export interface RequestedSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly uris: readonly string[];
}

/** What `signRequest` makes a certificate from. */
export interface SignRequestOptions {
  readonly authority: KeyPair;
  /** PEM of the request (PKCS #10). */
  readonly requestPem: string;
  /** In the words of signing requests, such as `client auth`. */
  readonly usages: readonly string[];
  readonly nowMs: number;
  readonly lifetimeMs: number;
}

type X509 = Awaited<ReturnType<typeof loadX509>>;
type Request = InstanceType<X509['Pkcs10CertificateRequest']>;

const subjectAltName = '2.5.29.17';
/** Certificates begin this long before now for peers whose clocks are behind, short ones a tenth of their life. */
const backdateMs = 300_000;

/** Reads a request for a certificate. @throws PkiError `unreadable` for anything but one request in PEM. */
export async function readRequest(requestPem: string): Promise<RequestedSubject> {
  const x509 = await loadX509();
  const request = parseRequest(x509, requestPem);
  const names = alternativeNames(x509, request);
  const of = (kind: (typeof names)[number]['type']): string[] =>
    names.filter(({ type }) => type === kind).map(({ value }) => value);
  const { subjectName } = request;
  return {
    commonName: subjectName.getField('CN').at(-1) ?? '',
    organizations: subjectName.getField('O'),
    dnsNames: of('dns'),
    emailAddresses: of('email'),
    ipAddresses: of('ip'),
    uris: of('url'),
  };
}

/**
 * A certificate for what a request says of its subject and alternative names, as PEM. Other extensions of the request
 * are left out. It never outlives the authority.
 *
 * @throws PkiError `unreadable` for a damaged request, `mismatch` for one that its key did not sign, an authority that
 * has expired, or usages that certificates do not have.
 */
export async function signRequest(options: SignRequestOptions): Promise<string> {
  const { authority, requestPem, usages, nowMs, lifetimeMs } = options;
  const x509 = await loadX509();
  const request = parseRequest(x509, requestPem);
  if (!(await isSelfSigned(request)))
    throw new PkiError('mismatch', 'sign certificate: the request is not signed with its own key');
  const issuerPem = new X509Certificate(authority.certificatePem);
  const endMs = issuerPem.validToDate.getTime();
  if (endMs <= nowMs) {
    const ended = issuerPem.validToDate.toISOString();
    throw new PkiError('mismatch', `sign certificate: the authority has expired at ${ended}`);
  }
  const issuer = new x509.X509Certificate(issuerPem.raw);
  const notBeforeMs = nowMs - Math.min(backdateMs, lifetimeMs / 10);
  const { key, algorithm } = await importSigner(authority.privateKeyPem);
  const names = alternativeNames(x509, request);
  const certificate = await x509.X509CertificateGenerator.create({
    // A leading bit of zero keeps the number positive (RFC 5280, section 4.1.2.2).
    serialNumber: Buffer.concat([Buffer.from([1]), randomBytes(15)]).toString('hex'),
    subject: request.subjectName,
    issuer: issuer.subjectName,
    notBefore: new Date(notBeforeMs),
    notAfter: new Date(Math.min(notBeforeMs + lifetimeMs, endMs)),
    signingAlgorithm: algorithm,
    publicKey: request.publicKey,
    signingKey: key,
    extensions: [
      ...usageExtensions(x509, usages),
      new x509.BasicConstraintsExtension(false, undefined, true),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
    ],
  });
  return `${certificate.toString('pem')}\n`;
}

function parseRequest(x509: X509, requestPem: string): Request {
  try {
    return new x509.Pkcs10CertificateRequest(requestPem);
  } catch (cause) {
    throw new PkiError('unreadable', 'read certificate request: no request in PEM', { cause });
  }
}

/** False also for kinds of keys and signatures that cannot be checked here. */
async function isSelfSigned(request: Request): Promise<boolean> {
  try {
    return await request.verify();
  } catch {
    return false; // whatever the library says: the signature was not verified
  }
}

/** The names of the kinds that certificates here may have, in the request's order. */
function alternativeNames(x509: X509, request: Request) {
  const extension = request.getExtension(subjectAltName);
  if (!(extension instanceof x509.SubjectAlternativeNameExtension)) return [];
  return extension.names.items.flatMap(({ type, value }) =>
    type === 'dns' || type === 'email' || type === 'ip' || type === 'url' ? [{ type, value }] : [],
  );
}

function usageExtensions(x509: X509, usages: readonly string[]) {
  const tables: {
    readonly key: Readonly<Record<string, number>>;
    readonly extended: Readonly<Record<string, string>>;
  } = usageTable;
  const unknown = usages.filter((usage) => !(usage in tables.key || usage in tables.extended));
  if (unknown.length > 0) {
    throw new PkiError('mismatch', `unrecognized usage values: [${unknown.map((u) => `"${u}"`).join(', ')}]`);
  }
  const flags = usages.reduce((sum, usage) => sum | (tables.key[usage] ?? 0), 0);
  const extended = usages.flatMap((usage) => tables.extended[usage] ?? []);
  return [
    ...(flags === 0 ? [] : [new x509.KeyUsagesExtension(flags, true)]),
    ...(extended.length === 0 ? [] : [new x509.ExtendedKeyUsageExtension([...new Set(extended)])]),
  ];
}

const curves: Readonly<Record<string, { readonly namedCurve: string; readonly hash: string }>> = {
  prime256v1: { namedCurve: 'P-256', hash: 'SHA-256' },
  secp384r1: { namedCurve: 'P-384', hash: 'SHA-384' },
  secp521r1: { namedCurve: 'P-521', hash: 'SHA-512' },
};

async function importSigner(privateKeyPem: string) {
  const key = createPrivateKey(privateKeyPem);
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const curve = curves[details?.namedCurve ?? ''];
  const algorithm =
    type === 'rsa'
      ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
      : type === 'ec' && curve !== undefined
        ? { name: 'ECDSA', ...curve }
        : undefined;
  if (algorithm === undefined)
    throw new PkiError('unreadable', `sign certificate: authorities with keys of type ${type} cannot sign`);
  const der = Uint8Array.from(key.export({ type: 'pkcs8', format: 'der' }));
  return { algorithm, key: await crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']) };
}
