import type { X509Certificate } from 'node:crypto';
import { issueCertificate, makeAuthority, type Subject } from './issue.ts';
import {
  type KeyPair,
  makeSigningKey,
  readCertificate,
  readPrivateKey,
  type SigningKey,
  signingKeyOf,
} from './key-pair.ts';
import type { KeyStore } from './key-store.ts';
import { PkiError } from './pki-error.ts';
import type { ServingNames } from './serving-names.ts';

const dayMs = 86_400_000;
const authorityLifetimeMs = 3650 * dayMs;
const leafLifetimeMs = 365 * dayMs;
/** A certificate is replaced when less than this is left of it. */
const renewBeforeMs = leafLifetimeMs / 3;

/** What `openPki` needs. */
export interface PkiOptions {
  readonly store: KeyStore;
  readonly nowMs: () => number;
  /** Asked at start and at every refresh, because a host's addresses change. */
  readonly names: () => ServingNames;
  /** User name of the administrator's certificate; its group is system:masters. */
  readonly adminName: string;
  /** User name of the client certificate that the server presents to node agents; its group is system:masters. */
  readonly agentClientName: string;
  /** Common name of the authority. */
  readonly authorityName: string;
}

/** The server's own keys and certificates. */
export interface Pki {
  /** PEM certificate that signs the others: what clients trust, and what client certificates are checked against. */
  readonly authorityPem: string;
  /** The serving certificate as of the last refresh. */
  readonly serving: KeyPair;
  /** Client certificate of the administrator, in group system:masters. */
  readonly admin: KeyPair;
  /** Client certificate of the server itself at node agents, in group system:masters, as of the last refresh. */
  readonly agentClient: KeyPair;
  /** Signs and verifies service account tokens: RS256 when it was made here, otherwise what the key is for. */
  readonly serviceAccountKey: SigningKey;
  /**
   * Replaces the serving certificate when it expires soon or the names have changed; `undefined` when it is still good.
   * The certificate for node agents is renewed with it.
   */
  refreshServing(): Promise<KeyPair | undefined>;
}

/**
 * Opens the keys and certificates of a store; what is missing, runs out or does not fit is made anew, but never the
 * authority or the service account key when they are there.
 * @throws PkiError `missing` or `mismatch` when the authority is incomplete, `unreadable` for damaged files
 */
export async function openPki(options: PkiOptions): Promise<Pki> {
  // Generating an RSA key takes longest: it runs concurrently with the rest.
  const [{ authority, admin, serving, agentClient }, serviceAccountKey] = await bothOf(
    openCertificates(options),
    openSigningKey(options.store),
  );
  let current = serving;
  let currentAgentClient = agentClient;
  return {
    authorityPem: authority.certificatePem,
    admin,
    serviceAccountKey,
    get serving() {
      return current;
    },
    get agentClient() {
      return currentAgentClient;
    },
    async refreshServing() {
      currentAgentClient = await openLeaf(options, authority, agentClientLeaf(options.agentClientName));
      const fresh = await openLeaf(options, authority, servingLeaf(options.names()));
      if (fresh.certificatePem === current.certificatePem) return undefined;
      current = fresh;
      return fresh;
    },
  };
}

async function openCertificates(options: PkiOptions) {
  const authority = await openAuthority(options);
  const [[admin, agentClient], serving] = await bothOf(
    bothOf(
      openLeaf(options, authority, adminLeaf(options.adminName)),
      openLeaf(options, authority, agentClientLeaf(options.agentClientName)),
    ),
    openLeaf(options, authority, servingLeaf(options.names())),
  );
  return { authority, admin, serving, agentClient };
}

/** Both results. When one fails the other is waited for all the same, so that nothing is written after the failure. */
async function bothOf<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second]);
  return Promise.all([first, second]);
}

/** A certificate that this folder keeps: its file name and what it must be. */
interface Leaf {
  readonly file: string;
  readonly subject: Subject;
  readonly usage: 'server' | 'client';
  readonly names?: ServingNames;
}

function adminLeaf(commonName: string): Leaf {
  return { file: 'admin', subject: { commonName, organizations: ['system:masters'] }, usage: 'client' };
}

function agentClientLeaf(commonName: string): Leaf {
  return {
    file: 'nodeagent-client',
    subject: { commonName, organizations: ['system:masters'] },
    usage: 'client',
  };
}

function servingLeaf(names: ServingNames): Leaf {
  return { file: 'serving', subject: { commonName: 'orch-serving' }, usage: 'server', names };
}

async function openAuthority({ store, nowMs, authorityName }: PkiOptions): Promise<KeyPair> {
  const [certificatePem, privateKeyPem] = await Promise.all([store.read('ca.crt'), store.read('ca.key')]);
  if (certificatePem === undefined && privateKeyPem === undefined) {
    const made = await makeAuthority({
      commonName: authorityName,
      nowMs: nowMs(),
      lifetimeMs: authorityLifetimeMs,
    });
    await writePair(store, 'ca', made);
    return made;
  }
  if (certificatePem === undefined || privateKeyPem === undefined) {
    const [there, gone] = certificatePem === undefined ? ['ca.key', 'ca.crt'] : ['ca.crt', 'ca.key'];
    throw new PkiError(
      'missing',
      `open authority: ${store.describe(there)} has no ${gone} beside it; restore it, or remove both for a new authority`,
    );
  }
  const certificate = readCertificate(certificatePem, store.describe('ca.crt'));
  if (!certificate.checkPrivateKey(readPrivateKey(privateKeyPem, store.describe('ca.key')))) {
    throw new PkiError(
      'mismatch',
      `open authority: ${store.describe('ca.key')} is not the key of ca.crt; restore the right one, or remove both for a new authority`,
    );
  }
  return { certificatePem, privateKeyPem };
}

async function openLeaf({ store, nowMs }: PkiOptions, authority: KeyPair, leaf: Leaf): Promise<KeyPair> {
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
  await writePair(store, leaf.file, made);
  return made;
}

/** A damaged file counts as invalid: unlike the authority, these can be made again without loss. */
function isGood(pair: KeyPair, authority: KeyPair, leaf: Leaf, nowMs: number): boolean {
  try {
    const certificate = readCertificate(pair.certificatePem, leaf.file);
    const issuer = readCertificate(authority.certificatePem, 'ca.crt');
    return (
      certificate.checkPrivateKey(readPrivateKey(pair.privateKeyPem, leaf.file)) &&
      certificate.verify(issuer.publicKey) &&
      certificate.validFromDate.getTime() <= nowMs &&
      certificate.validToDate.getTime() - nowMs > renewBeforeMs &&
      certificate.subject.split('\n').includes(`CN=${leaf.subject.commonName}`) &&
      (leaf.names === undefined || coversExactly(certificate, leaf.names))
    );
  } catch {
    return false;
  }
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

async function openSigningKey(store: KeyStore): Promise<SigningKey> {
  const file = 'service-account.key';
  const privateKeyPem = await store.read(file);
  if (privateKeyPem !== undefined) return signingKeyOf(privateKeyPem, store.describe(file));
  const made = await makeSigningKey();
  await store.write(file, made.privateKeyPem);
  return made;
}

/** The key first: an interrupted start then leaves no certificate without its key. */
async function writePair(store: KeyStore, file: string, pair: KeyPair): Promise<void> {
  await store.write(`${file}.key`, pair.privateKeyPem);
  await store.write(`${file}.crt`, pair.certificatePem);
}
