import type { X509Certificate } from 'node:crypto';
import { type KeyPair, readCertificate, readPrivateKey } from './key-pair.ts';
import type { KeyStore } from './key-store.ts';
import { isIssuedFor, type Leaf, type LeafSources, openLeaf } from './open-leaf.ts';
import { PkiError } from './pki-error.ts';
import type { ServingNames } from './serving-names.ts';

/** File name without its ending, as release 1.20 has it. */
const file = 'apiserver';
/** The same before it was so. */
const formerFile = 'serving';

/**
 * The serving certificate of a store: `apiserver.crt` and `apiserver.key`. One that the authority has signed is renewed when
 * it expires or the names change; any other is somebody else's, and served as it is.
 *
 * @throws PkiError when a pair of somebody else's is incomplete, damaged, or no pair
 */
export async function openServing(
  sources: LeafSources,
  authority: KeyPair,
  names: ServingNames,
): Promise<KeyPair> {
  const { store } = sources;
  const leaf: Leaf = { file, subject: { commonName: 'orch-serving' }, usage: 'server', names };
  await takeOverFormer(store);
  const [certificatePem, privateKeyPem] = await readPair(store, file);
  if (certificatePem === undefined && privateKeyPem === undefined) return openLeaf(sources, authority, leaf);
  const certificate = certificatePem === undefined ? undefined : read(store, certificatePem);
  if (certificate !== undefined && isIssuedFor(certificate, authority, leaf))
    return openLeaf(sources, authority, leaf);
  if (certificatePem === undefined || privateKeyPem === undefined) {
    const [there, gone] = certificatePem === undefined ? ['key', 'crt'] : ['crt', 'key'];
    throw new PkiError(
      'missing',
      `open serving certificate: ${store.describe(`${file}.${there}`)} has no ${file}.${gone} beside it; restore it, or remove both for new ones`,
    );
  }
  if (certificate?.checkPrivateKey(readPrivateKey(privateKeyPem, store.describe(`${file}.key`))) !== true) {
    throw new PkiError(
      'mismatch',
      `open serving certificate: ${store.describe(`${file}.key`)} is not the key of ${file}.crt; restore the right one, or remove both for new ones`,
    );
  }
  return { certificatePem, privateKeyPem };
}

/** What an earlier version has made goes on being served, under the new names. */
async function takeOverFormer(store: KeyStore): Promise<void> {
  const [certificatePem, privateKeyPem] = await readPair(store, formerFile);
  if (certificatePem === undefined || privateKeyPem === undefined) return;
  const current = await readPair(store, file);
  if (current.some((content) => content !== undefined)) return;
  await store.write(`${file}.crt`, certificatePem);
  await store.write(`${file}.key`, privateKeyPem);
  await store.remove(`${formerFile}.crt`);
  await store.remove(`${formerFile}.key`);
}

function readPair(store: KeyStore, name: string): Promise<[string | undefined, string | undefined]> {
  return Promise.all([store.read(`${name}.crt`), store.read(`${name}.key`)]);
}

/** @throws PkiError `unreadable` */
function read(store: KeyStore, pem: string): X509Certificate {
  return readCertificate(pem, store.describe(`${file}.crt`));
}
