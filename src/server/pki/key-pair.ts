import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  X509Certificate,
} from 'node:crypto';
import { promisify } from 'node:util';
import { PkiError } from './pki-error.ts';

/** A certificate (issuers may follow it) and its private key, both PEM. */
export interface KeyPair {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** A key without a certificate, PEM. */
export interface SigningKey {
  readonly privateKeyPem: string;
  readonly publicKeyPem: string;
}

/** A new ECDSA P-256 key, for a certificate. */
export async function makeCertificateKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return { privateKeyPem: exportPrivateKey(privateKey), publicKeyPem: exportPublicKey(publicKey) };
}

/**
 * A new RSA key of 2048 bits, for tokens: everybody who verifies tokens knows RS256. It is searched for off the main
 * thread, typically for 15 to 150 ms.
 */
export async function makeSigningKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return { privateKeyPem: exportPrivateKey(privateKey), publicKeyPem: exportPublicKey(publicKey) };
}

/** The public half of a PEM private key. @throws PkiError `unreadable` */
export function signingKeyOf(privateKeyPem: string, file: string): SigningKey {
  return {
    privateKeyPem,
    publicKeyPem: exportPublicKey(createPublicKey(readPrivateKey(privateKeyPem, file))),
  };
}

/** Parses the first certificate of a PEM text. @throws PkiError `unreadable` */
export function readCertificate(pem: string, file: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new PkiError('unreadable', `read certificate ${file}: no PEM certificate in it`, { cause });
  }
}

/** Parses a PEM private key. @throws PkiError `unreadable` */
export function readPrivateKey(pem: string, file: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new PkiError('unreadable', `read private key ${file}: no unencrypted PEM private key in it`, {
      cause,
    });
  }
}

function exportPrivateKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function exportPublicKey(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}
