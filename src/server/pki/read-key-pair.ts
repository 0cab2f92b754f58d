import { readFile } from 'node:fs/promises';
import { errorCode, reasonText } from '../../base/index.ts';
import { type KeyPair, readCertificate, readPrivateKey } from './key-pair.ts';
import { PkiError } from './pki-error.ts';

const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads a certificate (with its chain) and its private key from two PEM files.
 * @throws PkiError `missing`, `unreadable`, or `mismatch` when the key is not the certificate's
 */
export async function readKeyPair(files: {
  readonly certificate: string;
  readonly privateKey: string;
}): Promise<KeyPair> {
  const [certificatePem, privateKeyPem] = await Promise.all([
    readPem(files.certificate),
    readPem(files.privateKey),
  ]);
  const certificate = readCertificate(certificatePem, files.certificate);
  if (!certificate.checkPrivateKey(readPrivateKey(privateKeyPem, files.privateKey))) {
    throw new PkiError(
      'mismatch',
      `read ${files.privateKey}: it is not the key of the certificate in ${files.certificate}`,
    );
  }
  return { certificatePem, privateKeyPem };
}

/**
 * Reads a bundle of certificate authorities, as TLS takes it.
 * @throws PkiError `missing` or `unreadable`
 */
export async function readAuthorities(file: string): Promise<readonly string[]> {
  return splitAuthorities(await readPem(file), file);
}

/** The certificates of a PEM text, one each. `source` names it in messages. @throws PkiError for a text without any */
export function splitAuthorities(text: string, source: string): readonly string[] {
  const blocks = text.match(certificateBlock) ?? [];
  if (blocks.length === 0)
    throw new PkiError('unreadable', `read certificate ${source}: no PEM certificate in it`);
  for (const block of blocks) readCertificate(block, source);
  // With their line ends, so that they can be joined.
  return blocks.map((block) => `${block}\n`);
}

/** The certificates of a PEM text that are their own issuers: authorities that a server brings along. */
export function selfSignedOf(pem: string): readonly string[] {
  return (pem.match(certificateBlock) ?? []).filter((block) => {
    const certificate = readCertificate(block, 'a chain');
    return certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey);
  });
}

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const code = errorCode(cause) === 'ENOENT' ? 'missing' : 'unreadable';
    throw new PkiError(code, `read ${file}: ${reasonText(cause)}`, { cause });
  }
}
