import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { CtlError } from '../errors.ts';

/**
 * Makes sure that a certificate and a private key, as PEM, belong together.
 *
 * @throws CtlError in the words of Go's `tls.X509KeyPair`, which release 1.20's client shows.
 */
export function checkKeyPair(certificatePem: Buffer, keyPem: Buffer): void {
  const [certificates, keys] = [blockTypes(certificatePem), blockTypes(keyPem)];
  if (certificates.length === 0) refuse('failed to find any PEM data in certificate input');
  if (!certificates.includes('CERTIFICATE')) {
    if (certificates.some(isKey))
      refuse(
        'failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
      );
    refuse(
      `failed to find "CERTIFICATE" PEM block in certificate input after skipping ${list(certificates)}`,
    );
  }
  if (keys.length === 0) refuse('failed to find any PEM data in key input');
  if (!keys.some(isKey)) {
    if (keys.length === 1 && keys[0] === 'CERTIFICATE')
      refuse('found a certificate rather than a key in the PEM for the private key');
    refuse(
      `failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping ${list(keys)}`,
    );
  }
  const certificate = attempt('failed to parse certificate', () => new X509Certificate(certificatePem));
  const key = attempt('failed to parse private key', () => createPrivateKey(keyPem));
  if (!certificate.checkPrivateKey(key)) refuse(mismatch(certificate.publicKey, key));
}

const isKey = (type: string): boolean => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY');

const blockTypes = (pem: Buffer): readonly string[] =>
  Array.from(pem.toString('latin1').matchAll(/^-----BEGIN ([^\n]*?)-----\s*$/gm), ([, type]) => type ?? '');

const list = (types: readonly string[]): string => `PEM blocks of the following types: [${types.join(' ')}]`;

const mismatch = (publicKey: KeyObject, privateKey: KeyObject): string =>
  publicKey.asymmetricKeyType === privateKey.asymmetricKeyType
    ? 'private key does not match public key'
    : 'private key type does not match public key type';

function attempt<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new CtlError(`failed to load key pair tls: ${what}`, { cause });
  }
}

function refuse(why: string): never {
  throw new CtlError(`failed to load key pair tls: ${why}`);
}
