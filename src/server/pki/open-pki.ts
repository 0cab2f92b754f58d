import { makeAuthority } from './issue.ts';
import {
  type KeyPair,
  makeSigningKey,
  readCertificate,
  readPrivateKey,
  type SigningKey,
  signingKeyOf,
} from './key-pair.ts';
import type { KeyStore } from './key-store.ts';
import { type Leaf, openLeaf } from './open-leaf.ts';
import { openServing } from './open-serving.ts';
import { PkiError } from './pki-error.ts';
import type { ServingNames } from './serving-names.ts';

const authorityLifetimeMs = 3650 * 86_400_000;

/** What `openPki` needs. */
export interface PkiOptions {
  readonly store: KeyStore;
  readonly nowMs: () => number;
  /** Asked at start and at every refresh, because a host's addresses change; undefined where nobody is served with it. */
  readonly names: (() => ServingNames) | undefined;
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
  /** The same with its key, which signs requests for certificates. */
  readonly authority: KeyPair;
  /** The serving certificate as of the last refresh; undefined where no names were given. */
  readonly serving: KeyPair | undefined;
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
 * authority, the service account key or a serving certificate of somebody else's when they are there.
 * @throws PkiError `missing` or `mismatch` when one of these is incomplete, `unreadable` for damaged files
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
    authority,
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
      const fresh = await openOwnServing(options, authority);
      if (fresh === undefined || fresh.certificatePem === current?.certificatePem) return undefined;
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
    openOwnServing(options, authority),
  );
  return { authority, admin, serving, agentClient };
}

async function openOwnServing(options: PkiOptions, authority: KeyPair): Promise<KeyPair | undefined> {
  return options.names === undefined ? undefined : await openServing(options, authority, options.names());
}

/** Both results. When one fails the other is waited for all the same, so that nothing is written after the failure. */
async function bothOf<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second]);
  return Promise.all([first, second]);
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

async function openAuthority({ store, nowMs, authorityName }: PkiOptions): Promise<KeyPair> {
  const [certificatePem, privateKeyPem] = await Promise.all([store.read('ca.crt'), store.read('ca.key')]);
  if (certificatePem === undefined && privateKeyPem === undefined) {
    const made = await makeAuthority({
      commonName: authorityName,
      nowMs: nowMs(),
      lifetimeMs: authorityLifetimeMs,
    });
    // The key first: an interrupted start then leaves no certificate without its key.
    await store.write('ca.key', made.privateKeyPem);
    await store.write('ca.crt', made.certificatePem);
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

async function openSigningKey(store: KeyStore): Promise<SigningKey> {
  const file = 'service-account.key';
  const privateKeyPem = await store.read(file);
  if (privateKeyPem !== undefined) return signingKeyOf(privateKeyPem, store.describe(file));
  const made = await makeSigningKey();
  await store.write(file, made.privateKeyPem);
  return made;
}
